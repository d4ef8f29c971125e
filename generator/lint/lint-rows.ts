import { coversRole, everyRole, guestRole, signedInRole } from "../../vocabulary/accounts/role-names.ts";
import { columnsOfCondition } from "../../vocabulary/conditions/check-tree.ts";
import type { Condition } from "../../vocabulary/conditions/conditions.ts";
import type { Operation } from "../../vocabulary/operations.ts";
import type { CheckDefinition, ModelDefinition } from "../definition/definition.ts";
import type { ReportDiagnostic } from "../diagnostics/index.ts";
import { usersKey } from "../load/built-in-users.ts";
import { writePhrases } from "./lint-access.ts";
import {
  admitsStrangers,
  dependsOnCaller,
  holdsWithoutUser,
  isOpenToGuests,
  passedByGuests,
} from "./lint-callers.ts";
import type { LintContext, LintedModel, LintedRule } from "./lint-context.ts";
import { lintNewRows } from "./lint-new-rows.ts";

/** Finds checks that reveal a field to callers who can write another field of the check, but cannot read this one. */
export function lintRowChecks({ models, report }: LintContext): void {
  for (const model of models) {
    for (const [index, check] of model.definition.checks.entries()) {
      const at = model.node.raw.checks[index]?.name.at;
      const found = revealed(model, check);
      if (at === undefined || found === null) continue;
      const { who, written, hidden } = found;
      const message = `${calledRole(who)} can write "${written}" but not read "${hidden}": the result of the check "${check.name}" reveals it`;
      report(
        "check-reveals-field",
        at,
        message,
        `remove their write access to "${written}", or give them read access to "${hidden}"`,
      );
    }
  }
}

interface Revealed {
  readonly who: string;
  readonly written: string;
  readonly hidden: string;
}

function revealed(model: LintedModel, check: CheckDefinition): Revealed | null {
  const { definition } = model;
  const columns = columnsOfCondition(check.condition);
  for (const written of columns) {
    for (const who of writersOf(model, written)) {
      const hidden = columns.find((name) => name !== written && !admits(definition, "read", name, who));
      if (hidden !== undefined) return { who, written, hidden };
    }
  }
  return null;
}

const writes: readonly Operation[] = ["create", "update", "upsert", "restore"];

/** The roles that can write a field: those of the rules, narrowed by the gate of the field. */
function writersOf({ definition, rules }: LintedModel, field: string): string[] {
  const roles = rules.filter(({ operation }) => writes.includes(operation)).map(({ role }) => role.value);
  const gate = gateOf(definition, "write", field) ?? [everyRole];
  return roles.flatMap((role) =>
    gate.flatMap((other) => (coversRole(other, role) ? [role] : coversRole(role, other) ? [other] : [])),
  );
}

function admits(model: ModelDefinition, way: "read" | "write", field: string, role: string): boolean {
  return gateOf(model, way, field)?.some((other) => coversRole(other, role)) ?? true;
}

/** The roles of a gate; null without one. Passwords have no read gate: a check only sees whether one is set. */
function gateOf({ access }: ModelDefinition, way: "read" | "write", field: string): readonly string[] | null {
  return access.fields.find((entry) => entry.field === field)?.[way] ?? null;
}

/** A role, or the group that it stands for, as a phrase. */
export function calledRole(role: string): string {
  if (role === everyRole) return "everyone";
  return role === signedInRole ? "everyone who is signed in" : `the role "${role}"`;
}

/** Finds rules that admit other callers or match other rows than intended. */
export function lintRows({ models, report }: LintContext): void {
  for (const model of models) {
    for (const rule of model.rules) {
      lintGuests(rule, report);
      lintNewRows(model, rule, report);
      lintOthers(model, rule, report);
    }
  }
}

/** No row refers to a guest, so a condition that excludes certain users admits guests. */
function lintGuests(rule: LintedRule, report: ReportDiagnostic): void {
  if (rule.condition === null || rule.text === null || !isOpenToGuests(rule)) return;
  const hint = 'write "role": "signed_in" for callers with a credential, and a separate rule for guests';
  if (!passedByGuests(rule.condition)) {
    const isNull = 'this IS NULL admits guests: they have no row in "users", so each {user.<column>} is NULL';
    if (rule.role.value !== guestRole && holdsWithoutUser(rule.condition))
      report("null-for-guests", rule.text.at, isNull, hint);
    return;
  }
  const message =
    "this NOT EXISTS admits guests: they have neither {user_id} nor {email}, so no row refers to them. An excluded user only needs to sign out";
  report("not-exists-for-guests", rule.text.at, message, hint);
}

/** Anyone can register, so a write that every registered user can do is open to everyone. */
function lintOthers(model: LintedModel, rule: LintedRule, report: ReportDiagnostic): void {
  const { operation, role, condition } = rule;
  const action = writePhrases[operation];
  if (action === undefined || !admitsStrangers(role.value) || isOpenToGuests(rule)) return;
  if (condition !== null && dependsOnCaller(condition)) return;
  // In a list of roles, only the widest role is reported.
  if (rule.list.some((other) => other !== role.value && coversRole(other, role.value))) return;
  const { key } = model.definition;
  const owner = ownersOf(model).find((field) => operation !== "create" || canWrite(model, role.value, field));
  if (operation === "create" && owner === undefined) return;
  const which = condition === null ? "" : " that satisfy the condition";
  const message =
    operation === "create"
      ? `anyone who registers can create rows of "${key}"${which} in the name of others, with any "${owner}"`
      : `anyone who registers can ${action(`rows of "${key}"`)}${which}, including those of other users`;
  const tie = `${owner ?? "owner_id"} = {user_id}`;
  const others = `tie the rows to the caller with "${tie}" or EXISTS, or use roles that an administrator assigns`;
  const hint =
    operation === "create"
      ? `let the server set it, with "preset": "{user_id}" in the field "${owner}", or ${others}`
      : others;
  report("rows-of-others", role.at, message, hint);
}

/** Fields with the owner of a row: rules of the model compare them with the caller's id, or they refer to accounts. */
function ownersOf({ definition, rules }: LintedModel): string[] {
  const compared = rules.flatMap(({ condition }) => (condition === null ? [] : tiedFields(condition)));
  const referring = definition.relations.flatMap(({ kind, model, field }) =>
    kind === "belongs_to" && model === usersKey ? [field] : [],
  );
  return [...new Set([...compared, ...referring])];
}

function tiedFields(condition: Condition): string[] {
  if (condition.op === "and" || condition.op === "or") return condition.conditions.flatMap(tiedFields);
  if (condition.op !== "eq" || typeof condition.field !== "string" || condition.field.includes("."))
    return [];
  const { value } = condition;
  const isId = typeof value === "object" && "placeholder" in value && value.placeholder === "user_id";
  return isId ? [condition.field] : [];
}

function canWrite({ definition }: LintedModel, role: string, field: string): boolean {
  const gate = definition.access.fields.find((entry) => entry.field === field)?.write ?? null;
  return gate === null || gate.some((wide) => coversRole(wide, role));
}
