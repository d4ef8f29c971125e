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

/** Words that negate a name of an administrator: `non_admin`. */
const negations = new Set(["non", "not", "no", "former", "ex"]);

/** Whether a role has the name of an administrator: `admin`, `super_admin`, `system`. */
export function isAdminLike(role: string): boolean {
  const words = wordsOf(role);
  return words.some((word, index) => administrators.has(word) && !negations.has(words[index - 1] ?? ""));
}

/** Whether a rule for this role admits callers without a credential. */
export function admitsGuests(role: string): boolean {
  return role === everyRole || role === guestRole;
}

/** Whether a rule for this role admits every registered user. */
export function admitsStrangers(role: string): boolean {
  return role === everyRole || role === signedInRole || role === registeredRole;
}

/** Whether the rule opens rows to callers without a credential. */
export function isOpenToGuests({ role, condition }: Pick<LintedRule, "role" | "condition">): boolean {
  return admitsGuests(role.value) && (condition === null || !needsIdentity(condition));
}

/** Whether the condition is never true for a guest, whose user id, e-mail and columns are NULL. */
export function needsIdentity(condition: Condition): boolean {
  return !outcomesOf(condition, guests).holds;
}

/** Whether the condition is true only for certain users, such as the owner of a row, and not for a newly registered user. */
export function dependsOnCaller(condition: Condition): boolean {
  return !outcomesOf(condition, strangers).holds;
}

/** Whether the condition has a NOT EXISTS that is always true for guests, because its inner condition is never true for them. */
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

/** Whether each matching row has the caller's id in one of its fields: callers can then remove only their rows. */
export function namesCaller(condition: Condition): boolean {
  if (condition.op === "and") return condition.conditions.some(namesCaller);
  if (condition.op === "or") return condition.conditions.every(namesCaller);
  if (condition.op !== "eq" || typeof condition.field !== "string" || condition.field.includes("."))
    return false;
  const { value } = condition;
  return typeof value === "object" && "placeholder" in value && value.placeholder === "user_id";
}

/** Whether the condition tests that a column of the caller is NULL, which is true for guests. */
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

/** Columns of `users` in which a newly registered user does not differ from others. */
const commonColumns = new Set(["is_active", "is_verified", "created_at"]);

/** A newly registered user, whom no row refers to. */
const strangers: CallerKind = {
  compared({ op, left, right }) {
    if (isCaller(left) === isCaller(right) || isCommonColumn(left) || isCommonColumn(right))
      return anyOutcome;
    const isTheirs = isRoleOfStrangers(left, right);
    if (op === "eq") return isTheirs ? anyOutcome : differs;
    if (op === "ne") return isTheirs ? differs : opposite(differs);
    return anyOutcome;
  },
  hasRow: true,
};

/** The outcomes of `=` with a value of a newly registered user: never true. */
const differs: Outcomes = { holds: false, fails: true, unknown: true };

function isCommonColumn(operand: Operand): boolean {
  return typeof operand === "object" && "user" in operand && commonColumns.has(operand.user);
}

function isRoleOfStrangers(left: Subject, right: Operand): boolean {
  return typeof left === "object" && left.user === "role" && right === registeredRole;
}

/** Whether a value is NULL for guests: a user id, an e-mail, or a column of `users`. */
function isCaller(operand: Operand): boolean {
  if (typeof operand !== "object" || "field" in operand) return false;
  return "user" in operand || operand.placeholder === "user_id" || operand.placeholder === "email";
}
