import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { type Trace, withTimeout } from "../../core/concurrency/index.ts";
import { createDatabase, type Database, SideConnection } from "../../core/database/index.ts";
import { jobTraces } from "../../core/telemetry/index.ts";
import { enqueueBySchedule } from "./cron.ts";
import { defaultTiming, Heartbeat, type HeartbeatTiming } from "./heartbeat.ts";
import { FinalFailure, LeaseLost, WorkerStopping } from "./job-errors.ts";
import {
  channel,
  completeJob,
  failJob,
  isQueueConflict,
  releaseJob,
  removeWorker,
  type TakenJob,
  takeJob,
} from "./queue.ts";
import { tablesProblem } from "./queue-schema.ts";
import { type RunnableJob, runJob } from "./run-job.ts";

export interface WorkerOptions {
  /** Direct URL of PostgreSQL: poolers do not support LISTEN. */
  readonly url: string;
  /** Most concurrent jobs. */
  readonly concurrency: number;
  /** The worker takes only jobs with these names. */
  readonly jobs: readonly RunnableJob[];
  readonly log: Logger;
  readonly timing?: HeartbeatTiming;
  /** Polling interval in addition to notifications; default 2 s. */
  readonly pollMs?: number;
}

export interface Worker {
  /**
   * Takes no new jobs, waits for running jobs and releases the rest. A database that does not respond adds
   * seconds.
   */
  stop(longestMs: number): Promise<void>;
  /** Takes no new jobs. Running jobs are retried after their leases expire, with one attempt less. */
  abandon(): Promise<void>;
}

const retryMs = 500;
/** Pause after a failure of the queue. */
const failurePauseMs = 1_000;
/** Time for aborted runs to end and for connections to close. */
const closeMs = 1_000;
/** Time to release the jobs on a slow database. */
const releaseMs = 5_000;
/** Lease renewals need a free connection at all times. */
const limits = { maxConnections: 4, statementTimeoutMs: 5_000, lockTimeoutMs: 1_000, namedStatements: false };

/** Starts a worker, which survives database outages. */
export function startWorker(options: WorkerOptions): Worker {
  return new RunningWorker(options);
}

interface Run {
  readonly end: AbortController;
  ended: Promise<void>;
}

class RunningWorker implements Worker {
  readonly #options: WorkerOptions;
  readonly #jobs: ReadonlyMap<string, RunnableJob>;
  readonly #queue: Database;
  readonly #traceOf: (taken: TakenJob) => Trace;
  readonly #notifications: SideConnection<never>;
  #heartbeat: Heartbeat | null = null;
  /** By job id. */
  readonly #runs = new Map<string, Run>();
  /** Aborts when the worker takes no more jobs. */
  readonly #stopping = new AbortController();
  /** Aborts when the worker renews no leases and records no results. */
  readonly #abandoned = new AbortController();
  readonly #working: Promise<void>;
  #isWoken = false;
  #endWait: (() => void) | null = null;
  #lastWarning = "";

  constructor(options: WorkerOptions) {
    const { url, jobs, log } = options;
    this.#options = options;
    this.#jobs = new Map(jobs.map((job) => [job.name, job]));
    this.#traceOf = jobTraces(log);
    this.#queue = createDatabase({ url, log, ...limits });
    const subscription = { url, name: "kirak jobs", text: `listen ${channel}`, keeps: true };
    this.#notifications = new SideConnection({ ...subscription, onNotification: () => this.#wake() });
    this.#working = this.#work();
  }

  async stop(longestMs: number): Promise<void> {
    this.#stopTaking();
    const idle = this.#idle();
    await withTimeout(idle, Math.max(0, longestMs - closeMs), "jobs run").catch(() => {});
    const graceMs = this.#runs.size > 0 ? releaseMs : closeMs;
    this.#abortAll(new WorkerStopping("this process stops"));
    await withTimeout(idle, graceMs, "the database does not answer").catch(() => {});
    this.#abandoned.abort();
    for (const id of this.#runs.keys())
      this.#options.log.warn({ job_id: id }, "cannot release a job: it waits again after its lease expires");
    await withTimeout(this.#removeFromQueue(), closeMs, "the database does not answer").catch(() => {});
    await this.#queue.close();
  }

  async abandon(): Promise<void> {
    this.#abandoned.abort();
    this.#stopTaking();
    await withTimeout(this.#queue.close(), closeMs, "the database does not answer").catch(() => {});
  }

  #stopTaking(): void {
    this.#stopping.abort();
    this.#notifications.close();
    this.#wake();
  }

  /** A worker that still has jobs keeps its row, so that its leases expire. */
  async #removeFromQueue(): Promise<void> {
    await this.#heartbeat?.ended;
    const worker = this.#heartbeat?.worker ?? null;
    if (worker !== null && this.#runs.size === 0) await removeWorker(this.#queue, worker);
  }

  async #idle(): Promise<void> {
    await this.#working;
    await Promise.all([...this.#runs.values()].map(({ ended }) => ended));
  }

  #abortAll(reason: Error): void {
    for (const { end } of this.#runs.values()) end.abort(reason);
  }

  async #work(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        if (await this.#isReady()) {
          this.#isWoken = false;
          await this.#takeAll();
          this.#lastWarning = "";
          await this.#waitForWork();
          continue;
        }
      } catch (error) {
        if (!signal.aborted) this.#warnOnce("cannot take jobs: retrying", error);
      }
      await pause(failurePauseMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Starts the heartbeat, the notifications and the schedule once the queue's tables exist. */
  async #isReady(): Promise<boolean> {
    if (this.#heartbeat !== null) return true;
    const problem = await tablesProblem(this.#queue);
    if (problem !== null) this.#warnOnce(`cannot take jobs: ${problem}`);
    if (problem !== null || this.#stopping.signal.aborted) return false;
    const { jobs, log, timing = defaultTiming } = this.#options;
    const shared = { connection: this.#queue, log };
    const callbacks = { ready: () => this.#wake(), lost: () => this.#abortLost() };
    this.#heartbeat = new Heartbeat({
      ...shared,
      timing,
      signal: this.#abandoned.signal,
      ...callbacks,
    });
    this.#listen();
    void enqueueBySchedule(jobs, { ...shared, signal: this.#stopping.signal });
    return true;
  }

  async #takeAll(): Promise<void> {
    while (!this.#stopping.signal.aborted && this.#runs.size < this.#options.concurrency) {
      const worker = this.#heartbeat?.worker ?? null;
      if (worker === null) return;
      try {
        const taken = await takeJob(this.#queue, worker, [...this.#jobs.keys()]);
        if (taken === null) return;
        await this.#start(taken, worker);
      } catch (error) {
        if (!isQueueConflict(error)) throw error;
      }
    }
  }

  async #start(taken: TakenJob, worker: string): Promise<void> {
    const job = this.#jobs.get(taken.name);
    // The leases were lost or the worker was abandoned during the take, so this lease expires, too.
    if (job === undefined || this.#abandoned.signal.aborted || worker !== this.#heartbeat?.worker) return;
    if (this.#stopping.signal.aborted) return releaseJob(this.#queue, taken);
    this.#runs.get(taken.id)?.end.abort(new LeaseLost("the job was started again after its lease expired"));
    const run: Run = { end: new AbortController(), ended: Promise.resolve() };
    this.#runs.set(taken.id, run);
    run.ended = this.#run(job, taken, run.end).finally(() => {
      if (this.#runs.get(taken.id) === run) this.#runs.delete(taken.id);
      this.#wake();
    });
  }

  async #run(job: RunnableJob, taken: TakenJob, end: AbortController): Promise<void> {
    const { log } = this.#options;
    const record = (write: () => Promise<void>) => this.#record(taken, end.signal, write);
    try {
      await runJob(job, taken, end, { log, trace: this.#traceOf(taken) });
    } catch (error) {
      if (end.signal.reason instanceof WorkerStopping) return record(() => releaseJob(this.#queue, taken));
      return record(() => failJob(this.#queue, taken, error, error instanceof FinalFailure));
    }
    await record(() => completeJob(this.#queue, taken));
  }

  /** Retries while the worker has the job: the database can be unavailable for a moment. */
  async #record({ id }: TakenJob, signal: AbortSignal, write: () => Promise<void>): Promise<void> {
    for (
      let isFirst = true;
      !this.#abandoned.signal.aborted && !(signal.reason instanceof LeaseLost);
      isFirst = false
    ) {
      try {
        return await write();
      } catch (error) {
        if (isFirst)
          this.#options.log.warn({ err: error, job_id: id }, "cannot record the result of a job: retrying");
      }
      await pause(retryMs, undefined, { ref: false });
    }
  }

  /** Other workers can have taken its jobs. */
  #abortLost(): void {
    if (this.#runs.size > 0)
      this.#options.log.warn("aborting the running jobs: other workers can have taken them");
    this.#abortAll(new LeaseLost("the lease was lost: the database was unreachable for too long"));
  }

  /** Waits for a new job, the end of a run or the polling interval. */
  async #waitForWork(): Promise<void> {
    if (this.#isWoken) return;
    const { pollMs = 2_000 } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#endWait = resolve;
      timer = setTimeout(() => {
        this.#listen();
        resolve();
      }, pollMs);
    });
    clearTimeout(timer);
    this.#endWait = null;
  }

  /** Subscribes to new jobs, again after a lost connection. */
  #listen(): void {
    this.#notifications.ask().catch(() => {});
  }

  #wake(): void {
    this.#isWoken = true;
    this.#endWait?.();
  }

  /** Logs each cause once, because it can last. */
  #warnOnce(message: string, error?: unknown): void {
    const warning = `${message} ${error}`;
    if (warning !== this.#lastWarning)
      this.#options.log.warn(error === undefined ? {} : { err: error }, message);
    this.#lastWarning = warning;
  }
}
