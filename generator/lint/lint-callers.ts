import { everyRole, guestRole, registeredRole, signedInRole } from "../../vocabulary/accounts/role-names.ts";
import type { Condition, Operand, Subject } from "../../vocabulary/conditions/conditions.ts";
import {
  anyOutcome,
  type CallerKind,
  type Outcomes,
  opposite,
  outcomesOf,
  unknownOutcome,
} from "../conditions/index.ts";
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

/** `non_admin` is everyone else. */
const negations = new Set(["non", "not", "no", "former", "ex"]);

/** Whether a role is trusted with everything, by its name: `admin`, `super_admin`, `system`. */
export function isAdminLike(role: string): boolean {
  const words = wordsOf(role);
  return words.some((word, index) => administrators.has(word) && !negations.has(words[index - 1] ?? ""));
}

/** Whether a rule for this role admits callers without a credential. */
export function admitsGuests(role: string): boolean {
  return role === everyRole || role === guestRole;
}

/** Whether anyone who registers is admitted by a rule for this role. */
export function admitsStrangers(role: string): boolean {
  return role === everyRole || role === signedInRole || role === registeredRole;
}

/** Whether callers without a credential get at rows by this rule. */
export function isOpenToGuests({ role, condition }: Pick<LintedRule, "role" | "condition">): boolean {
  return admitsGuests(role.value) && (condition === null || !needsIdentity(condition));
}

/** Whether no row satisfies the condition for a guest, whose user id, e-mail and columns are NULL. */
export function needsIdentity(condition: Condition): boolean {
  return !outcomesOf(condition, guests).holds;
}

/** Whether a row satisfies the condition only for some callers, by who they are: those whose it is, or whom someone chose. */
export function dependsOnCaller(condition: Condition): boolean {
  return !outcomesOf(condition, strangers).holds;
}

/** Conditions that the row must not be there for, and that no guest fulfils: he passes each. */
export function passedByGuests(condition: Condition, negated = false): boolean {
  switch (condition.op) {
    case "and":
    case "or":
      return condition.conditions.some((part) => passedByGuests(part, negated));
    case "not":
      return passedByGuests(condition.condition, !negated);
    case "exists":
      return condition.where !== null && negated && needsIdentity(condition.where);
    default:
      return false;
  }
}

/** Whether each row that satisfies the condition names the caller in a field of its own: what he removes is his. */
export function namesCaller(condition: Condition): boolean {
  if (condition.op === "and") return condition.conditions.some(namesCaller);
  if (condition.op === "or") return condition.conditions.every(namesCaller);
  if (condition.op !== "eq" || typeof condition.field !== "string" || condition.field.includes("."))
    return false;
  const { value } = condition;
  return typeof value === "object" && "placeholder" in value && value.placeholder === "user_id";
}

/** Questions whether a column of the caller is NULL, which for a guest each is. */
export function holdsWithoutUser(condition: Condition, negated = false): boolean {
  switch (condition.op) {
    case "and":
    case "or":
      return condition.conditions.some((part) => holdsWithoutUser(part, negated));
    case "not":
      return holdsWithoutUser(condition.condition, !negated);
    case "exists":
      return condition.where !== null && holdsWithoutUser(condition.where, negated);
    case "is_null":
      return !negated && typeof condition.field !== "string";
    case "is_not_null":
      return negated && typeof condition.field !== "string";
    default:
      return false;
  }
}

const guests: CallerKind = {
  compared: ({ left, right }) => (isCaller(left) || isCaller(right) ? unknownOutcome : anyOutcome),
  hasRow: false,
};

/** Columns of callers that say the same of everyone who has registered and read his mail. */
const ofEverybody = new Set(["is_active", "is_verified", "created_at"]);

/** Someone who registered a moment ago, whom no row names. */
const strangers: CallerKind = {
  compared({ op, left, right }) {
    if (isCaller(left) === isCaller(right) || saysNothing(left) || saysNothing(right)) return anyOutcome;
    const isTheirs = isRoleOfStrangers(left, right);
    if (op === "eq") return isTheirs ? anyOutcome : differs;
    if (op === "ne") return isTheirs ? differs : opposite(differs);
    return anyOutcome;
  },
  hasRow: true,
};

/** An equality of a stranger with what a row or a rule says. */
const differs: Outcomes = { holds: false, fails: true, unknown: true };

function saysNothing(operand: Operand): boolean {
  return typeof operand === "object" && "user" in operand && ofEverybody.has(operand.user);
}

function isRoleOfStrangers(left: Subject, right: Operand): boolean {
  return typeof left === "object" && left.user === "role" && right === registeredRole;
}

/** Whether it is what a guest has not: a user id, an e-mail, or a column of his row in `users`. */
function isCaller(operand: Operand): boolean {
  if (typeof operand !== "object" || "field" in operand) return false;
  return "user" in operand || operand.placeholder === "user_id" || operand.placeholder === "email";
}
