import { maxPatternLength } from "../../../../vocabulary/conditions/conditions.ts";
import { hasPages, inputTypes } from "../../../../vocabulary/graphql/names.ts";
import { pageTotals } from "../../../../vocabulary/operations.ts";
import type { ModelDefinition, ServiceDefinition } from "../../../definition/definition.ts";
import { escapeInvisible } from "../../literal.ts";
import { type AggregateView, aggregateView } from "./aggregate-types.ts";
import { type MutationsView, mutationsView } from "./mutations.ts";
import { filtersOf, type RootListView, rootListView, searchFieldsOf, type TypedName } from "./queries.ts";
import {
  type EnumView,
  fieldEnums,
  joinsOf,
  type ModelsByKey,
  orderEnums,
  type TypeView,
  typeViews,
} from "./row-types.ts";
import { usedScalars } from "./scalars.ts";
import { readableColumns } from "./schema-columns.ts";

/** The view of the templates `graphql-…`, in this order: the parts of the API that are open to a role. */
export interface SchemaView {
  readonly imports: null;
  readonly source: string;
  readonly maxPatternLength: number;
  /** The scalars that the service uses. */
  readonly uses: Readonly<Record<string, true>>;
  /** Filters of lists, with their element types. */
  readonly listFilters: readonly ListFilterView[];
  /** Whether nothing is readable. The schema must have a query anyway. */
  readonly nothing: boolean;
  readonly lists: readonly RootListView[];
  readonly aggregates: readonly AggregateView[];
  readonly mutations: readonly MutationsView[];
  /** Inputs of filters. */
  readonly wheres: readonly WhereView[];
  /** Values of `total` of pages; null where no model has pages. */
  readonly pageTotals: readonly string[] | null;
  readonly enums: readonly EnumView[];
  readonly types: readonly TypeView[];
  readonly orders: readonly EnumView[];
}

interface WhereView {
  readonly name: string;
  readonly filters: readonly TypedName[];
}

interface ListFilterView {
  readonly name: string;
  readonly element: string;
}

const known = new WeakMap<ServiceDefinition, SchemaView>();

/** The view of `graphql/schema.graphql`. */
export function schemaView(definition: ServiceDefinition): SchemaView {
  const view = known.get(definition) ?? makeView(definition);
  known.set(definition, view);
  return view;
}

/** Whether any mutation is open to a role. */
export function hasMutations(definition: ServiceDefinition): boolean {
  return schemaView(definition).mutations.length > 0;
}

function makeView(definition: ServiceDefinition): SchemaView {
  const { source, models: all } = definition;
  const models = new Map(all.map((model) => [model.key, model]));
  const [listed, aggregated] = [all.filter(isListed), all.filter(isAggregated)];
  const written = all.filter(hasRows).flatMap((model) => {
    const view = mutationsView(model, models);
    return view === null ? [] : [{ model, view }];
  });
  const rows = selectable(models, [...listed, ...written.map(({ model }) => model)]);
  const lists = listed.map((model) => rootListView(model, models));
  const paged = listed.filter((model) => hasPages(model, models));
  const filtered = written.filter(({ view }) => view.filtered).map(({ model }) => model);
  const ordered = new Set([...listed, ...collected(models, rows), ...aggregated]);
  return {
    imports: null,
    source: escapeInvisible(source),
    maxPatternLength,
    ...scalarFacts(definition),
    nothing: listed.length + aggregated.length === 0,
    lists,
    aggregates: aggregated.map(aggregateView),
    mutations: written.map(({ view }) => view),
    wheres: all.filter((model) => paged.includes(model) || filtered.includes(model)).flatMap(whereViews),
    pageTotals: paged.length > 0 ? pageTotals : null,
    enums: all.filter((model) => rows.has(model) || aggregated.includes(model)).flatMap(fieldEnums),
    types: all.filter((model) => rows.has(model)).flatMap((model) => typeViews(model, models)),
    orders: all.filter((model) => ordered.has(model)).flatMap(orderEnums),
  };
}

function whereViews(model: ModelDefinition): WhereView[] {
  const filters = filtersOf(model);
  return filters.length > 0 ? [{ name: inputTypes(model).where, filters }] : [];
}

function scalarFacts(definition: ServiceDefinition): Pick<SchemaView, "uses" | "listFilters"> {
  const used = usedScalars(definition);
  return {
    uses: Object.fromEntries(used.map((name) => [name, true])),
    listFilters: used.flatMap((name) => {
      const [, element] = /^(.+)ListFilter$/.exec(name) ?? [];
      return element === undefined ? [] : [{ name, element }];
    }),
  };
}

/** Whether a root field returns rows, by fetch or only by search. */
function isListed(model: ModelDefinition): boolean {
  return hasRows(model) && (model.access.operations.fetch.length > 0 || searchFieldsOf(model).length > 0);
}

/** Whether aggregates are open. They have the rules of search. */
function isAggregated(model: ModelDefinition): boolean {
  return !model.internal && model.access.operations.search.length > 0;
}

/** Whether a model has root fields that return its rows. */
function hasRows(model: ModelDefinition): boolean {
  return !model.internal && readableColumns(model).length > 0;
}

/** Models whose rows can be selected: those with root fields, and all models that joins reach from them. */
function selectable(models: ModelsByKey, roots: Iterable<ModelDefinition>): Set<ModelDefinition> {
  const found = new Set(roots);
  // The loop also visits elements that are added to the set during the loop.
  for (const model of found) for (const { joined } of joinsOf(model, models)) found.add(joined);
  return found;
}

/** Targets of `has_many` relations of the given models. */
function collected(models: ModelsByKey, owners: Iterable<ModelDefinition>): Set<ModelDefinition> {
  const joins = [...owners].flatMap((model) => joinsOf(model, models));
  return new Set(joins.flatMap(({ relation, joined }) => (relation.kind === "has_many" ? [joined] : [])));
}
