import type { ModelDefinition, ServiceDefinition } from "../../../definition/definition.ts";
import { type AggregateView, aggregateView } from "./aggregate.ts";
import { collected, hasRows, isAggregated, isListed, type Models, selectable } from "./reach.ts";
import { type WritingView, writingView } from "./writing.ts";

/** What the schema has, in declared order: all that somebody may ask for. */
export interface SchemaParts {
  readonly models: Models;
  /** Models with a list among the queries. */
  readonly listed: readonly ModelDefinition[];
  readonly aggregates: readonly AggregateView[];
  readonly mutations: readonly WritingView[];
  /** Models whose rows can be selected. */
  readonly rows: readonly ModelDefinition[];
  /** Models that something orders or groups by. */
  readonly ordered: readonly ModelDefinition[];
  /** Models whose enums are needed. */
  readonly named: readonly ModelDefinition[];
}

const known = new WeakMap<ServiceDefinition, SchemaParts>();

/** The parts of a service's schema; several templates print them. */
export function partsOf(definition: ServiceDefinition): SchemaParts {
  const parts = known.get(definition) ?? settle(definition);
  known.set(definition, parts);
  return parts;
}

function settle({ models: all }: ServiceDefinition): SchemaParts {
  const models = new Map(all.map((model) => [model.key, model]));
  const listed = all.filter(isListed);
  const aggregated = new Set(all.filter(isAggregated));
  const written = all.filter(hasRows).flatMap((model) => {
    const view = writingView(model);
    return view === null ? [] : [{ model, view }];
  });
  const rows = selectable(models, [...listed, ...written.map(({ model }) => model)]);
  const ordered = new Set([...listed, ...collected(models, rows), ...aggregated]);
  return {
    models,
    listed,
    aggregates: [...aggregated].map(aggregateView),
    mutations: written.map(({ view }) => view),
    rows: all.filter((model) => rows.has(model)),
    ordered: all.filter((model) => ordered.has(model)),
    named: all.filter((model) => rows.has(model) || aggregated.has(model)),
  };
}
