import type { Task } from "./task.ts";

/**
 * Runs the root fields of a query, each a statement of its own and no transaction around them. Where several fail, the
 * first one in the document speaks.
 */
export async function runQuery(tasks: readonly Task<void>[]): Promise<string[]> {
  const [only] = tasks;
  if (only !== undefined && tasks.length === 1) return [await only.run()];
  const results = await Promise.allSettled(tasks.map((task) => task.run()));
  return results.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
}
