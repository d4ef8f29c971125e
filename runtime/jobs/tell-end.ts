import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { giveBack, type HeldJob, noteFailed, removeDone } from "./ends-of-jobs.ts";
import type { QueueConnection } from "./held-jobs.ts";
import { WorkerStops } from "./run-job.ts";

/** What the end of a run is told to. The library's own word comes later and finds nothing to do: it does not ask whose the job is. */
export interface QueueOfRun {
  readonly pool: QueueConnection;
  readonly log: Logger;
  readonly held: HeldJob;
  /** That of the run. */
  readonly signal: AbortSignal;
  /** Whether the worker has lost its jobs. */
  isLost(): boolean;
}

/** After that the database is told once more. */
const againMs = 500;

/** Removes a job that is done. Rejects where it was lost. */
export async function tellDone(queue: QueueOfRun): Promise<void> {
  const wasHeld = await untilTold(queue, () => removeDone(queue.pool, queue.held));
  // Else the library would remove it, whose ever it is.
  if (!wasHeld) throw new Error("the job was lost meanwhile");
}

/** Has a job wait again whose run has failed, or was stopped; not where it is in the hands of others. */
export async function tellUndone(queue: QueueOfRun, error: unknown): Promise<void> {
  const { pool, held, log, signal } = queue;
  if (queue.isLost()) return;
  if (!isStopped(signal)) return untilTold(queue, () => noteFailed(pool, held, error));
  await giveBack(pool, held).catch((problem: unknown) =>
    log.warn(
      { err: problem, job_id: held.id },
      "a job is not given back: it waits again when this process is gone",
    ),
  );
}

/** Again and again, as long as the job is this worker's: the database may be away for a moment, and what is done is done. */
async function untilTold<Value>(
  { log, signal, held, isLost }: QueueOfRun,
  tell: () => Promise<Value>,
): Promise<Value> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await tell();
    } catch (error) {
      if (isLost() || isStopped(signal)) throw error;
      if (isFirst)
        log.warn({ err: error, job_id: held.id }, "the queue is told of the end of a job once more");
    }
    await pause(againMs);
  }
}

function isStopped({ reason }: AbortSignal): boolean {
  return reason instanceof WorkerStops;
}
