import { type Comparison, maxPatternLength, type Value } from "../../../vocabulary/conditions/conditions.ts";
import { parseComparedDatetime } from "../../../vocabulary/fields/dates.ts";
import {
  areComparable,
  type FieldKind,
  fieldKinds,
  isExactKind,
} from "../../../vocabulary/fields/field-kinds.ts";
import type { Json } from "../../../vocabulary/json.ts";
import { didYouMean, nearest } from "../../../vocabulary/nearest.ts";
import { checkType, checkValue } from "../../definition/values.ts";
import { callerHint } from "../hints/foreign-names.ts";
import type { Term } from "../language/condition-tree.ts";
import type { ConditionColumn } from "./condition-scope.ts";

/** A hint for a bare word that looks like an enum value, or null. */
export function enumValueHint(word: string, column: ConditionColumn): string | null {
  const found = nearest(word, (column.enum ?? []).map(String));
  return found === null || !isText(column) ? null : quoteHint(found);
}

/** A hint for a bare word next to a text column, or null. */
export function textValueHint(word: string, column: ConditionColumn): string | null {
  return enumValueHint(word, column) ?? (isText(column) ? quoteHint(word) : null);
}

function quoteHint(text: string): string {
  return `write the string in quotes: '${text}'`;
}

function isText({ kind }: ConditionColumn): boolean {
  return kind !== null && fieldKinds[kind].families.includes("text");
}

type Checked = { readonly operand: Value } | { readonly message: string; readonly hint: string | null };

/** The operators on a column, except null checks. */
export type ColumnOperator = Comparison | "in" | "not_in" | "between" | "contains" | "overlaps";

/** Why an operator does not fit a column, or null. JSON has only null checks. */
export function operatorProblem(
  op: ColumnOperator,
  field: string,
  { kind, compared: ofColumn }: ConditionColumn,
): string | null {
  if (kind === null) return null;
  const { called } = fieldKinds[kind];
  const compared = ofColumn ?? fieldKinds[kind].compared;
  if (compared === "never" || compared === "for null")
    return `"${field}" is ${kind === "password" ? "a password" : called}, which only IS NULL and IS NOT NULL can test`;
  const ofList = op === "contains" || op === "overlaps";
  if (ofList)
    return compared === "as list" ? null : `"${field}" is not a list, which ${op.toUpperCase()} needs`;
  if (compared === "as list")
    return `"${field}" is a list, which only CONTAINS, OVERLAPS, IS NULL and IS NOT NULL can test`;
  if (op === "eq" || op === "ne" || op === "in" || op === "not_in") return null;
  if (op === "like" || op === "ilike")
    return compared === "as text" ? null : `"${field}" is not text, which LIKE needs`;
  const what = ofColumn === undefined ? called : "a column whose type has only equality";
  return compared === "for equality" ? `"${field}" has no order: it is ${what}` : null;
}

/** A column with its name in messages: a field, possibly at the end of a path, or a column of the caller. */
export interface NamedColumn {
  readonly called: string;
  readonly column: ConditionColumn;
}

/** A term that is not a column. */
export type ValueTerm = Exclude<Term, { kind: "field" | "user" }>;

/** Why two columns cannot be compared, or null. */
export function familyProblem(left: NamedColumn, right: NamedColumn): string | null {
  const [one, other] = [left.column.kind, right.column.kind];
  if (one === null || other === null) return null;
  if (areComparable(one, other)) return null;
  return `"${left.called}" is ${familyName(one)} and "${right.called}" is ${familyName(other)}, which cannot be compared`;
}

function familyName(kind: FieldKind): string {
  const {
    families: [family],
    called,
  } = fieldKinds[kind];
  return family === undefined ? called : `a ${family}`;
}

/** The operand of a comparison, or why its type does not fit. */
export function operandProblem(term: ValueTerm, { called: field, column }: NamedColumn): Checked {
  const { kind } = column;
  if (kind === null) return { operand: 0 };
  if (term.kind === "placeholder") return placeholder(term, field, kind);
  if (term.value === null) {
    return { message: "a comparison with null is never true", hint: `write ${field} IS NULL` };
  }
  // Skips the format of e-mail addresses: an invalid address matches no row.
  const rules = {
    ...column,
    kind: kind === "email" ? "text" : kind,
    minLength: null,
    pattern: null,
    items: null,
  } as const;
  const { value, shown } = writtenValue(term.value, term.digits, kind);
  const checked = checkValue(rules, value);
  if ("problem" in checked) {
    const known = typeof term.value === "string" ? (column.enum ?? []).map(String) : [];
    return {
      message: `the value ${shown} for "${field}" ${checked.problem}`,
      hint: didYouMean(String(term.value), known) ?? otherwiseWritten(term.value, kind),
    };
  }
  return { operand: compared(kind, term.value, scalar(checked.value)) };
}

/** Keeps the written digits if the field stores all of them. */
function writtenValue(value: string | number | boolean, digits: string | undefined, kind: FieldKind) {
  return { value: isExactKind(kind) ? (digits ?? value) : value, shown: digits ?? JSON.stringify(value) };
}

/** A hint for a value of another type with a clear meaning. */
function otherwiseWritten(value: string | number | boolean, kind: FieldKind): string | null {
  const text = String(value);
  const {
    families: [family],
  } = fieldKinds[kind];
  if (typeof value !== "string") {
    if (family === "boolean") return value === 1 ? "write true" : value === 0 ? "write false" : null;
    return family === "text" ? `write '${text}'` : null;
  }
  const placeholder = /\{[^{}]+\}/.exec(text)?.[0] ?? callerHint(text);
  if (placeholder !== null) return inQuotes(placeholder);
  if (family === "boolean") return /^(true|false)$/i.test(text) ? `write ${text.toLowerCase()}` : null;
  return family === "number" && /^[+-]?\d+(\.\d+)?$/.test(text) ? `write ${text}` : null;
}

function inQuotes(hint: string): string {
  const isPlaceholder = hint.startsWith("{");
  const [, meant = isPlaceholder ? hint : undefined] = /^the caller's value is (.*)$/.exec(hint) ?? [];
  return meant === undefined
    ? `text in quotes is a string; ${hint}`
    : `text in quotes is a string: write ${meant}`;
}

/** The literal to compare with. A moment keeps all digits, also those that no column stores. */
function compared(kind: FieldKind, written: Json, literal: string | number | boolean) {
  if (kind !== "datetime" || typeof written !== "string") return literal;
  return parseComparedDatetime(written) ?? literal;
}

/** The operand of LIKE: a string, or a claim with a string. */
export function likeProblem(term: ValueTerm, { called: field }: NamedColumn): Checked {
  if (term.kind === "placeholder") return placeholder(term, field, "text");
  const checked = checkType({ kind: "text", decimal: null }, term.value);
  if (term.value === null || "problem" in checked) return { message: "LIKE needs a string", hint: null };
  const length = [...String(checked.value)].length;
  if (length > maxPatternLength)
    return { message: `the pattern has ${length} characters, more than ${maxPatternLength}`, hint: null };
  return { operand: scalar(checked.value) };
}

function scalar(value: unknown): string | number | boolean {
  return typeof value === "number" || typeof value === "boolean" ? value : String(value);
}

function placeholder(term: Extract<Term, { kind: "placeholder" }>, field: string, kind: FieldKind): Checked {
  const { placeholders, called } = fieldKinds[kind];
  const { name, offset } = term;
  if (!placeholders.includes(name)) {
    const shown = name === "now" ? "now()" : `{${name}}`;
    return { message: `${shown} cannot be compared with "${field}", which is ${called}`, hint: null };
  }
  if (name !== "now") return { operand: { placeholder: name } };
  return { operand: { placeholder: name, ...(offset === undefined ? {} : { offset }) } };
}
