import type { Trace } from "../../../core/concurrency/index.ts";
import type { Queryable } from "../../../core/database/index.ts";
import { inputReader } from "../../../models/validation/index.ts";
import { enqueue, type Runnable } from "../../jobs/index.ts";

/** A name with a colon cannot collide with the app's jobs. */
const name = "kirak:user-files";

const attempts = 10;

/** Enqueues the job that removes the files of a deleted user. It starts after the commit. */
export async function removeUserFiles(transaction: Queryable, trace: Trace, userId: string): Promise<void> {
  const payload = JSON.stringify({ user_id: userId });
  await enqueue(transaction, { name, payload, attempts, runAt: null, key: null, queue: null }, trace);
}

/** The job that removes the files below `users/<id>/`. `remove` can run again after a failure. */
export function userFilesJob(remove: (userId: string) => Promise<void>): Runnable {
  return {
    name,
    attempts,
    timeoutMs: 10 * 60_000,
    cron: null,
    queue: null,
    read: inputReader({
      type: "object",
      required: ["user_id"],
      properties: { user_id: { type: "string" } },
    }),
    run: ({ payload }) => remove(String(Object(payload).user_id)),
  };
}
