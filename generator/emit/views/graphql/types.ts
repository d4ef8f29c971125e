import type { ModelDefinition, ServiceDefinition } from "../../../definition/definition.ts";
import { readableColumns } from "./columns.ts";
import { description } from "./description.ts";
import { type EnumView, enumViews } from "./enums.ts";
import { type ListView, listView, orderNames, type TypedName } from "./lists.ts";
import { partsOf } from "./parts.ts";
import { type Join, joinsOf, type Models } from "./reach.ts";

/** What `templates/graphql-types.hbs` prints: the types of rows, and the enums that they and their lists need. */
export interface TypesView {
  readonly imports: null;
  readonly enums: readonly EnumView[];
  readonly types: readonly TypeView[];
  /** What lists are ordered and aggregates grouped by; each value with its descending form. */
  readonly orders: readonly EnumView[];
}

interface TypeView {
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

/** The view of the types of rows. */
export function typesView(definition: ServiceDefinition): TypesView {
  const { models, rows, ordered, named } = partsOf(definition);
  return {
    imports: null,
    enums: named.flatMap(enumViews),
    types: rows.map((model) => typeView(model, models)),
    orders: ordered
      .map((model) => ({ name: `${model.typeName}OrderBy`, values: orderNames(model) }))
      .filter(({ values }) => values.length > 0),
  };
}

function typeView(model: ModelDefinition, models: Models): TypeView {
  const joins = joinsOf(model, models);
  // Where a join has the name of its field, the schema has the join.
  const taken = new Set(joins.map(({ relation }) => relation.name));
  return {
    key: model.key,
    doc: description(model.description, ""),
    columns: readableColumns(model)
      .filter(({ name }) => !taken.has(name))
      .map(({ name, type, nullable, description: text }) => ({
        name,
        type: nullable ? type : `${type}!`,
        doc: description(text, "  "),
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
