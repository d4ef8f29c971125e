import { fieldEnumType, writtenType } from "../../../../vocabulary/graphql/names.ts";
import type { ModelDefinition, RelationDefinition } from "../../../definition/definition.ts";
import { graphqlDescription } from "../../literal.ts";
import { hidesRows } from "./mutations.ts";
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

/** The type or the interface of a model's rows. */
export interface TypeView {
  /** `type books`, or `interface BooksWritten`. */
  readonly head: string;
  readonly doc: string | null;
  readonly columns: readonly (TypedName & { readonly doc: string | null })[];
  readonly joins: readonly (TypedName & { readonly doc: string })[];
  readonly collections: readonly CollectionView[];
}

interface CollectionView extends ListView {
  readonly name: string;
  readonly type: string;
  readonly doc: string;
}

/** The type of a model's rows, after the interface of rows that mutations answer. */
export function typeViews(model: ModelDefinition, models: ModelsByKey): TypeView[] {
  const own = typeView(model, models);
  if (!hidesRows(model, models)) return [own];
  const name = writtenType(model);
  const nullable = <Field extends TypedName>(field: Field): Field =>
    field.name === "id" ? field : { ...field, type: field.type.replace(/!$/, "") };
  const written = {
    head: `interface ${name}`,
    doc: '"A row that a mutation answers. Of a row that the caller cannot fetch, all fields but `id` are null."',
    columns: own.columns.map(nullable),
    joins: own.joins,
    collections: own.collections.map(nullable),
  };
  return [written, { ...own, head: `${own.head} implements ${name}` }];
}

function typeView(model: ModelDefinition, models: ModelsByKey): TypeView {
  const joins = joinsOf(model, models);
  // If a join and its field have the same name, the schema has the join.
  const taken = new Set(joins.map(({ relation }) => relation.name));
  return {
    head: `type ${model.key}`,
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
  return { ...listView(joined), name, type: `[${joined.key}!]!`, doc };
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
