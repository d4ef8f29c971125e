import type { ModelDefinition, RuleDefinition } from "#generator/definition/definition";
import { coversRole } from "#vocabulary/accounts/role-names";
import type { Condition } from "#vocabulary/conditions/conditions";
import { isRuntimeColumn, runtimeColumns } from "#vocabulary/fields/runtime-columns";
import { type Operation, readOperations } from "#vocabulary/operations";

/** What the models files say about one model. Nothing here reads `generated/`. */

/** The two halves of an upsert have rules of their own. */
export type RuledOperation = Exclude<Operation, "upsert"> | "upsert of a new row" | "upsert of a row";

/** The operations whose rules can differ, in the contract's order. */
export const ruledOperations: readonly RuledOperation[] = [
  ...(["fetch", "search", "count", "exists", "create", "update"] as const),
  ...(["upsert of a new row", "upsert of a row"] as const),
  ...(["delete", "destroy", "restore"] as const),
];

export function operationOf(ruled: RuledOperation): Operation {
  return ruled.startsWith("upsert") ? "upsert" : (ruled as Operation);
}

export function isReading(ruled: RuledOperation): boolean {
  return readOperations.some((read) => read === ruled);
}

/** Operations with rules of their own: those with a fallback repeat the rules of others. */
export function declaredOperations({ access }: ModelDefinition): RuledOperation[] {
  const repeated: ReadonlySet<string> = new Set(access.fallbacks);
  return ruledOperations.filter((ruled) => ruled !== "upsert of a row" && !repeated.has(operationOf(ruled)));
}

export function rulesOf({ access }: ModelDefinition, ruled: RuledOperation): readonly RuleDefinition[] {
  if (ruled === "upsert of a new row") return access.upsert.insert;
  return ruled === "upsert of a row" ? access.upsert.update : access.operations[ruled];
}

/** The rules that count for a role, and for a write of these fields. */
export function rulesFor(
  model: ModelDefinition,
  ruled: RuledOperation,
  role: string,
  sent: readonly string[] | null = null,
): RuleDefinition[] {
  return rulesOf(model, ruled).filter(
    (rule) =>
      coversRole(rule.role, role) &&
      (sent === null || rule.fields === null || sent.every((field) => rule.fields?.includes(field))),
  );
}

/** The rows that rules open together: null for all rows. Rules are not empty. */
export function openCondition(rules: readonly RuleDefinition[]): Condition | null {
  const conditions = rules.flatMap(({ condition }) => (condition === null ? [] : [condition]));
  if (conditions.length < rules.length) return null;
  const [only] = conditions;
  return conditions.length === 1 && only !== undefined ? only : { op: "or", conditions };
}

/** The columns of a model, runtime columns included. */
export function columnNamesOf({ fields, columns }: ModelDefinition): string[] {
  const [id = [], ...times] = runtimeColumns.map((name) => (columns[name] === null ? [] : [name]));
  return [...id, ...fields.map(({ name }) => name), ...times.flat()];
}

/** Whether a role can read a field of the rows that its rules open. */
export function readsField(model: ModelDefinition, field: string, role: string): boolean {
  const isHidden = field === "id" && model.columns.id === null;
  if (isHidden || model.fields.some(({ name, kind }) => name === field && kind === "password")) return false;
  const gate = model.access.fields.find((entry) => entry.field === field);
  if (gate === undefined) return !model.builtIn;
  return gate.read === null ? !model.builtIn : gate.read.some((named) => coversRole(named, role));
}

/** Whether a role can send a field. */
export function writesField(model: ModelDefinition, field: string, role: string): boolean {
  if (isRuntimeColumn(field)) return false;
  const gate = model.access.fields.find((entry) => entry.field === field);
  if (gate === undefined || gate.write === null) return true;
  return gate.write.some((named) => coversRole(named, role));
}

export function readableFields(model: ModelDefinition, role: string): string[] {
  return columnNamesOf(model).filter((field) => readsField(model, field, role));
}

export function closedColumns(model: ModelDefinition, role: string): string[] {
  return columnNamesOf(model).filter((field) => !readsField(model, field, role));
}

/** Whether a condition uses the caller, so that two users of one role can have different rows. */
export function usesCaller(condition: Condition | null): boolean {
  return /"(placeholder":"(user_id|email)|user":)"/.test(JSON.stringify(condition) ?? "");
}
