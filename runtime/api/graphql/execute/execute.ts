import type { JsonObject } from "../../../../vocabulary/json.ts";
import type { Transaction } from "../../../core/database/index.ts";
import { largestPage } from "../../../data/sql/index.ts";
import { type Operation, readVariables } from "../document/index.ts";
import type { GraphqlContext } from "../plan/graphql-context.ts";
import type { Root, Roots } from "../plan/roots.ts";
import { inRoot } from "../root-failure.ts";
import { limitRoots, type RootCounters } from "./count-root-fields.ts";
import { prepareAggregate } from "./run-aggregate.ts";
import { prepareList } from "./run-list.ts";
import { prepareMutation, runMutation } from "./run-mutation.ts";
import { runQuery } from "./run-query.ts";
import type { Task } from "./task.ts";

/**
 * Runs an operation and gives its data as JSON text, keyed by root field. All root fields are counted, and then checked as
 * far as they can be without a statement, before the first one runs. Errors: `RootFailure` where it is known which of them
 * failed.
 */
export async function execute(
  operation: Operation,
  sent: JsonObject,
  roots: Roots,
  who: Omit<GraphqlContext, "variables" | "mostBytes">,
  counters: RootCounters,
): Promise<string> {
  const { trace } = who.caller;
  const reading = trace.begin("plan");
  const variables = readVariables(operation.variables, sent);
  const fields = roots.of(operation, operation.collect(variables));
  if (counters.size > 0) {
    trace.end(reading);
    await limitRoots(fields, variables, who.caller, counters);
  }
  const planning = trace.resume("plan");
  const { services, registry, caller } = who;
  const mostBytes = Math.floor(largestPage / Math.max(fields.length, 1));
  const context = { services, registry, caller, variables, mostBytes };
  if (operation.kind === "mutation") {
    const tasks = fields.map((root) => inRoot(root.key, () => prepareWrite(root, context)));
    trace.end(planning);
    return objectText(tasks, await runMutation(tasks, context));
  }
  const tasks = fields.map((root) => inRoot(root.key, () => prepareRead(root, context)));
  trace.end(planning);
  return objectText(tasks, await runQuery(tasks));
}

function prepareRead(root: Root, context: GraphqlContext): Task<void> {
  if (root.kind === "list") return prepareList(root, context);
  return root.kind === "aggregate" ? prepareAggregate(root, context) : constant(root);
}

function prepareWrite(root: Root, context: GraphqlContext): Task<Transaction> {
  return root.kind === "mutation" ? prepareMutation(root, context) : constant(root);
}

/** `__typename` of the operation: what is left when the fields of its kind are told apart. */
function constant(root: Root): Task<unknown> {
  if (root.kind !== "typename") throw new Error(`${root.kind} is no root field of this operation`);
  return { key: root.key, run: async () => JSON.stringify(root.name) };
}

function objectText(tasks: readonly Pick<Task<unknown>, "key">[], values: readonly string[]): string {
  const entries = tasks.map(({ key }, index) => `${JSON.stringify(key)}:${values[index] ?? "null"}`);
  return `{${entries.join(",")}}`;
}
