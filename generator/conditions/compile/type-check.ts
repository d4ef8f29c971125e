import { type Comparison, longestPattern, type Value } from "../../../vocabulary/conditions/conditions.ts";
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

/** The value of an enum that a bare word was meant to be, or null. */
export function enumValueHint(word: string, column: ConditionColumn): string | null {
  const found = nearest(word, (column.enum ?? []).map(String));
  return found === null || !isText(column) ? null : quoteHint(found);
}

/** What to write for a bare word next to a column of text, or null. */
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

/** What a condition may do with a column, but for asking whether it is NULL. */
export type ColumnOperator = Comparison | "in" | "not_in" | "between" | "contains" | "overlaps";

/** Why an operator does not fit a column, or null. JSON takes only null checks, booleans and UUIDs equality and lists. */
export function operatorProblem(op: ColumnOperator, field: string, { kind }: ConditionColumn): string | null {
  if (kind === null) return null;
  const { compared, called } = fieldKinds[kind];
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
  return compared === "for equality" ? `"${field}" has no order: it is ${called}` : null;
}

/** A column and what it is called: a field, perhaps at the end of a path, or one of the caller's. */
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

/** The operand of a value compared with a column, or why it does not fit. */
export function operandProblem(term: ValueTerm, { called: field, column }: NamedColumn): Checked {
  const { kind } = column;
  if (kind === null) return { operand: 0 };
  if (term.kind === "placeholder") return placeholder(term, field, kind);
  if (term.value === null) {
    return { message: "null is never greater, less or in a list", hint: `write ${field} IS NULL` };
  }
  // The format of an address does not matter here: one that cannot be stored just matches nothing.
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

/** A number represents the digits that are written where its field has all of them. */
function writtenValue(value: string | number | boolean, digits: string | undefined, kind: FieldKind) {
  return { value: isExactKind(kind) ? (digits ?? value) : value, shown: digits ?? JSON.stringify(value) };
}

/** A value of another type that says what is meant. */
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
  const [, meant = isPlaceholder ? hint : undefined] = /^the caller's is (.*)$/.exec(hint) ?? [];
  return meant === undefined
    ? `text in quotes is a string; ${hint}`
    : `text in quotes is a string: write ${meant}`;
}

/** The literal as it is compared: a moment keeps the digits that no column does. */
function compared(kind: FieldKind, written: Json, literal: string | number | boolean) {
  if (kind !== "datetime" || typeof written !== "string") return literal;
  return parseComparedDatetime(written) ?? literal;
}

/** The operand of LIKE: a string or a claim that is one. */
export function likeProblem(term: ValueTerm, { called: field }: NamedColumn): Checked {
  if (term.kind === "placeholder") return placeholder(term, field, "text");
  const checked = checkType({ kind: "text", decimal: null }, term.value);
  if (term.value === null || "problem" in checked) return { message: "LIKE needs a string", hint: null };
  const length = [...String(checked.value)].length;
  if (length > longestPattern)
    return { message: `the pattern has ${length} characters, more than ${longestPattern}`, hint: null };
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
