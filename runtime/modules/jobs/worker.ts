import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { withTimeout } from "../../core/concurrency/index.ts";
import { createDatabase, type Database, SideConnection } from "../../core/database/index.ts";
import { sendByClock } from "./cron.ts";
import { Heartbeat, type Rhythm, usualRhythm } from "./heartbeat.ts";
import { FinalFailure, JobLost, WorkerStops } from "./job-errors.ts";
import {
  channel,
  completeJob,
  failJob,
  isTakenTwice,
  releaseJob,
  removeWorker,
  type TakenJob,
  takeJob,
} from "./queue.ts";
import { tablesProblem } from "./queue-schema.ts";
import { type Runnable, runJob } from "./run-job.ts";

export interface WorkerOptions {
  /** Direct URL of PostgreSQL: poolers do not support LISTEN. */
  readonly url: string;
  /** Most concurrent jobs. */
  readonly concurrency: number;
  /** The worker takes only jobs with these names. */
  readonly jobs: readonly Runnable[];
  readonly log: Logger;
  readonly rhythm?: Rhythm;
  /** Polling interval in addition to notifications; default 2 s. */
  readonly pollMs?: number;
}

export interface Worker {
  /** Takes no new jobs and waits for running ones; others retry the rest. A silent database adds seconds. */
  stop(longestMs: number): Promise<void>;
  /** Takes no new jobs. Running jobs are retried after their leases expire, with one attempt less. */
  abandon(): Promise<void>;
}

const againMs = 500;
/** Pause after a failure of the queue. */
const troubledMs = 1_000;
/** Time for aborted runs to end and for connections to close. */
const goodbyeMs = 1_000;
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
  readonly #jobs: ReadonlyMap<string, Runnable>;
  readonly #queue: Database;
  readonly #bell: SideConnection<never>;
  #heartbeat: Heartbeat | null = null;
  /** By job id. */
  readonly #runs = new Map<string, Run>();
  /** Aborts when the worker takes no more jobs. */
  readonly #stopping = new AbortController();
  /** Aborts when the worker renews no leases and records no results. */
  readonly #over = new AbortController();
  readonly #working: Promise<void>;
  #isCalled = false;
  #call: (() => void) | null = null;
  #complaint = "";

  constructor(options: WorkerOptions) {
    const { url, jobs, log } = options;
    this.#options = options;
    this.#jobs = new Map(jobs.map((job) => [job.name, job]));
    this.#queue = createDatabase({ url, log, ...limits });
    const question = { url, name: "kirak jobs", text: `listen ${channel}`, keeps: true };
    this.#bell = new SideConnection({ ...question, onNotification: () => this.#ring() });
    this.#working = this.#work();
  }

  async stop(longestMs: number): Promise<void> {
    this.#takeNoMore();
    const idle = this.#idle();
    await withTimeout(idle, Math.max(0, longestMs - goodbyeMs), "jobs run").catch(() => {});
    const patience = this.#runs.size > 0 ? releaseMs : goodbyeMs;
    this.#abortAll(new WorkerStops("this process stops"));
    await withTimeout(idle, patience, "the database does not answer").catch(() => {});
    this.#over.abort();
    for (const id of this.#runs.keys())
      this.#options.log.warn(
        { job_id: id },
        "a job was not given back: it waits again once its lease is over",
      );
    await withTimeout(this.#signOff(), goodbyeMs, "the database does not answer").catch(() => {});
    await this.#queue.close();
  }

  async abandon(): Promise<void> {
    this.#over.abort();
    this.#takeNoMore();
    await withTimeout(this.#queue.close(), goodbyeMs, "the database does not answer").catch(() => {});
  }

  #takeNoMore(): void {
    this.#stopping.abort();
    this.#bell.close();
    this.#ring();
  }

  /** A worker that still has jobs keeps its row, so that its leases expire. */
  async #signOff(): Promise<void> {
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
          this.#isCalled = false;
          await this.#takeAll();
          this.#complaint = "";
          await this.#rest();
          continue;
        }
      } catch (error) {
        if (!signal.aborted) this.#complain("no jobs are run for a moment", error);
      }
      await pause(troubledMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Starts the other tasks of the worker once the queue's tables exist. */
  async #isReady(): Promise<boolean> {
    if (this.#heartbeat !== null) return true;
    const problem = await tablesProblem(this.#queue);
    if (problem !== null) this.#complain(`no jobs are run: ${problem}`);
    if (problem !== null || this.#stopping.signal.aborted) return false;
    const { jobs, log, rhythm = usualRhythm } = this.#options;
    const shared = { connection: this.#queue, log };
    const told = { ready: () => this.#ring(), lost: () => this.#lose() };
    this.#heartbeat = new Heartbeat({ ...shared, rhythm, signal: this.#over.signal, ...told });
    this.#listen();
    void sendByClock(jobs, { ...shared, signal: this.#stopping.signal });
    return true;
  }

  async #takeAll(): Promise<void> {
    while (!this.#stopping.signal.aborted && this.#runs.size < this.#options.concurrency) {
      const worker = this.#heartbeat?.worker ?? null;
      if (worker === null) return;
      try {
        const taken = await takeJob(this.#queue, worker, [...this.#jobs.keys()]);
        if (taken === null) return;
        await this.#begin(taken, worker);
      } catch (error) {
        if (!isTakenTwice(error)) throw error;
      }
    }
  }

  async #begin(taken: TakenJob, worker: string): Promise<void> {
    const job = this.#jobs.get(taken.name);
    // The worker was lost or abandoned during the take, so the lease ends with it.
    if (job === undefined || this.#over.signal.aborted || worker !== this.#heartbeat?.worker) return;
    if (this.#stopping.signal.aborted) return releaseJob(this.#queue, taken);
    this.#runs.get(taken.id)?.end.abort(new JobLost("the job was taken again"));
    const run: Run = { end: new AbortController(), ended: Promise.resolve() };
    this.#runs.set(taken.id, run);
    run.ended = this.#run(job, taken, run.end).finally(() => {
      if (this.#runs.get(taken.id) === run) this.#runs.delete(taken.id);
      this.#ring();
    });
  }

  async #run(job: Runnable, taken: TakenJob, end: AbortController): Promise<void> {
    const { log } = this.#options;
    const record = (write: () => Promise<void>) => this.#record(taken, end.signal, write);
    try {
      await runJob(job, taken, end, log);
    } catch (error) {
      if (end.signal.reason instanceof WorkerStops) return record(() => releaseJob(this.#queue, taken));
      return record(() => failJob(this.#queue, taken, error, error instanceof FinalFailure));
    }
    await record(() => completeJob(this.#queue, taken));
  }

  /** Retries while the worker has the job: the database can be unavailable for a moment. */
  async #record({ id }: TakenJob, signal: AbortSignal, write: () => Promise<void>): Promise<void> {
    for (
      let isFirst = true;
      !this.#over.signal.aborted && !(signal.reason instanceof JobLost);
      isFirst = false
    ) {
      try {
        return await write();
      } catch (error) {
        if (isFirst)
          this.#options.log.warn(
            { err: error, job_id: id },
            "the end of a job could not be recorded: trying again",
          );
      }
      await pause(againMs, undefined, { ref: false });
    }
  }

  /** Other workers can have taken its jobs. */
  #lose(): void {
    if (this.#runs.size > 0)
      this.#options.log.warn("the jobs that run here are aborted: others may have taken them meanwhile");
    this.#abortAll(new JobLost("the job was lost: the database was not reached for too long"));
  }

  /** Waits for a new job, the end of a run or the polling interval. */
  async #rest(): Promise<void> {
    if (this.#isCalled) return;
    const { pollMs = 2_000 } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#call = resolve;
      timer = setTimeout(() => {
        this.#listen();
        resolve();
      }, pollMs);
    });
    clearTimeout(timer);
    this.#call = null;
  }

  /** Repeats after a lost connection. */
  #listen(): void {
    this.#bell.ask().catch(() => {});
  }

  #ring(): void {
    this.#isCalled = true;
    this.#call?.();
  }

  /** Logs each cause once, because it can last. */
  #complain(message: string, error?: unknown): void {
    const complaint = `${message} ${error}`;
    if (complaint !== this.#complaint)
      this.#options.log.warn(error === undefined ? {} : { err: error }, message);
    this.#complaint = complaint;
  }
}
