import { comparedByDbType } from "./db-types.ts";
import { type FieldKind, type FieldKindRow, fieldKinds, isComparableKind } from "./field-kinds.ts";

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
  "contains",
  "overlaps",
  "is_null",
  "is_not_null",
] as const;

/** The filter operators. In REST, `eq` has no suffix. */
export type Operator = (typeof operators)[number];

const nulls: readonly Operator[] = ["is_null", "is_not_null"];
const listed: readonly Operator[] = ["eq", "contains", "overlaps", ...nulls];
const equality: readonly Operator[] = ["eq", "ne", "in", "not_in", ...nulls];
const comparable: readonly Operator[] = [...equality, "gt", "gte", "lt", "lte", "between"];
const textual: readonly Operator[] = [...comparable, "like", "ilike"];

/** The operators that fit a kind of field, by its `compared`. */
export const operatorsFor: Readonly<Record<FieldKindRow["compared"], ReadonlySet<Operator>>> = {
  never: new Set(),
  "for null": new Set(nulls),
  "as list": new Set(listed),
  "for equality": new Set(equality),
  "in order": new Set(comparable),
  "as text": new Set(textual),
};

/** A field, with the type of its column if this is not the one of its kind. */
export interface ComparedField {
  readonly kind: FieldKind;
  readonly dbType?: string | null;
}

/** The operators of a field: LIKE for text, comparisons for numbers and dates, but not for enums. */
export function operatorsOf(field: ComparedField & { readonly enum: unknown }): ReadonlySet<Operator> {
  const { compared } = fieldKinds[field.kind];
  if (compared === "as list") return operatorsFor[compared];
  return operatorsFor[field.enum === null ? (comparedByDbType(field) ?? compared) : "for equality"];
}

/** Whether rows can be ordered and grouped by a field. */
export function isOrderable(field: ComparedField): boolean {
  return isComparableKind(field.kind) && comparedByDbType(field) === null;
}

/** The operators of GraphQL by name, in their order in the schema. In addition, `is_null` takes a boolean. */
export const graphqlOperators: ReadonlyMap<string, Operator> = new Map([
  ["eq", "eq"],
  ["neq", "ne"],
  ["gt", "gt"],
  ["gte", "gte"],
  ["lt", "lt"],
  ["lte", "lte"],
  ["like", "like"],
  ["ilike", "ilike"],
  ["in", "in"],
  ["nin", "not_in"],
  ["contains", "contains"],
  ["overlaps", "overlaps"],
]);
