import { type FieldKindRow, fieldKinds } from "../../vocabulary/field-kinds.ts";
import type { Column } from "../model/index.ts";

export const operators = [
  "eq",
  "ne",
  "gt",
  "gte",
  "lt",
  "lte",
  "like",
  "ilike",
  "in",
  "not_in",
  "between",
  "is_null",
  "is_not_null",
] as const;

/** The filter operators; over REST `eq` has no suffix (contract: "Filters"). */
export type Operator = (typeof operators)[number];

const nulls: readonly Operator[] = ["is_null", "is_not_null"];
const equality: readonly Operator[] = ["eq", "ne", "in", "not_in", ...nulls];
const comparable: readonly Operator[] = [...equality, "gt", "gte", "lt", "lte", "between"];
const textual: readonly Operator[] = [...comparable, "like", "ilike"];

const allowed: Readonly<Record<FieldKindRow["compared"], ReadonlySet<Operator>>> = {
  never: new Set(),
  "for null": new Set(nulls),
  "for equality": new Set(equality),
  "in order": new Set(comparable),
  "as text": new Set(textual),
};

/** The operators that fit a column: text takes LIKE, numbers and dates are compared, enums are not (decisions, part 5). */
export function operatorsOf(column: Column): ReadonlySet<Operator> {
  return allowed[column.enum === null ? fieldKinds[column.kind].compared : "for equality"];
}
