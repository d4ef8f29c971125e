import { fieldKinds } from "./field-kinds.ts";

/** The filter of fields with an enum, whatever their kind. */
export const enumFilter = "EnumFilter";

/** Types that the schema has whatever the models are. */
export const schemaTypes: ReadonlySet<string> = new Set([
  ...["Query", "Mutation", "Subscription", "Int", "Float", "String", "Boolean", "ID", enumFilter],
  ...Object.values(fieldKinds).flatMap(({ graphql }) => [graphql.value, graphql.filter ?? graphql.value]),
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
