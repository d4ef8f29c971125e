import type { ModelDefinition } from "../../../definition/definition.ts";
import { readableColumns } from "./columns.ts";
import { description } from "./description.ts";
import { type ListView, listView, orderNames, type TypedName } from "./lists.ts";
import { type Join, joinsOf, type Models } from "./reach.ts";

/** The type of a model's rows. */
export interface TypeView {
  readonly key: string;
  readonly typeName: string;
  readonly doc: string | null;
  readonly columns: readonly (TypedName & { readonly doc: string | null })[];
  readonly joins: readonly (TypedName & { readonly doc: string })[];
  readonly collections: readonly CollectionView[];
  /** Null where no list is ordered by them. */
  readonly orders: readonly string[] | null;
}

interface CollectionView extends ListView {
  readonly name: string;
  readonly key: string;
  readonly doc: string;
}

/** The view of a type. `ordered`: there are lists of it. */
export function typeView(model: ModelDefinition, models: Models, ordered: boolean): TypeView {
  const joins = joinsOf(model, models);
  // Where a join has the name of its field, the schema has the join.
  const taken = new Set(joins.map(({ relation }) => relation.name));
  const columns = readableColumns(model).filter(({ name }) => !taken.has(name));
  const orders = orderNames(model);
  return {
    key: model.key,
    typeName: model.typeName,
    doc: description(model.description, ""),
    columns: columns.map(({ name, type, nullable, description: text }) => ({
      name,
      type: nullable ? type : `${type}!`,
      doc: description(text, "  "),
    })),
    joins: joins.filter(({ relation }) => relation.kind !== "has_many").map(joinView),
    collections: joins.filter(({ relation }) => relation.kind === "has_many").map(collectionView),
    orders: ordered && orders.length > 0 ? orders : null,
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
