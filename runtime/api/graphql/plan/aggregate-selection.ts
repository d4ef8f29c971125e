import { type AggregateFunction, isAggregateFunction } from "../../../../vocabulary/graphql/aggregates.ts";
import { aggregatePartType, aggregateType } from "../../../../vocabulary/graphql/names.ts";
import { maxIdentifierLength } from "../../../../vocabulary/identifiers.ts";
import type { Problem } from "../../../core/errors/index.ts";
import { type Column, columnsOf, type Model } from "../../../models/index.ts";
import type { Field, Selection } from "../document/index.ts";
import { type Aggregate, aggregateOf, aggregateOfKey, isApplicable } from "./aggregate-functions.ts";
import { checkConditions, refuseArguments } from "./object-selection.ts";

/** What stands under a key of each group. */
export type Result =
  | { readonly kind: "count" }
  | { readonly kind: "typename" }
  | { readonly kind: "aggregate"; readonly aggregate: Aggregate }
  /** The value of a group-by field. */
  | { readonly kind: "group"; readonly column: Column };

/** What is selected of groups, by the keys of the answer: aliases rename root fields only (decisions, part 6). */
export interface AggregateSelection {
  readonly results: ReadonlyMap<string, Result>;
  /** The columns that it names, those too that do not fit. */
  readonly columns: readonly string[];
}

/** Resolves the selection of an aggregate. What is wrong goes to `problems`. */
export function resolveAggregateSelection(
  model: Model,
  selection: Selection,
  problems: Problem[],
): AggregateSelection {
  checkConditions(selection, [aggregateType(model.key)], problems);
  const found = selection.fields.flatMap((field) => resolveResults(model, field, problems));
  const columns = found.flatMap(([, result]) => columnOf(result)?.name ?? []);
  return { results: new Map(found), columns };
}

type Entry = readonly [key: string, result: Result];

function resolveResults(model: Model, field: Field, problems: Problem[]): Entry[] {
  const { name, args, selection } = field;
  refuseArguments(args, problems);
  if (selection !== null && isAggregateFunction(name))
    return resolveFunction(model, name, selection, problems);
  const entry = leafEntry(model, name, problems);
  if (entry !== null && selection !== null)
    problems.push({ field: name, message: "has no fields of its own" });
  if (entry !== null) return [entry];
  const message = isAggregateFunction(name) ? "needs a selection of its fields" : "is not a field";
  problems.push({ field: name, message });
  return [];
}

function leafEntry(model: Model, name: string, problems: Problem[]): Entry | null {
  if (name === "count") return [name, { kind: "count" }];
  if (name === "__typename") return [name, { kind: "typename" }];
  const direct = aggregateOfKey(model, name);
  const column = columnsOf(model).get(name);
  // A field may be called sum_region where there is no sum of regions.
  if (column !== undefined && (direct === undefined || !isApplicable(direct)))
    return [name, { kind: "group", column }];
  return direct === undefined ? null : aggregateEntry(direct, name, problems);
}

function resolveFunction(
  model: Model,
  name: AggregateFunction,
  selection: Selection,
  problems: Problem[],
): Entry[] {
  checkConditions(selection, [aggregatePartType(model.key, name)], problems);
  return selection.fields.flatMap((field) => {
    refuseArguments(field.args, problems);
    if (field.selection !== null) problems.push({ field: field.name, message: "has no fields of its own" });
    // Some clients ask for it in every selection; the answer is flat and has no place for it.
    if (field.name === "__typename") return [];
    const column = columnsOf(model).get(field.name);
    if (column !== undefined) return [aggregateEntry(aggregateOf(name, column), field.name, problems)];
    problems.push({ field: field.name, message: "is not a field" });
    return [];
  });
}

function aggregateEntry(one: Aggregate, label: string, problems: Problem[]): Entry {
  if (!isApplicable(one)) problems.push({ field: label, message: `is nothing that ${one.name} takes` });
  if (one.key.length > maxIdentifierLength)
    problems.push({
      field: label,
      message: `is answered under a name of more than ${maxIdentifierLength} characters`,
    });
  return [one.key, { kind: "aggregate", aggregate: one }];
}

function columnOf(result: Result): Column | undefined {
  if (result.kind === "aggregate") return result.aggregate.column;
  return result.kind === "group" ? result.column : undefined;
}
