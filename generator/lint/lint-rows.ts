import { type Condition, rowItself, type Subject } from "../../vocabulary/conditions.ts";
import { coversRole } from "../../vocabulary/role-names.ts";
import type { Report } from "../diagnostics/index.ts";
import { usersKey } from "../load/built-in-users.ts";
import { deeds } from "./lint-access.ts";
import { admitsStrangers, choosesCallers, isPublic, passedByGuests } from "./lint-callers.ts";
import type { LintContext, LintedModel, LintedRule } from "./lint-context.ts";

/** Rules whose condition says something else of rows than it seems to. */
export function lintRows({ models, report }: LintContext): void {
  for (const model of models) {
    for (const rule of model.rules) {
      lintGuests(rule, report);
      lintNewRows(model, rule, report);
      lintOthers(model, rule, report);
    }
  }
}

/** Nothing names a guest, and so he is let in by what keeps out those who are named. */
function lintGuests(rule: LintedRule, report: Report): void {
  if (rule.condition === null || rule.text === null || !isPublic(rule)) return;
  if (!passedByGuests(rule.condition)) return;
  const message =
    "guests are let in by this NOT EXISTS: they have neither {user_id} nor {email}, no row names them, and whoever one names needs but sign out";
  const hint = 'write "role": "signed_in" for those who have a credential, and a rule of its own for guests';
  report("not-exists-for-guests", rule.text.at, message, hint);
}

function lintNewRows(model: LintedModel, { operation, condition, text }: LintedRule, report: Report): void {
  if (operation !== "create" || condition === null || text === null) return;
  for (const message of new Set(vain(condition, model)))
    report(
      "exists-on-create",
      text.at,
      `${message}: no row refers to it yet`,
      "remove it, or begin the path at a belongs_to",
    );
}

/** Where within a condition one stands. */
interface Inside {
  readonly depth: number;
  readonly negated: boolean;
}

/** What can be said of the parts of a condition that look for rows below a new one. */
function vain(condition: Condition, model: LintedModel, at: Inside = { depth: 0, negated: false }): string[] {
  switch (condition.op) {
    case "and":
    case "or":
      return condition.conditions.flatMap((part) => vain(part, model, at));
    case "not":
      return vain(condition.condition, model, { ...at, negated: !at.negated });
    case "exists": {
      const { path, where } = condition;
      const shown = `EXISTS (${path}${where === null ? "" : " WHERE …"})`;
      const which = at.negated ? `NOT ${shown} always holds` : `${shown} never holds`;
      if (isBelow(path.split("."), model, at)) return [`${which} for a new row`];
      return where === null ? [] : vain(where, model, { ...at, depth: at.depth + 1 });
    }
    default:
      return fieldsOf(condition)
        .filter((field) => isBelow(field.split(".").slice(0, -1), model, at))
        .map((field) => `"${field}" is NULL in a new row`);
  }
}

/** Whether a path begins at the row itself, and at the side of a relation where other rows refer to it. */
function isBelow([first, ...rest]: readonly string[], { scope }: LintedModel, { depth }: Inside): boolean {
  if (depth > 0 && first !== rowItself) return false;
  const relation = scope.relations.get((depth > 0 ? rest[0] : first) ?? "");
  return relation !== undefined && relation.kind !== "belongs_to";
}

function fieldsOf(condition: Extract<Condition, { readonly field: Subject }>): string[] {
  const operands = "value" in condition ? [condition.field, otherField(condition.value)] : [condition.field];
  return operands.filter((operand) => typeof operand === "string");
}

function otherField(value: unknown): string | null {
  return typeof value === "object" && value !== null && "field" in value ? String(value.field) : null;
}

/** Anybody may register, and so what the role of whoever did may write is open to everybody. */
function lintOthers(model: LintedModel, rule: LintedRule, report: Report): void {
  const { operation, role, condition } = rule;
  const deed = deeds[operation];
  if (deed === undefined || !admitsStrangers(role.value) || isPublic(rule)) return;
  if (condition !== null && choosesCallers(condition)) return;
  const { key } = model.definition;
  const owner = ownersOf(model).find((field) => operation !== "create" || mayWrite(model, role.value, field));
  if (operation === "create" && owner === undefined) return;
  const which = condition === null ? "" : " that satisfy the condition";
  const message =
    operation === "create"
      ? `whoever registers may create rows of "${key}"${which} in the name of others, with any "${owner}"`
      : `whoever registers may ${deed(`rows of "${key}"`)}${which}, those of others too`;
  const tie = `${owner ?? "owner_id"} = {user_id}`;
  const hint = `tie the rows to the caller, with "${tie}" or EXISTS over rows that name him, or let in roles that are given`;
  report("rows-of-others", role.at, message, hint);
}

/** Fields that say whose a row is: rules of the model compare them with the caller, or they refer to accounts. */
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

function mayWrite({ definition }: LintedModel, role: string, field: string): boolean {
  const gate = definition.access.fields.find((entry) => entry.field === field)?.write ?? null;
  return gate === null || gate.some((wide) => coversRole(wide, role));
}
