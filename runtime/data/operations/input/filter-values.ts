import {
  compareNumbers,
  type DecimalSize,
  decimalText,
} from "../../../../vocabulary/fields/exact-numbers.ts";
import { elementKindOf, type FieldKind, isExactKind } from "../../../../vocabulary/fields/field-kinds.ts";
import type { Problem } from "../../../core/errors/index.ts";
import { parseExactly } from "../../../core/json/index.ts";
import type { Column } from "../../../models/index.ts";
import { kinds, soughtText } from "../../sql/index.ts";

type Scalar = string | number | boolean;

/** A value of a filter, of a list one of its elements. What is wrong goes to `problems`. */
export function readScalar(key: string, column: Column, value: unknown, problems: Problem[]): Scalar {
  const kind = elementKindOf(column.kind) ?? column.kind;
  const parsed = kinds[kind].parse(value);
  if (parsed === undefined) {
    problems.push({ field: key, message: `must be ${kinds[kind].expected}` });
    return "";
  }
  const { decimal, enum: allowed } = column;
  if (decimal !== null && isBeyond(decimal, String(parsed)))
    problems.push({
      field: key,
      message: `must have at most ${decimal.precision - decimal.scale} digits before the point`,
    });
  if (allowed !== null && !allowed.some((one) => isSame(kind, one, parsed)))
    problems.push({ field: key, message: `must be one of ${allowed.join(", ")}` });
  return parsed;
}

/** Whether a number is out of a column's range. More decimals than the column has are only between two of its values. */
function isBeyond({ precision, scale }: DecimalSize, number: string): boolean {
  const [whole = ""] = number.split(".");
  return decimalText(whole, { precision: precision - scale, scale: 0 }) === null;
}

function isSame(kind: FieldKind, allowed: Scalar, value: Scalar): boolean {
  if (isExactKind(kind)) return compareNumbers(String(allowed), String(value)) === 0;
  return String(allowed) === String(value);
}

/** Values of a filter from a list, as a JSON array or a comma-separated text. */
export function readList(key: string, column: Column, value: unknown, problems: Problem[]): Scalar[] {
  const items = listItems(value);
  if (items === null) {
    problems.push({ field: key, message: "must be a JSON array or a comma-separated list" });
    return [];
  }
  // From: a gap in a list of a hook is no value either.
  return Array.from(items, (item) => readScalar(key, column, item, problems));
}

/** A list to be the same as. A query string has none: what stands there may be meant as an element. */
export function readWholeList(key: string, column: Column, value: unknown, problems: Problem[]): Scalar[] {
  if (Array.isArray(value)) return readList(key, column, value, problems);
  const message = "must be a JSON array in a body; contains and overlaps take elements in a query string too";
  problems.push({ field: key, message });
  return [];
}

/** The elements of a JSON array, of its text, or of a comma-separated text; null for anything else. */
export function listItems(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (typeof value !== "string" || value === "") return null;
  if (!value.trimStart().startsWith("[")) return commaSeparated(value);
  // No column holds a NUL, and `parseExactly` takes a text that begins with one for a number.
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

/** A LIKE pattern: `%` and `_` are wildcards, a backslash is itself, and no `%` at all means "contains". */
export function readPattern(key: string, value: unknown, problems: Problem[]): string {
  const text = soughtText(value, key, problems);
  if (text === null) return "";
  const pattern = text.replaceAll("\\", "\\\\");
  return pattern.includes("%") ? pattern : `%${pattern}%`;
}
