import type { FieldKind } from "./field-kinds.ts";

/** The type of a field of each kind in the GraphQL schema, and that of its filter. Passwords are only sent. */
export const graphqlTypes = {
  string: { value: "String", filter: "StringFilter" },
  text: { value: "String", filter: "StringFilter" },
  email: { value: "String", filter: "StringFilter" },
  password: { value: "String", filter: null },
  integer: { value: "Int", filter: "IntFilter" },
  bigint: { value: "BigInt", filter: "BigIntFilter" },
  float: { value: "Float", filter: "FloatFilter" },
  boolean: { value: "Boolean", filter: "BooleanFilter" },
  datetime: { value: "DateTime", filter: "DateTimeFilter" },
  date: { value: "Date", filter: "DateFilter" },
  uuid: { value: "UUID", filter: "UUIDFilter" },
  json: { value: "JSON", filter: "JSONFilter" },
} as const satisfies Readonly<Record<FieldKind, { readonly value: string; readonly filter: string | null }>>;

/** The filter of fields with an enum, whatever their kind. */
export const enumFilter = "EnumFilter";

/** Types that the schema has whatever the models are. */
export const schemaTypes: ReadonlySet<string> = new Set([
  ...["Query", "Mutation", "Subscription", "Int", "Float", "String", "Boolean", "ID", enumFilter],
  ...Object.values(graphqlTypes).flatMap(({ value, filter }) =>
    filter === null ? [value] : [value, filter],
  ),
]);

/** Functions of aggregates that take a field. */
export const aggregateFunctions = ["sum", "avg", "min", "max"] as const;

/** The answer of a model's aggregates, which is its `__typename`. */
export function aggregateType(key: string): string {
  return `${key}_aggregate`;
}

/** What one function of a model's aggregates is asked for. */
export function aggregatePartType(key: string, name: (typeof aggregateFunctions)[number]): string {
  return `${aggregateType(key)}_${name}`;
}

/** The values of a field with an enum. */
export function fieldEnumType(typeName: string, field: string): string {
  return `${typeName}_${field}`;
}

const suffixes = ["Create", "Update", "Upsert", "Restore", "Where", "GroupBy", "AggregateOrderBy"];

/** What names the types of a model. */
export interface TypeSource {
  readonly key: string;
  readonly typeName: string;
  /** Fields with an enum. */
  readonly enums: readonly string[];
  /** Only joins reach it, so that it has neither aggregates nor inputs. */
  readonly internal: boolean;
}

/** All types that a model may give the schema beside the one of its key. */
export function derivedTypes({ key, typeName, enums, internal }: TypeSource): string[] {
  const joined = [`${typeName}OrderBy`, ...enums.map((field) => fieldEnumType(typeName, field))];
  if (internal) return joined;
  return [
    aggregateType(key),
    ...aggregateFunctions.map((name) => aggregatePartType(key, name)),
    ...suffixes.map((suffix) => `${typeName}${suffix}`),
    ...joined,
  ];
}
