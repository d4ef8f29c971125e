import { fieldEnumType } from "../../../../vocabulary/graphql/names.ts";
import type { ModelDefinition, RelationDefinition } from "../../../definition/definition.ts";
import { graphqlDescription } from "../../literal.ts";
import { type ListView, listView, orderNames, orderType, type TypedName } from "./queries.ts";
import { enumValues, readableColumns, writableColumns } from "./schema-columns.ts";

/** Models by key. */
export type ModelsByKey = ReadonlyMap<string, ModelDefinition>;

/** A relation that a role can select, with its target model. */
interface Join {
  readonly relation: RelationDefinition;
  readonly joined: ModelDefinition;
}

/** The enum of a field, or of `orderBy`. */
export interface EnumView {
  readonly name: string;
  readonly values: readonly string[];
}

/** The type of a model's rows. */
export interface TypeView {
  readonly key: string;
  readonly doc: string | null;
  readonly columns: readonly (TypedName & { readonly doc: string | null })[];
  readonly joins: readonly (TypedName & { readonly doc: string })[];
  readonly collections: readonly CollectionView[];
}

interface CollectionView extends ListView {
  readonly name: string;
  readonly key: string;
  readonly doc: string;
}

/** The type of a model's rows. */
export function typeView(model: ModelDefinition, models: ModelsByKey): TypeView {
  const joins = joinsOf(model, models);
  // If a join and its field have the same name, the schema has the join.
  const taken = new Set(joins.map(({ relation }) => relation.name));
  return {
    key: model.key,
    doc: graphqlDescription(model.description, ""),
    columns: readableColumns(model)
      .filter(({ name }) => !taken.has(name))
      .map(({ name, type, nullable, description: text }) => ({
        name,
        type: nullable ? type : `${type}!`,
        doc: graphqlDescription(text, "  "),
      })),
    joins: joins.filter(({ relation }) => relation.kind !== "has_many").map(joinView),
    collections: joins.filter(({ relation }) => relation.kind === "has_many").map(collectionView),
  };
}

function joinView({ relation: { name, field, references }, joined }: Join) {
  const doc = `"The row of \`${joined.key}\` whose \`${references}\` is this \`${field}\`; null without one in reach."`;
  return { name, type: joined.key, doc };
}

function collectionView({ relation: { name, field, references }, joined }: Join): CollectionView {
  const doc = `"The rows of \`${joined.key}\` whose \`${references}\` is this \`${field}\`."`;
  return { ...listView(joined), name, key: joined.key, doc };
}

/**
 * The relations of a model that a role can select. The column of the join must be readable, the target must have a readable field,
 * and a target with root fields must be open to fetch.
 */
export function joinsOf(model: ModelDefinition, models: ModelsByKey): Join[] {
  return model.relations.flatMap((relation) => {
    const joined = models.get(relation.model);
    if (joined === undefined || readableColumns(joined).length === 0) return [];
    if (!joined.internal && joined.access.operations.fetch.length === 0) return [];
    const [owner, column] =
      relation.kind === "belongs_to" ? [model, relation.field] : [joined, relation.references];
    return readableColumns(owner).some(({ name }) => name === column) ? [{ relation, joined }] : [];
  });
}

/** The enums of a model's fields, except fields that are closed to all roles. */
export function fieldEnums(model: ModelDefinition): EnumView[] {
  const used = new Set([...readableColumns(model), ...writableColumns(model)].map(({ name }) => name));
  return model.fields.flatMap((field) => {
    const values = used.has(field.name) ? enumValues(field) : null;
    return values === null ? [] : [{ name: fieldEnumType(model.typeName, field.name), values }];
  });
}

/** The enums for the order of lists and the groups of aggregates; empty if there are no values. */
export function orderEnums(model: ModelDefinition): EnumView[] {
  const name = orderType(model);
  return name === null ? [] : [{ name, values: orderNames(model) }];
}
