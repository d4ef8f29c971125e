import type { FieldKindRow } from "./field-kind-row.ts";
import {
  type ElementKind,
  elementKinds,
  forListKinds,
  type ListKind,
  type ListValues,
  listKinds,
} from "./list-kinds.ts";
import { type ScalarKind, type ScalarValues, scalarKinds } from "./scalar-kinds.ts";

export type { FieldKindRow, ValueFormat } from "./field-kind-row.ts";
export { type ElementKind, elementKindOf, type ListKind } from "./list-kinds.ts";
export { foreignKeyOptions, type ScalarKind } from "./scalar-kinds.ts";

/** The TypeScript types of all kinds of field in requests and responses. */
export type FieldValues = ScalarValues & ListValues;

export type FieldKind = keyof FieldValues;

/** One row for each kind of field. */
export const fieldKinds: Readonly<Record<FieldKind, FieldKindRow>> = { ...scalarKinds, ...listKinds };

type GraphqlTypes = (typeof scalarKinds)[ScalarKind]["graphql"];

type GraphqlLists = `${(typeof scalarKinds)[ElementKind]["graphql"]["value"]}ListFilter`;

/** The GraphQL types for values of fields and for filters on them. */
export type GraphqlType = NonNullable<GraphqlTypes["value" | "filter"]> | GraphqlLists;

/** Whether values of a kind can be compared, so that rows can be ordered and grouped by them. */
export function isComparableKind(kind: FieldKind): boolean {
  const { compared } = fieldKinds[kind];
  return compared === "for equality" || compared === "in order" || compared === "as text";
}

/** Whether values of a kind have an order, and so a minimum and a maximum. */
export function isOrderedKind(kind: FieldKind): boolean {
  const { compared } = fieldKinds[kind];
  return compared === "in order" || compared === "as text";
}

/** Whether row conditions can compare a field of one kind with a field of the other. */
export function areComparable(one: FieldKind, other: FieldKind): boolean {
  return fieldKinds[one].families.some((family) => fieldKinds[other].families.includes(family));
}

/** Whether numbers of a kind are strings in JSON, so that no digits are lost. */
export function isExactKind(kind: FieldKind): kind is "decimal" | "int64" {
  return kind === "decimal" || kind === "int64";
}

/** The kinds with this value of `compared`, as a type. */
export type KindsCompared<How extends FieldKindRow["compared"]> =
  | { [Kind in ScalarKind]: (typeof scalarKinds)[Kind]["compared"] extends How ? Kind : never }[ScalarKind]
  | ("as list" extends How ? ListKind : never);

/** A table of all kinds: scalar kinds from `scalars`, and lists by `ofElements`. */
export function withLists<T>(
  scalars: Readonly<Record<ScalarKind, T>>,
  ofElements: (row: T, element: ElementKind) => T,
): Readonly<Record<FieldKind, T>> {
  return { ...scalars, ...forListKinds((element) => ofElements(scalars[element], element)) };
}

/** Types of the models file that differ from the name of their kind. */
const kindsByType: Readonly<Record<string, ScalarKind | null>> = {
  timestamp: "datetime",
  bigint: "int64",
  int64: null,
};

/** The kind of a type of the models file. Null for relationship types and unknown types. */
export function kindOfType(type: string): FieldKind | null {
  const isList = type.endsWith("[]");
  const name = isList ? type.slice(0, -"[]".length) : type;
  const kind = Object.hasOwn(kindsByType, name) ? kindsByType[name] : name;
  if (!isList) return scalarNames.find((one) => one === kind) ?? null;
  const element = elementKinds.find((one) => one === kind);
  return element === undefined ? null : `${element}[]`;
}

const scalarNames = Object.keys(scalarKinds).filter((name): name is ScalarKind =>
  Object.hasOwn(scalarKinds, name),
);

/** The type of a kind in the models file. Ids and references to them are `integer`. */
export function typeOfKind(kind: FieldKind): string {
  if (kind === "bigint") return "integer";
  return kind.replace(/^int64/, "bigint");
}
