import type { Condition, Operand } from "../../vocabulary/conditions.ts";
import type { LintedRule } from "./lint-context.ts";
import { wordsOf } from "./words.ts";

const administrators = new Set([
  "admin",
  "admins",
  "administrator",
  "superadmin",
  "superuser",
  "root",
  "system",
]);

/** `non_admin` is everybody else. */
const negations = new Set(["non", "not", "no", "former", "ex"]);

/** Whether a role is trusted with everything, by its name: `admin`, `super_admin`, `system` (contract: "Roles"). */
export function isAdminLike(role: string): boolean {
  const words = wordsOf(role);
  return words.some((word, index) => administrators.has(word) && !negations.has(words[index - 1] ?? ""));
}

/** Whether a rule for this role lets in callers without a credential. */
export function admitsGuests(role: string): boolean {
  return role === "*" || role === "guest";
}

/** Whether callers without a credential get at rows by this rule. */
export function isPublic({ role, condition }: Pick<LintedRule, "role" | "condition">): boolean {
  return admitsGuests(role.value) && (condition === null || !needsIdentity(condition));
}

/** Whether no row satisfies the condition for a guest, whose user id and e-mail are NULL. */
export function needsIdentity(condition: Condition): boolean {
  switch (condition.op) {
    case "and":
      return condition.conditions.some(needsIdentity);
    case "or":
      return condition.conditions.every(needsIdentity);
    case "not":
      // NOT NULL is NULL; of a nested AND or OR it need not be.
      return isComparison(condition.condition) && needsIdentity(condition.condition);
    case "in":
    case "not_in":
      if (isIdentity(condition.field)) return true;
      return condition.op === "not_in"
        ? condition.values.some(isIdentity)
        : condition.values.every(isIdentity);
    case "between":
      return isIdentity(condition.field) || isIdentity(condition.from) || isIdentity(condition.to);
    case "is_null":
    case "is_not_null":
      return false;
    case "exists":
      return condition.where !== null && needsIdentity(condition.where);
    default:
      return isIdentity(condition.field) || isIdentity(condition.value);
  }
}

function isComparison({ op }: Condition): boolean {
  return !["and", "or", "not", "between", "in", "not_in", "exists"].includes(op);
}

/** Whether a guest has NULL there: the id and the e-mail of nobody, and what no row of `users` holds. */
function isIdentity(operand: Operand): boolean {
  if (typeof operand !== "object" || "field" in operand) return false;
  return "user" in operand || operand.placeholder === "user_id" || operand.placeholder === "email";
}
