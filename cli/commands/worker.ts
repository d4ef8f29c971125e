import { loadServiceLazily } from "../app/lazy-service.ts";
import { work, workerCommand } from "../service-commands/job-worker.ts";

/** `kirak worker`. */
export const command = workerCommand(loadServiceLazily);

/** Arguments are rare, so the parser is loaded only for them. */
export async function atOnce(words: readonly string[], root: string): Promise<boolean> {
  if (words.length > 0) return false;
  await work(loadServiceLazily, root, null);
  return true;
}
