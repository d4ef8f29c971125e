import type { Comparison, FieldKind, Operand } from "../definition/definition.ts";
import { checkType, checkValue, kindName } from "../definition/values.ts";
import { didYouMean } from "../diagnostics/index.ts";
import type { ConditionColumn } from "./scope.ts";
import type { Term } from "./tree.ts";

type Checked = { readonly operand: Operand } | { readonly message: string; readonly hint: string | null };

const texts: ReadonlySet<FieldKind> = new Set<FieldKind>(["string", "text", "email"]);
const moments: ReadonlySet<FieldKind> = new Set<FieldKind>(["date", "datetime"]);
const unordered: ReadonlySet<FieldKind> = new Set<FieldKind>(["boolean", "uuid"]);
const identities: ReadonlySet<FieldKind> = new Set<FieldKind>([
  "integer",
  "bigint",
  "uuid",
  "string",
  "text",
]);

/** Why an operator does not fit a column, or null. JSON takes null checks alone, booleans and UUIDs equality and lists. */
export function operatorProblem(
  op: Comparison | "in" | "not_in" | "between",
  field: string,
  { kind }: ConditionColumn,
): string | null {
  if (kind === null) return null;
  if (kind === "json") return `"${field}" is JSON, which only IS NULL and IS NOT NULL can test`;
  if (op === "eq" || op === "ne" || op === "in" || op === "not_in") return null;
  if (op === "like" || op === "ilike")
    return texts.has(kind) ? null : `"${field}" is not text, which LIKE needs`;
  return unordered.has(kind) ? `"${field}" has no order: it is ${kindName(kind)}` : null;
}

/** The operand of a term compared with a column, or why it does not fit. */
export function operandProblem(term: Term, field: string, column: ConditionColumn): Checked {
  const { kind } = column;
  if (term.kind === "field") return twoFields(term.name);
  if (kind === null) return { operand: { literal: 0 } };
  if (term.kind === "placeholder") return placeholder(term.name, field, kind);
  if (term.value === null) {
    return { message: "null is never greater, less or in a list", hint: `write ${field} IS NULL` };
  }
  // The format of an address does not matter here: one that cannot be stored just matches nothing.
  const rules = {
    ...column,
    kind: kind === "email" ? "text" : kind,
    minLength: null,
    pattern: null,
  } as const;
  const checked = checkValue(rules, term.value);
  const shown = JSON.stringify(term.value);
  if ("problem" in checked) {
    const known = typeof term.value === "string" ? (column.enum ?? []).map(String) : [];
    return {
      message: `the value ${shown} for "${field}" ${checked.problem}`,
      hint: didYouMean(String(term.value), known),
    };
  }
  return { operand: { literal: scalar(checked.value) } };
}

/** The operand of LIKE: a string or a claim that is one. */
export function patternProblem(term: Term, field: string): Checked {
  if (term.kind === "field") return twoFields(term.name);
  if (term.kind === "placeholder") return placeholder(term.name, field, "text");
  const checked = checkType("text", term.value);
  if (term.value === null || "problem" in checked) return { message: "LIKE needs a string", hint: null };
  return { operand: { literal: scalar(checked.value) } };
}

function scalar(value: unknown): string | number | boolean {
  return typeof value === "number" || typeof value === "boolean" ? value : String(value);
}

function twoFields(name: string): Checked {
  return {
    message: `"${name}" stands where a value is expected; two fields cannot be compared`,
    hint: `a string stands in quotes: '${name}'`,
  };
}

function placeholder(name: "user_id" | "role" | "email" | "now", field: string, kind: FieldKind): Checked {
  const fits =
    name === "now" ? moments.has(kind) : name === "user_id" ? identities.has(kind) : texts.has(kind);
  if (fits) return { operand: { placeholder: name } };
  const shown = name === "now" ? "now()" : `{${name}}`;
  return { message: `${shown} cannot be compared with "${field}", which is ${kindName(kind)}`, hint: null };
}
