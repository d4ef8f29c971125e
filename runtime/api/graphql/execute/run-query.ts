import { RootFailure } from "../root-failure.ts";
import type { Task } from "./task.ts";

/** Connections that one request may take at once, however many root fields it has: others want some too. */
const mostAtOnce = 4;

/**
 * Runs the root fields of a query, each a statement of its own and no transaction around them. Where several fail, the
 * first one in the document speaks. Errors: `RootFailure`.
 */
export async function runQuery(tasks: readonly Task<void>[]): Promise<string[]> {
  const [only] = tasks;
  if (only !== undefined && tasks.length === 1) return [await runTask(only)];
  const results: PromiseSettledResult<string>[] = [];
  const waiting = tasks.entries();
  let failed = false;
  const lane = async () => {
    for (const [index, task] of waiting) {
      // What has not begun stands behind what failed, and would not be heard.
      if (failed) return;
      const [result] = await Promise.allSettled([runTask(task)]);
      results[index] = result;
      failed ||= result.status === "rejected";
    }
  };
  await Promise.all(Array.from({ length: mostAtOnce }, lane));
  return results.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
}

async function runTask({ key, run }: Task<void>): Promise<string> {
  try {
    return await run();
  } catch (error) {
    throw new RootFailure(key, error);
  }
}
