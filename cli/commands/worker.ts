import { loadLater } from "../app/load-later.ts";
import { work, workerCommand } from "../service-commands/job-worker.ts";

/** `kirak worker`. */
export const command = workerCommand(loadLater);

/** Words to read are rare, and what reads them is loaded for them alone. */
export async function atOnce(words: readonly string[], root: string): Promise<boolean> {
  if (words.length > 0) return false;
  await work(loadLater, root, null);
  return true;
}
