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

const byKind: Readonly<Record<Column["kind"], ReadonlySet<Operator>>> = {
  string: new Set(textual),
  text: new Set(textual),
  email: new Set(textual),
  integer: new Set(comparable),
  bigint: new Set(comparable),
  float: new Set(comparable),
  date: new Set(comparable),
  datetime: new Set(comparable),
  boolean: new Set(equality),
  uuid: new Set(equality),
  json: new Set(nulls),
  password: new Set(),
};

const forEnums = new Set(equality);

/** The operators that fit a column: text takes LIKE, numbers and dates are compared, enums are not (decisions, part 5). */
export function operatorsOf(column: Column): ReadonlySet<Operator> {
  return column.enum === null ? byKind[column.kind] : forEnums;
}
