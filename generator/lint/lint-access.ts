import { coversRole, guestRole, isGroupRole } from "../../vocabulary/accounts/role-names.ts";
import type { Preset } from "../../vocabulary/fields/presets.ts";
import type { Operation } from "../../vocabulary/operations.ts";
import type { ReportDiagnostic } from "../diagnostics/index.ts";
import {
  admitsGuests,
  isAdminLike,
  isOpenToGuests,
  namesCaller,
  needsIdentity,
  passedByGuests,
} from "./lint-callers.ts";
import type { LintContext, LintedModel, LintedRule } from "./lint-context.ts";

/** Phrases for writing operations on rows. */
export const writePhrases: Partial<Record<Operation, (rows: string) => string>> = {
  create: (rows) => `create ${rows}`,
  update: (rows) => `change ${rows}`,
  upsert: (rows) => `create and change ${rows}`,
  delete: (rows) => `delete ${rows}`,
  destroy: (rows) => `permanently delete ${rows}`,
  restore: (rows) => `restore ${rows}`,
};

/** Finds rules that open more than intended, or that have no effect. */
export function lintAccess({ models, report }: LintContext): void {
  for (const model of models) {
    for (const rule of model.rules) {
      lintPublicWrite(model, rule, report);
      lintRemoval(model, rule, report);
      lintDeadRule(rule, report);
      lintUnsetForGuests(model, rule, report);
      lintListed(rule, report);
      lintShadowed(model, rule, report);
    }
  }
}

function lintPublicWrite(model: LintedModel, rule: LintedRule, report: ReportDiagnostic): void {
  const { definition } = model;
  const action = writePhrases[rule.operation];
  if (action === undefined || !isOpenToGuests(rule)) return;
  // Another finding reports a NOT EXISTS that is true for guests.
  if (rule.condition !== null && passedByGuests(rule.condition)) return;
  if (unsetForGuests(model, rule) !== undefined) return;
  const which = rule.condition === null ? "" : " that satisfy the condition";
  const message = `everyone can ${action(`rows of "${definition.key}"`)}${which}, without signing in`;
  const owner = 'or tie the rows to the caller with a condition such as "user_id = {user_id}"';
  report("public-write", rule.role.at, message, `name the allowed roles, ${owner}`);
}

function lintRemoval({ definition }: LintedModel, rule: LintedRule, report: ReportDiagnostic): void {
  const { softDelete, key } = definition;
  const removes = rule.operation === "destroy" || (rule.operation === "delete" && !softDelete);
  if (!removes || isAdminLike(rule.role.value) || isOpenToGuests(rule) || isDead(rule)) return;
  if (rule.condition !== null && namesCaller(rule.condition)) return;
  const isOfMany = isGroupRole(rule.role.value);
  const who = isOfMany ? "everyone who is signed in" : JSON.stringify(rule.role.value);
  const which = rule.condition === null ? "" : " that satisfy the condition";
  const message = `${who} can permanently delete rows of "${key}"${which}: they cannot be restored`;
  const hides = softDelete ? '"delete", which hides rows' : '"delete" and the model "soft_delete": true';
  const hint =
    rule.operation === "destroy"
      ? `leave "destroy" to "admin", and give this role ${hides}`
      : 'give the model "soft_delete": true, so that "delete" hides rows, or leave it to "admin"';
  report("permanent-delete", rule.role.at, message, hint);
}

function isDead({ role, condition }: LintedRule): boolean {
  return role.value === guestRole && condition !== null && needsIdentity(condition);
}

function lintDeadRule(rule: LintedRule, report: ReportDiagnostic): void {
  if (!isDead(rule) || rule.text === null) return;
  const message = `this rule never matches for guests: their {user_id}, {email} and {user.<column>} are NULL, and NULL equals nothing`;
  report("dead-rule", rule.text.at, message, "remove the rule, or compare with something else");
}

function lintUnsetForGuests(model: LintedModel, rule: LintedRule, report: ReportDiagnostic): void {
  const unset = unsetForGuests(model, rule);
  if (unset === undefined || isDead(rule) || rule.role.value !== guestRole) return;
  const message = `guests cannot ${rule.operation} rows of "${model.definition.key}": "${unset}" is required and gets its value from the caller's account, which guests do not have`;
  report("dead-rule", rule.role.at, message, `remove the rule, or "required" from "${unset}"`);
}

/** The name of a required preset that is NULL for guests, so that guests cannot write rows unless a hook fills it in. */
function unsetForGuests({ definition }: LintedModel, { operation }: LintedRule): string | undefined {
  const { fields, access, hooks } = definition;
  const creates = operation === "create" || operation === "upsert";
  if (hooks !== null || !(creates || operation === "update" || operation === "restore")) return undefined;
  const mayWrite = (name: string) =>
    access.fields.some(({ field, write }) => field === name && write?.some(admitsGuests) === true);
  const unset = fields.find(
    ({ name, preset }) =>
      preset?.required === true &&
      (creates || preset.on === "write") &&
      isOfAccounts(preset.value) &&
      !mayWrite(name),
  );
  return unset?.name;
}

function isOfAccounts(preset: Preset): boolean {
  return "user" in preset || preset.placeholder === "user_id" || preset.placeholder === "email";
}

function lintListed({ role, list }: LintedRule, report: ReportDiagnostic): void {
  const wide = list.find((other) => other !== role.value && coversRole(other, role.value));
  if (wide === undefined) return;
  const who = JSON.stringify(role.value);
  const message = `the role ${who} has no effect in this list: "${wide}" already includes it`;
  report(
    "shadowed-rule",
    role.at,
    message,
    `remove ${who}, or remove "${wide}" if only certain roles are meant`,
  );
}

function lintShadowed({ rules }: LintedModel, rule: LintedRule, report: ReportDiagnostic): void {
  const { operation, role, list, text } = rule;
  if (text === null && !rule.namesFields) return;
  const open = rules.find(
    (other) =>
      other.operation === operation &&
      other.text === null &&
      !other.namesFields &&
      coversRole(other.role.value, role.value),
  );
  if (open === undefined) return;
  const who = JSON.stringify(open.role.value);
  // The rule can have an effect for another role of the list.
  const isOneOfList = list.length > 1;
  const whose = isOneOfList ? ` for ${JSON.stringify(role.value)}` : "";
  const what = text === null ? "rule" : "condition";
  const message = `this ${what} has no effect${whose}: rules are joined with OR, and the rule for ${who} opens all rows to "${operation}"`;
  const narrower = isGroupRole(open.role.value)
    ? `in the rule for ${who}, name the roles that can see all rows`
    : "remove one of them";
  report("shadowed-rule", isOneOfList || text === null ? role.at : text.at, message, narrower);
}
