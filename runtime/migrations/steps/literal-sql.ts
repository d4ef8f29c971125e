import { elementTypeOf, familyOf } from "../../../vocabulary/column-type-parts.ts";
import type { Json } from "../../../vocabulary/json.ts";
import type { ColumnType } from "../../../vocabulary/migration-steps.ts";
import { text } from "./quoting.ts";

/** A constant of a column's type. Throws on a value that no such column can hold. */
export function literalSql(value: Json, type: ColumnType): string {
  if (value === null) return "null";
  if (type === "jsonb") return `${text(JSON.stringify(value))}::jsonb`;
  if (Array.isArray(value) && elementTypeOf(type) !== null) return text(arrayText(value, type));
  if (typeof value === "string") return isExact(value, type) ? value : text(value);
  if (typeof value === "boolean") return value ? "true" : "false";
  if (typeof value === "number") return numberSql(value);
  throw unfit(value, type);
}

/** A number as SQL reads it. */
export function numberSql(value: number): string {
  if (!Number.isFinite(value)) throw new Error(`${value} is not a number of PostgreSQL`);
  return String(value);
}

/** Numbers that JSON has as text stand as numbers, so that a default reads as one that was written by hand. */
function isExact(value: string, type: ColumnType): boolean {
  return ["bigint", "numeric"].includes(familyOf(type)) && /^-?[0-9]+(\.[0-9]+)?$/.test(value);
}

/** A list as PostgreSQL reads it. Each element is in quotes, so that it is never `NULL` nor a list itself. */
function arrayText(list: readonly Json[], type: ColumnType): string {
  const elements = list.map((element) => {
    if (element === null || typeof element === "object") throw unfit(list, type);
    return `"${String(element).replaceAll(/["\\]/g, "\\$&")}"`;
  });
  return `{${elements.join(",")}}`;
}

function unfit(value: Json, type: ColumnType): Error {
  return new Error(`a default of a ${type} column cannot be ${JSON.stringify(value)}`);
}
