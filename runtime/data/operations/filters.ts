import { compareNumbers, type DecimalSize, decimalText } from "../../../vocabulary/fields/exact-numbers.ts";
import { type FieldKind, isExactKind } from "../../../vocabulary/fields/field-kinds.ts";
import { type Operator, operators, operatorsOf } from "../../../vocabulary/fields/filter-operators.ts";
import { elementKindOf } from "../../../vocabulary/fields/list-kinds.ts";
import type { Problem } from "../../core/errors/index.ts";
import { parseExactly } from "../../core/text/index.ts";
import { type Column, columnsOf, type Model, responseValue } from "../../models/index.ts";
import { type BindValue, elementType, type Filter, soughtText, typeOf } from "../sql/index.ts";

/**
 * The hint for `or=`, `$or`, `or[0][title]=` and other ways to combine filters elsewhere; null for other
 * names. `form` writes an operator.
 */
export function combinedFilters(
  key: string,
  form = (operator: string) => `field__${operator}`,
): string | null {
  switch (/^[$_]*(or|and|not)(?![a-z0-9_])/i.exec(key)?.[1]?.toLowerCase()) {
    case "or":
      return `is not a field, and filters have no OR: ${form("in")} matches one of several values; for other cases, send several requests`;
    case "and":
      return "is not a field; a record must match all filters of a request: list the filters without it";
    case "not":
      return `is not a field; write ${form("ne")}, ${form("not_in")} or ${form("is_not_null")}`;
    default:
      return null;
  }
}

type Scalar = string | number | boolean;

/** The value of a filter or of a list element. Adds errors to `problems`. */
function readScalar(key: string, column: Column, value: unknown, problems: Problem[]): Scalar {
  const element = elementType(column);
  const { parse, expected } = typeOf(element);
  const parsed = parse(value);
  if (parsed === undefined) {
    problems.push({ field: key, message: `must be ${expected}` });
    return "";
  }
  const { decimal, enum: allowed } = column;
  if (decimal !== null && isBeyond(decimal, String(parsed)))
    problems.push({
      field: key,
      message: `must have at most ${decimal.precision - decimal.scale} digits before the point`,
    });
  if (allowed !== null && !allowed.some((one) => isSame(element.kind, one, parsed)))
    problems.push({ field: key, message: `must be one of ${allowed.join(", ")}` });
  return parsed;
}

/**
 * Whether a number is outside the range of a column. More decimals than the column has are allowed: the
 * number is between two of its values.
 */
function isBeyond({ precision, scale }: DecimalSize, number: string): boolean {
  const [whole = ""] = number.split(".");
  return decimalText(whole, { precision: precision - scale, scale: 0 }) === null;
}

function isSame(kind: FieldKind, allowed: Scalar, value: Scalar): boolean {
  if (isExactKind(kind)) return compareNumbers(String(allowed), String(value)) === 0;
  return String(allowed) === String(value);
}

/** Reads a JSON array or comma-separated text. */
function readList(key: string, column: Column, value: unknown, problems: Problem[]): Scalar[] {
  const items = listItems(value);
  if (items === null) {
    problems.push({ field: key, message: "must be a JSON array or a comma-separated list" });
    return [];
  }
  // `Array.from` also visits holes, which are not values.
  return Array.from(items, (item) => readScalar(key, column, item, problems));
}

/** A list for equality. In a query string, a text could also mean an element. */
function readWholeList(key: string, column: Column, value: unknown, problems: Problem[]): Scalar[] {
  if (Array.isArray(value)) return readList(key, column, value, problems);
  const message = "must be a JSON array in a body; contains and overlaps take elements in a query string too";
  problems.push({ field: key, message });
  return [];
}

/** The elements of a JSON array, of its text, or of comma-separated text; null for anything else. */
export function listItems(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (typeof value !== "string" || value === "") return null;
  if (!value.trimStart().startsWith("[")) return commaSeparated(value);
  // No column can hold a NUL, and `parseExactly` would read a string that begins with one as a number.
  if (value.includes("\\u0000")) return null;
  try {
    const parsed: unknown = parseExactly(value);
    return Array.isArray(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function commaSeparated(text: string): readonly string[] | null {
  const items = text.split(",").map((item) => item.trim());
  return items.includes("") ? null : items;
}

/** A LIKE pattern: `%` and `_` are wildcards, a backslash is literal. Without `%`, it means "contains". */
function readPattern(key: string, value: unknown, problems: Problem[]): string {
  const text = soughtText(value, key, problems);
  if (text === null) return "";
  const pattern = text.replaceAll("\\", "\\\\");
  return pattern.includes("%") ? pattern : `%${pattern}%`;
}

const suffixes: ReadonlyMap<string, Operator> = new Map(
  operators.filter((name) => name !== "eq").map((o) => [o, o]),
);

/** A filter of a request. `label` is for messages. */
export interface SentFilter {
  readonly field: string;
  /** Undefined if the operator is unknown. */
  readonly operator: Operator | undefined;
  /** The operator as sent. */
  readonly operatorName: string;
  readonly value: unknown;
  readonly label: string;
}

/**
 * Reads filters from pairs of `field` or `field__operator` and value: a query string, or a JSON `where`.
 * Ignores filters on `deleted_at`, and the value of a null check.
 */
export function readFilters(
  model: Model,
  pairs: Iterable<readonly [key: string, value: unknown]>,
  problems: Problem[],
): Filter[] {
  const filters: Filter[] = [];
  for (const [key, value] of pairs) {
    const sent = sentFilter(key, value);
    if (isDropped(sent.field)) continue;
    const isNullCheck = sent.operator === "is_null" || sent.operator === "is_not_null";
    const filter = readFilter(model, isNullCheck ? { ...sent, value: true } : sent, problems);
    if (filter !== null) filters.push(filter);
  }
  return filters;
}

/** Whether filters on a field are ignored. */
export function isDropped(field: string): boolean {
  return field === "deleted_at";
}

export function sentFilter(key: string, value: unknown): SentFilter {
  // Names cannot contain `__`, but they can end in an underscore.
  const split = key.lastIndexOf("__");
  if (split === -1) return { field: key, operator: "eq", operatorName: "eq", value, label: key };
  const operatorName = key.slice(split + 2);
  return {
    field: key.slice(0, split),
    operator: suffixes.get(operatorName),
    operatorName,
    value,
    label: key,
  };
}

/**
 * Reads one filter. Adds errors to `problems`. An invalid filter is kept and matches nothing, so that a
 * forbidden field is reported even if its value is malformed.
 */
export function readFilter(model: Model, sent: SentFilter, problems: Problem[]): Filter | null {
  const { field, operator, operatorName, value, label } = sent;
  const column = columnsOf(model).get(field);
  if (column === undefined) {
    problems.push({ field: label, message: combinedFilters(label) ?? "is not a field" });
    return null;
  }
  if (operator === undefined) problems.push({ field: label, message: `has no operator ${operatorName}` });
  else if (operatorsOf(column).has(operator)) return readValue(label, column, operator, value, problems);
  else problems.push({ field: label, message: `does not take the operator ${operatorName}` });
  return { field, label, column, operator: "in", value: [] };
}

function readValue(
  key: string,
  column: Column,
  operator: Operator,
  value: unknown,
  problems: Problem[],
): Filter {
  const filter = (op: Operator, bound: BindValue): Filter => ({
    field: column.name,
    label: key,
    column,
    operator: op,
    value: bound,
  });
  switch (operator) {
    case "is_null":
    case "is_not_null":
      if (value !== true) problems.push({ field: key, message: "only accepts true" });
      return filter(operator, null);
    case "in":
    case "not_in":
    case "contains":
    case "overlaps":
      return filter(operator, readList(key, column, value, problems));
    case "between": {
      const range = readList(key, column, value, problems);
      if (range.length !== 2) problems.push({ field: key, message: "takes exactly two values" });
      return filter(operator, range);
    }
    case "like":
    case "ilike":
      return filter(operator, readPattern(key, value, problems));
    default:
      if (value === null && operator === "eq") return filter("is_null", null);
      if (elementKindOf(column.kind) !== null)
        return filter(operator, readWholeList(key, column, value, problems));
      return filter(operator, readScalar(key, column, value, problems));
  }
}

/** Filters in the form that hooks receive and return: `field` or `field__operator` to value. */
export function writeWhere(filters: readonly Filter[]): Record<string, unknown> {
  return Object.fromEntries(
    filters.map(({ column, operator, value }) => whereEntry(column, operator, value)),
  );
}

function whereEntry(column: Column, operator: Operator, value: BindValue): [string, unknown] {
  const { name: field } = column;
  switch (operator) {
    case "eq":
      return [field, typedValue(column, value)];
    case "is_null":
    case "is_not_null":
      return [`${field}__${operator}`, true];
    case "like":
    case "ilike":
      return [`${field}__${operator}`, sentPattern(String(value))];
    default:
      return [`${field}__${operator}`, typedValue(column, value)];
  }
}

/** A pattern as sent, because it is parsed again if a hook returns it unchanged. */
function sentPattern(pattern: string): string {
  const sent = pattern.replaceAll("\\\\", "\\");
  const inner = /^%([^%]+)%$/s.exec(sent)?.[1];
  return inner ?? sent;
}

/** A bound value as hooks see it. Integers are bound as text. Exact numbers are as in responses. */
function typedValue({ kind: columnKind, decimal }: Column, value: BindValue): unknown {
  const kind = elementKindOf(columnKind) ?? columnKind;
  const isWhole = kind === "integer" || kind === "bigint";
  const typed = (item: unknown) =>
    isWhole && Number.isSafeInteger(Number(item)) ? Number(item) : responseValue({ kind, decimal }, item);
  // A copy: filters outlive the request, and a hook can change the list in place.
  return Array.isArray(value) ? value.map(typed) : typed(value);
}
