import { pageValues } from "../../../data/operations/index.ts";
import { filtersShape, pageShape } from "../../../data/sql/index.ts";
import type { AskedAggregate } from "../plan/aggregate-arguments.ts";
import type { GraphqlContext } from "../plan/graphql-context.ts";
import type { AggregateOrder } from "../plan/grouping.ts";
import { type AdmittedAggregate, type AggregateRoot, admitAggregate } from "../plan/plan-aggregate.ts";
import { aggregateStatement } from "../statements/aggregate-statement.ts";
import { readList } from "./read-text.ts";
import type { Task } from "./task.ts";

/** Prepares an aggregate, which is one statement and runs no hook. */
export function prepareAggregate(root: AggregateRoot, context: GraphqlContext): Task<void> {
  const admitted = admitAggregate(root, context);
  return { key: root.key, run: () => readAggregate(root, context, admitted) };
}

function readAggregate(
  root: AggregateRoot,
  { registry, mostBytes }: GraphqlContext,
  { call, grant, asked, searchIn }: AdmittedAggregate,
): Promise<string> {
  const { input, groupBy, order } = asked;
  const roleKey = registry.roleKey(call.principal);
  const shape = `#${root.id} aggregate ${roleKey} ${searchIn.length} ${shapeOf(asked)}`;
  const rows = {
    model: call.model,
    models: registry.models,
    filters: input.filters,
    scope: grant.scope,
    searchIn,
  };
  const make = () =>
    aggregateStatement({ rows, page: input, results: root.selection.results, groupBy, order });
  return readList(call, shape, make, pageValues(input, searchIn), mostBytes, input);
}

/** Text that tells apart aggregates whose SQL differs. */
function shapeOf({ input, groupBy, order }: AskedAggregate): string {
  const groups = groupBy.map(({ name }) => name).join();
  return `${filtersShape(input.filters)} ${pageShape(input)} ${groups} ${order === null ? "" : orderShape(order)}`;
}

function orderShape({ by, descending }: AggregateOrder): string {
  const name = by.kind === "aggregate" ? by.aggregate.key : by.kind === "group" ? by.column.name : "";
  return `${by.kind} ${name} ${descending}`;
}
