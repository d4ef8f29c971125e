import { EventEmitter } from "node:events";
import type { JobHelpers, Runner, TaskList, WorkerEvents } from "graphile-worker";
import type pg from "pg";
import type { Logger } from "pino";
import { withTimeout } from "../concurrency/index.ts";
import { cronItems, sentPayload } from "./cron-items.ts";
import { Heartbeat, type Rhythm } from "./heartbeat.ts";
import { giveBack, isHeld, markDead, signOff } from "./held-jobs.ts";
import { keptError } from "./kept-error.ts";
import { queueLogger } from "./queue-logger.ts";
import { queueSchema } from "./queue-tables.ts";
import { type Runnable, runJob, WorkerStops } from "./run-job.ts";

export interface ShiftOptions {
  readonly pool: pg.Pool;
  readonly concurrency: number;
  readonly jobs: readonly Runnable[];
  readonly log: Logger;
  readonly rhythm: Rhythm;
  readonly pollMs: number;
}

/** graphile-worker at work, under one name of its own. */
export interface Shift {
  /** Resolves when it is over, whatever the reason. */
  readonly ended: Promise<void>;
  end(longestMs: number): Promise<void>;
  /** Takes no job any more, and keeps those that it has. */
  abandon(): Promise<void>;
}

/** What is left to say that jobs are given back, and for them to end. */
const goodbyeMs = 1_000;

/** Begins to take jobs. Rejects where the database does not answer. */
export async function beginShift(options: ShiftOptions): Promise<Shift> {
  const { run } = await import("graphile-worker");
  const shift = new WorkingShift(options);
  const { pool, concurrency, jobs, log, pollMs } = options;
  const runner = await run({
    pgPool: pool,
    schema: queueSchema,
    concurrency,
    pollInterval: pollMs,
    // A pooler may stand between, where nobody has said how PostgreSQL itself is reached.
    noPreparedStatements: true,
    noHandleSignals: true,
    taskList: shift.tasks,
    parsedCronItems: await cronItems(jobs),
    events: shift.events,
    logger: await queueLogger(log),
    // Else what the database refuses at the end of a job would end the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  });
  shift.follow(runner);
  return shift;
}

class WorkingShift implements Shift {
  readonly events: WorkerEvents = new EventEmitter();
  readonly tasks: TaskList;
  ended: Promise<void> = Promise.resolve();
  readonly #options: ShiftOptions;
  readonly #underWay = new Map<string, AbortController>();
  #name = "";
  #heartbeat: Heartbeat | null = null;
  #runner: Runner | null = null;

  constructor(options: ShiftOptions) {
    this.#options = options;
    this.tasks = Object.fromEntries(
      options.jobs.map((job) => [job.name, (_payload, helpers) => this.#run(job, helpers)]),
    );
    this.events.on("pool:create", ({ workerPool }) => {
      this.#name = workerPool.id;
      this.#heartbeat = new Heartbeat(options.pool, workerPool.id, options.rhythm, options.log);
      this.#heartbeat.start();
    });
  }

  follow(runner: Runner): void {
    this.#runner = runner;
    // What it complains of has been logged.
    this.ended = runner.promise.then(
      () => this.#signOff(),
      () => this.#signOff(),
    );
  }

  async end(longestMs: number): Promise<void> {
    this.#runner?.stop().catch(() => {});
    const patience = Math.max(0, longestMs - goodbyeMs);
    await withTimeout(this.ended, patience, "jobs are under way").catch(() => {});
    await this.#giveBack();
    await withTimeout(this.ended, goodbyeMs, "the database does not answer").catch(() => {});
  }

  async abandon(): Promise<void> {
    this.#heartbeat?.stop();
    this.#runner?.stop().catch(() => {});
  }

  async #run(job: Runnable, { job: taken }: JobHelpers): Promise<void> {
    const { pool, log } = this.#options;
    const end = new AbortController();
    this.#underWay.set(taken.id, end);
    try {
      await runJob(
        job,
        { ...taken, payload: sentPayload(taken.payload) },
        {
          log,
          end,
          markDead: () => markDead(pool, this.#name, taken.id),
        },
      );
      await this.#requireHeld(taken.id);
    } catch (error) {
      throw keptError(error);
    } finally {
      this.#underWay.delete(taken.id);
    }
  }

  /** Whoever was not heard of for long may have lost the job: what would be removed as done is another one's by then, or waits anew. */
  async #requireHeld(id: string): Promise<void> {
    if (this.#heartbeat?.isHeard === true) return;
    await this.#heartbeat?.beat();
    if (!(await isHeld(this.#options.pool, this.#name, id))) throw new Error("the job was lost meanwhile");
  }

  async #giveBack(): Promise<void> {
    const left = [...this.#underWay];
    if (left.length === 0) return;
    const ids = left.map(([id]) => id);
    await giveBack(this.#options.pool, this.#name, ids).catch((error: unknown) =>
      this.#options.log.warn(
        { err: error },
        "jobs are not given back: they wait again when this process is gone",
      ),
    );
    for (const [, end] of left) end.abort(new WorkerStops("this process stops"));
  }

  async #signOff(): Promise<void> {
    this.#heartbeat?.stop();
    await signOff(this.#options.pool, this.#name).catch(() => {});
  }
}
