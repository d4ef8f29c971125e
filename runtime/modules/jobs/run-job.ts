import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { CronTimes } from "../../../vocabulary/jobs.ts";
import { AfterResponse, type BackgroundTasks, type Trace } from "../../core/concurrency/index.ts";
import { type AppModules, appContext, extend, noHooksRunning, withCalls } from "../../hooks/context/index.ts";
import type { Principal } from "../../models/access/index.ts";
import type { InputReader } from "../../models/validation/index.ts";
import { FinalFailure, LeaseLost, WorkerStopping } from "./job-errors.ts";
import type { TakenJob } from "./queue.ts";
import type { JobRegistry, RegisteredJob } from "./registered-job.ts";

export interface JobRun {
  readonly id: string;
  readonly name: string;
  /** Starts at 1. */
  readonly attempt: number;
  readonly payload: unknown;
  /** New for each run. */
  readonly requestId: string;
  readonly log: Logger;
  /** Continues the trace of the code that enqueued the job. */
  readonly trace: Trace;
  readonly signal: AbortSignal;
}

/** A job of the app or of the service itself. */
export interface RunnableJob {
  readonly name: string;
  readonly read: InputReader;
  readonly attempts: number;
  readonly timeoutMs: number;
  readonly cron: CronTimes | null;
  readonly queue: string | null;
  run(run: JobRun): Promise<void>;
}

/** Runs a job until it ends or `end` aborts. Throws its failure; `FinalFailure` for an invalid payload. */
export async function runJob(
  job: RunnableJob,
  taken: TakenJob,
  end: AbortController,
  { log, trace }: Pick<JobRun, "log" | "trace">,
): Promise<void> {
  const { id, name, attempt, attempts } = taken;
  const requestId = randomUUID();
  const runLog = log.child({ request_id: requestId, ...trace.logFields, job: name, job_id: id });
  const startedAt = performance.now();
  const line = () => ({ attempt, duration_ms: Math.round((performance.now() - startedAt) * 100) / 100 });
  const { signal } = end;
  const timeout = new Error(`it took longer than ${job.timeoutMs / 1000} s`);
  const timer = setTimeout(() => end.abort(timeout), job.timeoutMs);
  try {
    const payload = await Promise.race([validPayload(job, taken.payload), aborted(signal)]);
    const run = { id, name, attempt, payload, requestId, log: runLog, trace, signal };
    await Promise.race([trace.within(() => job.run(run)), aborted(signal)]);
    trace.finish();
    runLog.info(line(), "job");
  } catch (error) {
    trace.finish(error);
    const isFinal = error instanceof FinalFailure || attempt >= attempts;
    if (signal.reason instanceof WorkerStopping)
      runLog.warn(line(), "a job was interrupted and waits again: this process stops");
    else if (!isFinal || signal.reason instanceof LeaseLost)
      runLog.warn({ ...line(), err: error }, "a job has failed and will be retried");
    else runLog.error({ ...line(), err: error }, "a job is dead: its last attempt has failed");
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The schema can have changed since the job was enqueued. */
async function validPayload({ read }: RunnableJob, sent: unknown): Promise<unknown> {
  const {
    problems: [problem],
    value,
  } = await read(sent);
  if (problem === undefined) return value;
  throw new FinalFailure(`its payload is invalid: ${problem.field || "payload"} ${problem.message}`);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** Jobs run as the system, not as a user. */
const system: Principal = Object.freeze({ user_id: null, role: "system", email: null });

export interface AppJobOptions {
  readonly modules: AppModules;
  /** Waits for the deferred work of a run. */
  readonly background: BackgroundTasks;
}

/** The app's jobs for a worker; each run gets its own context. */
export function appJobs(jobs: JobRegistry, surroundings: AppJobOptions): RunnableJob[] {
  return [...jobs.values()].map((job) => ({ ...job, run: (run) => runAppJob(job, run, surroundings) }));
}

async function runAppJob(
  job: RegisteredJob,
  { id, payload, requestId, log, trace, signal }: JobRun,
  { modules, background }: AppJobOptions,
): Promise<void> {
  const later = new AfterResponse(background);
  const chain = noHooksRunning;
  const origin = { principal: system, requestId, log, modules, address: `job ${id}`, trace, chain, later };
  let isDone = false;
  try {
    await withCalls(`the job ${job.name}`, (calls) => {
      const context = appContext({ origin, transaction: null }, calls);
      extend(context, { signal });
      return job.run(payload, context);
    });
    isDone = true;
  } finally {
    void later.begin(!isDone || signal.aborted);
  }
}
