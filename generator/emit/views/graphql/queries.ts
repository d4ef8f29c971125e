import type { ModelDefinition, ServiceDefinition } from "../../../definition/definition.ts";
import type { AggregateView } from "./aggregate.ts";
import { description } from "./description.ts";
import { type ListView, listView, searchedText } from "./lists.ts";
import { partsOf } from "./parts.ts";

/** What `templates/graphql-queries.hbs` prints: the root fields that read. */
export interface QueriesView {
  readonly imports: null;
  /** There is none; a schema must have a query even so. */
  readonly nothing: boolean;
  readonly lists: readonly RootListView[];
  readonly aggregates: readonly AggregateView[];
}

interface RootListView extends ListView {
  readonly key: string;
  readonly doc: string | null;
  /** The fields that `search` looks through; null without such an argument. */
  readonly searched: string | null;
  /** Type of that argument, which must be sent where search alone reaches rows. */
  readonly search: string;
}

/** The view of the queries. */
export function queriesView(definition: ServiceDefinition): QueriesView {
  const { listed, aggregates } = partsOf(definition);
  const nothing = listed.length + aggregates.length === 0;
  return { imports: null, nothing, lists: listed.map(rootListView), aggregates };
}

function rootListView(model: ModelDefinition): RootListView {
  const list = listView(model);
  return {
    ...list,
    filters: list.filters.filter(({ name }) => name !== "search"),
    key: model.key,
    doc: description(model.description, "  "),
    searched: searchedText(model),
    search: model.access.operations.fetch.length > 0 ? "String" : "String!",
  };
}
