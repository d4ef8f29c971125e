import type { JsonObject } from "../../model/index.ts";
import { type Operation, readVariables } from "../document/index.ts";
import type { Asking } from "../plan/asking.ts";
import type { Root, Roots } from "../plan/roots.ts";
import { prepareList } from "./list.ts";
import { runQuery } from "./query.ts";
import type { Task } from "./task.ts";

/**
 * Runs an operation and gives its data as JSON text, keyed by root field. All root fields are checked before the first
 * statement runs, as far as they can be without one.
 */
export async function execute(
  operation: Operation,
  sent: JsonObject,
  roots: Roots,
  who: Omit<Asking, "variables">,
): Promise<string> {
  const asking = { ...who, variables: readVariables(operation, sent) };
  const fields = roots.of(operation, operation.collect(asking.variables));
  const tasks = fields.map((root) => prepare(root, asking));
  return objectText(tasks, await runQuery(tasks));
}

function prepare(root: Root, asking: Asking): Task<void> {
  if (root.kind === "list") return prepareList(root, asking);
  return { key: root.key, run: async () => JSON.stringify(root.name) };
}

function objectText(tasks: readonly Task<never>[], values: readonly string[]): string {
  const entries = tasks.map(({ key }, index) => `${JSON.stringify(key)}:${values[index] ?? "null"}`);
  return `{${entries.join(",")}}`;
}
