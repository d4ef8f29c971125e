import { fieldEnumType } from "../../../../vocabulary/graphql/names.ts";
import type { ModelDefinition, RelationDefinition } from "../../../definition/definition.ts";
import { graphqlDescription } from "../../literal.ts";
import { type ListView, listView, orderNames, orderType, type TypedName } from "./queries.ts";
import { enumValues, readableColumns, writableColumns } from "./schema-columns.ts";

/** Models by key. */
export type ModelsByKey = ReadonlyMap<string, ModelDefinition>;

/** A relation that someone may select, with the model that it leads to. */
interface Join {
  readonly relation: RelationDefinition;
  readonly joined: ModelDefinition;
}

/** The values of a field, or what lists are ordered by. */
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
  // Where a join has the name of its field, the schema has the join.
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
 * The relations of a model that someone may select. Who joins reads the column that the join goes over, needs a field to select,
 * and, of a model with root fields, may fetch it.
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

/** The enums of a model's fields, those that no one reads or writes excepted. */
export function fieldEnums(model: ModelDefinition): EnumView[] {
  const used = new Set([...readableColumns(model), ...writableColumns(model)].map(({ name }) => name));
  return model.fields.flatMap((field) => {
    const values = used.has(field.name) ? enumValues(field) : null;
    return values === null ? [] : [{ name: fieldEnumType(model.typeName, field.name), values }];
  });
}

/** What lists of a model are ordered and its aggregates grouped by, each value with its descending form; none where nothing is. */
export function orderEnums(model: ModelDefinition): EnumView[] {
  const name = orderType(model);
  return name === null ? [] : [{ name, values: orderNames(model) }];
}
