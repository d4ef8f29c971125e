import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "pino";
import { withTimeout } from "../concurrency/index.ts";
import { type Rhythm, usualRhythm } from "./heartbeat.ts";
import { endWithin, queuePool } from "./queue-pool.ts";
import { queueProblems, queueState } from "./queue-state.ts";
import type { Runnable } from "./run-job.ts";
import { beginShift } from "./shift.ts";
import type { Shift } from "./working-shift.ts";

export interface WorkerOptions {
  /** PostgreSQL itself. */
  readonly url: string;
  /** How many jobs at once. */
  readonly concurrency: number;
  /** All that it knows; it takes no others. */
  readonly jobs: readonly Runnable[];
  readonly log: Logger;
  readonly rhythm?: Rhythm;
  /** How often it asks for jobs that nobody told it of; default 2 s. */
  readonly pollMs?: number;
}

/** What runs jobs. */
export interface Worker {
  /** Takes no job any more, and waits so long for those that it has; what is not done by then waits again for another one. A database that is silent holds it up some seconds more. */
  stop(longestMs: number): Promise<void>;
  /** Takes no job any more. Those that it has wait again when this process is taken to be gone, and have used up an attempt. */
  abandon(): Promise<void>;
}

const againMs = 1_000;
/** How long the database may take to let go of connections. */
const goodbyeMs = 1_000;
const connections = 3;

/** Begins to run jobs, and goes on with it whatever becomes of the database in between. */
export function startWorker(options: WorkerOptions): Worker {
  const pool = queuePool({ url: options.url, log: options.log, maxConnections: connections });
  return new RunningWorker(options, pool);
}

class RunningWorker implements Worker {
  readonly #options: WorkerOptions;
  readonly #pool: pg.Pool;
  readonly #stopping = new AbortController();
  readonly #ended: Promise<void>;
  /** The one that takes jobs, and those before it that have some still. */
  readonly #shifts = new Set<Shift>();
  #longestMs = 0;
  #complaint = "";

  constructor(options: WorkerOptions, pool: pg.Pool) {
    this.#options = options;
    this.#pool = pool;
    this.#ended = this.#workInShifts();
  }

  async stop(longestMs: number): Promise<void> {
    this.#longestMs = longestMs;
    this.#stopping.abort();
    await Promise.all([...this.#shifts].map((shift) => shift.end(longestMs)));
    await withTimeout(this.#ended, goodbyeMs, "the database does not answer").catch(() => {});
    await endWithin(this.#pool, goodbyeMs);
  }

  async abandon(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#shifts].map((shift) => shift.abandon()));
    await endWithin(this.#pool, goodbyeMs);
  }

  /** The library gives up where the database was away at the wrong moment: then another shift begins, while the jobs of that one go on. */
  async #workInShifts(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const state = await queueState(this.#pool);
        if (state === "ready") await this.#workOnce();
        else this.#complain(`no jobs are run: ${queueProblems[state]}`);
      } catch (error) {
        if (!signal.aborted) this.#complain("no jobs are run for a moment", error);
      }
      await pause(againMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Once, however long it lasts: a right that is missing is not there a second later. */
  #complain(message: string, error?: unknown): void {
    const complaint = `${message} ${error}`;
    if (complaint !== this.#complaint)
      this.#options.log.warn(error === undefined ? {} : { err: error }, message);
    this.#complaint = complaint;
  }

  async #workOnce(): Promise<void> {
    const { concurrency, jobs, log, rhythm = usualRhythm, pollMs = 2_000 } = this.#options;
    // Else shift after shift could leave ever more jobs behind.
    if ([...this.#shifts].reduce((sum, before) => sum + before.jobs, 0) >= concurrency) return;
    const shift = await beginShift({ pool: this.#pool, concurrency, jobs, log, rhythm, pollMs });
    this.#shifts.add(shift);
    void shift.ended.then(() => this.#shifts.delete(shift));
    this.#complaint = "";
    // Told to stop while it began.
    if (this.#stopping.signal.aborted) await shift.end(this.#longestMs);
    await shift.over;
  }
}
