import type { ServiceDefinition } from "../../../definition/definition.ts";
import { visible } from "../../literal.ts";
import { type AggregateView, aggregateView } from "./aggregates.ts";
import { type EnumView, enumViews } from "./enums.ts";
import { type MutationsView, mutationsView } from "./inputs.ts";
import { type QueryView, queryView } from "./lists.ts";
import { collected, hasRows, isAggregated, isListed, selectable } from "./reach.ts";
import { type TypeView, typeView } from "./types.ts";

/** What `templates/graphql-schema.hbs` prints: all that somebody may ask for, in declared order. */
export interface SchemaView {
  readonly imports: null;
  readonly source: string;
  readonly queries: readonly QueryView[];
  readonly aggregates: readonly AggregateView[];
  /** Nothing can be asked for; a schema must have a query even so. */
  readonly nothing: boolean;
  /** Null where nobody may write. */
  readonly mutations: readonly MutationsView[] | null;
  readonly enums: readonly EnumView[];
  readonly types: readonly TypeView[];
}

/** The view of `graphql/schema.graphql`. */
export function schemaView({ models: all, source }: ServiceDefinition): SchemaView {
  const models = new Map(all.map((model) => [model.key, model]));
  const listed = new Set(all.filter(isListed));
  const aggregated = new Set(all.filter(isAggregated));
  const written = all.filter(hasRows).flatMap((model) => {
    const view = mutationsView(model);
    return isWritten(view) ? [{ model, view }] : [];
  });
  const rows = selectable(models, [...listed, ...written.map(({ model }) => model)]);
  const ordered = new Set([...listed, ...collected(models, rows)]);
  return {
    imports: null,
    source: visible(source),
    queries: [...listed].map(queryView),
    aggregates: [...aggregated].map(aggregateView),
    nothing: listed.size + aggregated.size === 0,
    mutations: written.length > 0 ? written.map(({ view }) => view) : null,
    enums: all.filter((model) => rows.has(model) || aggregated.has(model)).flatMap(enumViews),
    types: all.filter((model) => rows.has(model)).map((model) => typeView(model, models, ordered.has(model))),
  };
}

function isWritten({ create, update, upsert, restore, deletes, destroys }: MutationsView): boolean {
  return [create, update, upsert, restore].some((fields) => fields !== null) || deletes || destroys;
}
