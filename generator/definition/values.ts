import { RE2JS } from "re2js";
import validator from "validator";
import { parseDate, parseDatetime, parseTime } from "../../vocabulary/fields/dates.ts";
import {
  compareNumbers,
  type DecimalSize,
  decimalText,
  int64Text,
  numberText,
} from "../../vocabulary/fields/exact-numbers.ts";
import {
  elementKindOf,
  type FieldKind,
  fieldKinds,
  isExactKind,
  withLists,
} from "../../vocabulary/fields/field-kinds.ts";
import type { ListBounds } from "../../vocabulary/fields/field-schema.ts";
import { isUuid } from "../../vocabulary/fields/uuid.ts";
import type { Json } from "../../vocabulary/json.ts";
import type { FieldDefinition } from "./definition.ts";

/** The constraints of a literal. */
export type ValueRules = Pick<
  FieldDefinition,
  "kind" | "enum" | "minimum" | "maximum" | "minLength" | "maxLength" | "pattern" | "decimal" | "items"
>;

/** A literal in canonical form, as the database gets it, or why it does not fit. */
export type Checked = { readonly value: Exclude<Json, null> } | { readonly problem: string };

/**
 * Checks a JSON literal only against the type of a field. Returns the canonical form: moments in UTC with milliseconds, UUIDs in
 * lower case, exact numbers as text.
 */
export function checkType({ kind, decimal }: Pick<ValueRules, "kind" | "decimal">, value: Json): Checked {
  const canonical = literals[kind](value, decimal);
  if (canonical !== null) return { value: canonical };
  const tooLong = decimal !== null && literals[kind](value, null) !== null;
  return { problem: tooLong ? hasMoreDigits(decimal) : `is not ${fieldKinds[kind].called}` };
}

function hasMoreDigits({ precision, scale }: DecimalSize): string {
  return `does not fit the field, which has ${precision} digits, ${scale} of them after the point`;
}

/** Checks a literal against type, enum, bounds, lengths and pattern of a field, and each element of a list. */
export function checkValue(rules: ValueRules, value: Json): Checked {
  const checked = checkType(rules, value);
  if ("problem" in checked) return checked;
  const problem = outOfRules(rules, checked.value);
  return problem === null ? checked : { problem };
}

function outOfRules(rules: ValueRules, value: Json): string | null {
  if (Array.isArray(value) && rules.items !== null) return outOfList(rules, rules.items, value);
  const problem = outOfBounds(rules, value);
  if (problem !== null || rules.enum === null) return problem;
  if (rules.enum.some((allowed) => allowed === value)) return null;
  return `is not one of ${rules.enum.map((allowed) => JSON.stringify(allowed)).join(", ")}`;
}

function outOfList(
  rules: ValueRules,
  { least, most, unique }: ListBounds,
  list: readonly Json[],
): string | null {
  if (least !== null && list.length < least)
    return `has fewer than ${least} ${least === 1 ? "element" : "elements"}`;
  if (list.length > most) return `has more than ${most} ${most === 1 ? "element" : "elements"}`;
  if (unique && new Set(list).size < list.length) return "has the same element twice";
  const ofElements = elementRules(rules);
  const problems = list.map((element) => outOfRules(ofElements, element));
  const index = problems.findIndex((problem) => problem !== null);
  return index < 0 ? null : `has the element ${JSON.stringify(list[index])}, which ${problems[index]}`;
}

/** The constraints of the elements of a list; for other kinds the same constraints. */
export function elementRules(rules: ValueRules): ValueRules {
  return { ...rules, kind: elementKindOf(rules.kind) ?? rules.kind, items: null };
}

function outOfBounds(rules: ValueRules, value: Json): string | null {
  if (typeof value === "number" || isExactKind(rules.kind)) return outOfRange(rules, value);
  if (typeof value === "string" && rules.kind !== "json") {
    const length = [...value].length;
    if (rules.minLength !== null && length < rules.minLength)
      return `is shorter than ${rules.minLength} characters`;
    if (rules.maxLength !== null && length > rules.maxLength)
      return `is longer than ${rules.maxLength} characters`;
    if (rules.pattern !== null && !matches(rules.pattern, value)) return `does not match ${rules.pattern}`;
  }
  return null;
}

function outOfRange({ minimum, maximum }: ValueRules, value: Json): string | null {
  if (minimum !== null && isLess(value, minimum)) return `is less than ${minimum}`;
  return maximum !== null && isLess(maximum, value) ? `is greater than ${maximum}` : null;
}

/** Whether one number is less than another. Exact numbers are texts. */
export function isLess(one: Json, other: Json): boolean {
  if (typeof one === "number" && typeof other === "number") return one < other;
  return typeof one === "string" && typeof other === "string" && compareNumbers(one, other) < 0;
}

function matches(pattern: string, value: string): boolean {
  // Another check reports an invalid pattern.
  const compiled = compiledPattern(pattern);
  return typeof compiled === "string" || compiled.matcher(value).find();
}

/** Why a pattern is not a regular expression of RE2, or null. */
export function patternProblem(pattern: string): string | null {
  const compiled = compiledPattern(pattern);
  return typeof compiled === "string" ? compiled : null;
}

// Several fields can share a pattern, and checks test the same field several times.
const compiledPatterns = new Map<string, RE2JS | string>();

/** The compiled pattern, or why it is invalid. */
function compiledPattern(pattern: string): RE2JS | string {
  const compiled = compiledPatterns.get(pattern) ?? compile(pattern);
  compiledPatterns.set(pattern, compiled);
  return compiled;
}

function compile(pattern: string): RE2JS | string {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^error parsing regexp: /, "") : "syntax error";
  }
}

/** Returns a JSON literal in canonical form, or null if it has another type. Any number fits a decimal without a size. */
type Literal = (value: Json, decimal: DecimalSize | null) => Exclude<Json, null> | null;

const text = textAs((value) => value);

/** The literals that fit each kind of field, in defaults, enums and conditions. */
const literals: Readonly<Record<FieldKind, Literal>> = withLists<Literal>(
  {
    string: text,
    text,
    password: text,
    email: textAs((value) => (validator.isEmail(value) ? value : null)),
    integer: numberThat((n) => Number.isInteger(n) && Math.abs(n + 0.5) < 2 ** 31),
    bigint: numberThat(Number.isSafeInteger),
    int64: exactly(int64Text),
    decimal: (value, size) =>
      exactly((one) => (size === null ? numberText(one) : decimalText(one, size)))(value, size),
    float: numberThat(Number.isFinite),
    boolean: (value) => (typeof value === "boolean" ? value : null),
    datetime: textAs(parseDatetime),
    date: textAs(parseDate),
    time: textAs(parseTime),
    // PostgreSQL must be able to store all strings and keys of a `jsonb` value as text.
    json: (value) => (storable(value) ? value : null),
    uuid: textAs((value) => (isUuid(value) ? value.toLowerCase() : null)),
  },
  listOf,
);

function listOf(element: Literal): Literal {
  return (value, decimal) => {
    if (!Array.isArray(value)) return null;
    const elements = value.flatMap((one) => element(one, decimal) ?? []);
    return elements.length === value.length ? elements : null;
  };
}

function exactly(canonical: (value: string | number) => string | null): Literal {
  return (value) => (typeof value === "string" || typeof value === "number" ? canonical(value) : null);
}

function numberThat(fits: (value: number) => boolean): Literal {
  return (value) => (typeof value === "number" && fits(value) ? value : null);
}

function textAs(canonical: (value: string) => string | null): Literal {
  return (value) => (typeof value === "string" && storable(value) ? canonical(value) : null);
}

/** Whether PostgreSQL can store the text: no NUL, no half of a surrogate pair. */
function storable(value: Json): boolean {
  if (typeof value === "string") return !value.includes("\0") && value.isWellFormed();
  if (value === null || typeof value !== "object") return true;
  return Object.entries(value).every(([key, part]) => storable(key) && storable(part));
}
