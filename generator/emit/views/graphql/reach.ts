import type { ModelDefinition, RelationDefinition } from "../../../definition/definition.ts";
import { readableColumns } from "./columns.ts";

/** Models by key. */
export type Models = ReadonlyMap<string, ModelDefinition>;

/** A relation that somebody may select, with the model that it leads to. */
export interface Join {
  readonly relation: RelationDefinition;
  readonly joined: ModelDefinition;
}

/** Whether somebody gets rows of a root field: all of them by fetch, or with `search` alone. */
export function isListed(model: ModelDefinition): boolean {
  return hasRows(model) && (model.access.operations.fetch.length > 0 || searchedFields(model).length > 0);
}

/** Whether somebody may aggregate; the rules of search hold for it (contract: "GraphQL"). */
export function isAggregated(model: ModelDefinition): boolean {
  return !model.internal && model.access.operations.search.length > 0;
}

/** Whether a model has root fields that answer its rows. */
export function hasRows(model: ModelDefinition): boolean {
  return !model.internal && readableColumns(model).length > 0;
}

/** The fields that `search` looks through; none where nobody may search. */
export function searchedFields(model: ModelDefinition): string[] {
  if (model.access.operations.search.length === 0) return [];
  return readableColumns(model).flatMap(({ name, field }) => (field?.searchable === true ? [name] : []));
}

/**
 * The relations of a model that somebody may select. Who joins reads the column that the join goes over, needs a field to select,
 * and, of a model with root fields, may fetch it.
 */
export function joinsOf(model: ModelDefinition, models: Models): Join[] {
  return model.relations.flatMap((relation) => {
    const joined = models.get(relation.model);
    if (joined === undefined || readableColumns(joined).length === 0) return [];
    if (!joined.internal && joined.access.operations.fetch.length === 0) return [];
    const [owner, column] =
      relation.kind === "belongs_to" ? [model, relation.field] : [joined, relation.references];
    return readableColumns(owner).some(({ name }) => name === column) ? [{ relation, joined }] : [];
  });
}

/** Models whose rows can be selected: those of root fields, and what joins lead to from there. */
export function selectable(models: Models, roots: Iterable<ModelDefinition>): Set<ModelDefinition> {
  const found = new Set(roots);
  // What is added while a set is looped over is looped over too.
  for (const model of found) for (const { joined } of joinsOf(model, models)) found.add(joined);
  return found;
}

/** Models that a `has_many` of the given ones leads to. */
export function collected(models: Models, owners: Iterable<ModelDefinition>): Set<ModelDefinition> {
  const joins = [...owners].flatMap((model) => joinsOf(model, models));
  return new Set(joins.flatMap(({ relation, joined }) => (relation.kind === "has_many" ? [joined] : [])));
}
