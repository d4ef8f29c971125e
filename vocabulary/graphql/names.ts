import { elementKindOf, type FieldKind, fieldKinds, type ScalarKind } from "../fields/field-kinds.ts";
import { scalarKinds } from "../fields/scalar-kinds.ts";
import { type AggregateFunction, acceptsKind, aggregateFunctions, resultKind } from "./aggregates.ts";

/** The filter of fields with an enum, regardless of their kind. */
export const enumFilter = "EnumFilter";

/**
 * Kinds whose types are in the schema only if a field needs them. They are newer than the first schemas,
 * which should not change.
 */
const kindsWhereUsed: readonly ScalarKind[] = ["int64", "decimal", "time"];

/** Types that the schema always has. */
export const schemaTypes: ReadonlySet<string> = new Set([
  ...["Query", "Mutation", "Subscription", "Int", "Float", "String", "Boolean", "ID", enumFilter],
  ...Object.entries(scalarKinds)
    .filter(([kind]) => !kindsWhereUsed.some((one) => one === kind))
    .flatMap(([, { graphql }]) => [graphql.value, graphql.filter ?? graphql.value]),
]);

/** The types that a field of a kind adds to the schema, in addition to `schemaTypes`. */
export function typesOfKind(kind: FieldKind): readonly string[] {
  const element = elementKindOf(kind) ?? kind;
  const figures = aggregateFunctions.flatMap((name) =>
    acceptsKind(name, kind) ? [resultKind(name, kind)] : [],
  );
  const values = [element, ...figures].map((one) => fieldKinds[one].graphql.value);
  const { filter } = fieldKinds[kind].graphql;
  const types = filter === null ? values : [...values, filter];
  return [...new Set(types)].filter((type) => !schemaTypes.has(type));
}

/** The type of a model's aggregates, which is also its `__typename`. */
export function aggregateType(key: string): string {
  return `${key}_aggregate`;
}

/** The root field of a model's pages by cursor. */
export function pageField(key: string): string {
  return `${key}_page`;
}

/** The type of a model's pages by cursor. */
export function pageType({ typeName }: Pick<TypeSource, "typeName">): string {
  return `${typeName}Page`;
}

/** The interface of a model's rows in the answers of mutations, if their fields can be null for the caller. */
export function writtenType({ typeName }: Pick<TypeSource, "typeName">): string {
  return `${typeName}Written`;
}

/** The enum of `total` of pages. */
export const pageTotalType = "PageTotal";

/** The names that the pages of a model need. */
export function pageNames(model: Pick<TypeSource, "key" | "typeName">): string[] {
  return [pageField(model.key), pageType(model), pageTotalType];
}

/** Whether a model has pages by cursor. It has none if its rows have no id, or if a model's key is one of their names. */
export function hasPages(
  model: Pick<TypeSource, "key" | "typeName"> & { readonly columns?: { readonly id?: object | null } },
  models: { has(key: string): boolean },
): boolean {
  return model.columns?.id !== null && !pageNames(model).some((name) => models.has(name));
}

/** The type of one function of a model's aggregates. `min` and `max` share one. */
export function aggregatePartType(key: string, name: AggregateFunction): string {
  return `${aggregateType(key)}_${name === "min" || name === "max" ? "bounds" : name}`;
}

/** The names of a model's input types, by their use. */
export function inputTypes({ typeName }: Pick<TypeSource, "typeName">) {
  return {
    create: `${typeName}Create`,
    update: `${typeName}Update`,
    where: `${typeName}Where`,
    orderBy: `${typeName}OrderBy`,
    aggregateOrderBy: `${typeName}AggregateOrderBy`,
  };
}

/** The names of types that two places of the schema share, by their use. */
export interface SharedTypes {
  readonly upsert: string;
  readonly restore: string;
  readonly groupBy: string;
  readonly min: string;
  readonly max: string;
}

/** Returns the types of a model that two places of the schema share. */
export function sharedTypes({ key, typeName }: Pick<TypeSource, "key" | "typeName">): SharedTypes {
  const { create, update, orderBy } = inputTypes({ typeName });
  return {
    upsert: create,
    restore: update,
    groupBy: orderBy,
    min: aggregatePartType(key, "min"),
    max: aggregatePartType(key, "max"),
  };
}

/** The name of the GraphQL enum of a field. */
export function fieldEnumType(typeName: string, field: string): string {
  return `${typeName}_${field}`;
}

/** The source of the names of a model's types. */
export interface TypeSource {
  readonly key: string;
  readonly typeName: string;
  /** Fields with an enum. */
  readonly enums: readonly string[];
  /** Whether only joins reach the model. It then has neither aggregates nor inputs. */
  readonly internal: boolean;
}

/** All types that a model can add to the schema, in addition to the type of its key. */
export function derivedTypes({ key, typeName, enums, internal }: TypeSource): string[] {
  const { orderBy, ...others } = inputTypes({ typeName });
  const joined = [orderBy, ...enums.map((field) => fieldEnumType(typeName, field))];
  if (internal) return joined;
  return [
    aggregateType(key),
    ...new Set(aggregateFunctions.map((name) => aggregatePartType(key, name))),
    ...Object.values(others),
    writtenType({ typeName }),
    ...joined,
  ];
}
