import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { CronTimes } from "../../vocabulary/cron-times.ts";
import type { Check } from "../validation/index.ts";
import { FinalFailure } from "./final-failure.ts";

/** One run of a job, as its own code is told. */
export interface JobRun {
  readonly id: string;
  readonly name: string;
  /** The first one is 1. */
  readonly attempt: number;
  readonly payload: unknown;
  /** Of this run alone. */
  readonly requestId: string;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** What a worker can run: a job of the app, or one of the service itself. */
export interface Runnable {
  readonly name: string;
  /** What is wrong with a payload. */
  readonly check: Check;
  readonly attempts: number;
  readonly timeoutMs: number;
  readonly cron: CronTimes | null;
  readonly queue: string | null;
  run(run: JobRun): Promise<void>;
}

/** A job that a worker has taken from the queue. */
export interface TakenJob {
  readonly id: string;
  readonly payload: unknown;
  readonly attempts: number;
  readonly max_attempts: number;
}

/** What a run needs of its worker. */
export interface RunSurroundings {
  readonly log: Logger;
  /** Aborted with a `WorkerStops` where the worker gives the job back. */
  readonly end: AbortController;
  /** Has the job be dead once this attempt has failed. */
  markDead(): Promise<void>;
}

/** Why a run is aborted that could have gone on. */
export class WorkerStops extends Error {
  override readonly name = "WorkerStops";
}

/** Why a run is aborted that others may do meanwhile. */
export class JobLost extends Error {
  override readonly name = "JobLost";
}

/**
 * Runs a job once. Rejects where the attempt has failed; a run that does not heed its signal is left to itself then. No line of the log
 * has the payload.
 */
export async function runJob(job: Runnable, taken: TakenJob, surroundings: RunSurroundings): Promise<void> {
  const { id, attempts: attempt, max_attempts: attempts } = taken;
  const requestId = randomUUID();
  const log = surroundings.log.child({ request_id: requestId, job: job.name, job_id: id });
  await requireFit(job, taken, { ...surroundings, log });
  const startedAt = performance.now();
  const line = () => ({ attempt, duration_ms: Math.round((performance.now() - startedAt) * 100) / 100 });
  const run = { id, name: job.name, attempt, payload: taken.payload, requestId, log };
  try {
    await withinTime(job, run, surroundings.end);
    log.info(line(), "job");
  } catch (error) {
    const isFinal = error instanceof FinalFailure;
    if (isFinal) await surroundings.markDead();
    if (surroundings.end.signal.reason instanceof WorkerStops)
      log.warn(line(), "a job that is not done waits again: this process stops");
    else if (attempt < attempts && !isFinal)
      log.warn({ ...line(), err: error }, "a job has failed, and is tried again");
    else log.error({ ...line(), err: error }, "a job is dead: its last attempt has failed");
    throw error;
  }
}

/** The schema may be another one than when the job was sent. */
async function requireFit(
  { check }: Runnable,
  { payload }: TakenJob,
  { log, markDead }: RunSurroundings,
): Promise<void> {
  const problems = check(payload).map(({ field, message }) => `${field || "payload"} ${message}`);
  if (problems.length === 0) return;
  await markDead();
  log.error(
    { problems: problems.slice(0, 20) },
    "a job is dead: its payload does not fit its schema any more",
  );
  throw new Error(`its payload does not fit: ${problems[0]}`);
}

async function withinTime(job: Runnable, run: Omit<JobRun, "signal">, end: AbortController): Promise<void> {
  const { signal } = end;
  const late = new Error(`it takes longer than ${job.timeoutMs / 1000} s`);
  const timer = setTimeout(() => end.abort(late), job.timeoutMs);
  try {
    await Promise.race([job.run({ ...run, signal }), aborted(signal)]);
  } finally {
    clearTimeout(timer);
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
