import { pageValues } from "../../operations/list.ts";
import { plan } from "../../sql/sql.ts";
import { filtersShape } from "../../sql/where-sql.ts";
import type { AskedAggregate } from "../plan/aggregate-arguments.ts";
import type { GraphqlContext } from "../plan/graphql-context.ts";
import type { AggregateOrder } from "../plan/grouping.ts";
import { type AdmittedAggregate, type AggregateRoot, admitAggregate } from "../plan/plan-aggregate.ts";
import { aggregateJson } from "../statements/aggregate-statement.ts";
import { readText } from "./run-list.ts";
import type { Task } from "./task.ts";

/** Prepares an aggregate, which is one statement and runs no hook. */
export function prepareAggregate(root: AggregateRoot, asking: GraphqlContext): Task<void> {
  const admitted = admitAggregate(root, asking);
  return { key: root.key, run: () => readAggregate(root, asking, admitted) };
}

function readAggregate(
  root: AggregateRoot,
  { catalogue, principal, services, mostBytes }: GraphqlContext,
  { call, grant, asked, searchIn }: AdmittedAggregate,
): Promise<string> {
  const { input, groupBy, order } = asked;
  const key = `#${root.id} aggregate ${catalogue.roleKey(principal.role)} ${searchIn.length} ${shapeOf(asked)}`;
  const reach = {
    model: call.model,
    models: catalogue.models,
    filters: input.filters,
    scope: grant.scope,
    searchIn,
  };
  const statement = services.plans.of(key, () =>
    plan(aggregateJson({ reach, results: root.selection.results, groupBy, order, mostBytes })),
  );
  return readText(call, call.reads(), statement, pageValues(input, searchIn));
}

/** Text that tells apart aggregates whose SQL differs. */
function shapeOf({ input, groupBy, order }: AskedAggregate): string {
  const groups = groupBy.map(({ name }) => name).join();
  return `${filtersShape(input.filters)} ${groups} ${order === null ? "" : orderShape(order)}`;
}

function orderShape({ by, descending }: AggregateOrder): string {
  const name = by.kind === "figure" ? by.figure.key : by.kind === "group" ? by.column.name : "";
  return `${by.kind} ${name} ${descending}`;
}
