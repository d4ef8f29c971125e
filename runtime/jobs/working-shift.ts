import { EventEmitter } from "node:events";
import type { JobHelpers, Runner, TaskList, WorkerEvents } from "graphile-worker";
import type pg from "pg";
import type { Logger } from "pino";
import { withTimeout } from "../concurrency/index.ts";
import { sentPayload } from "./cron-items.ts";
import { giveBack, type HeldJob, markDead } from "./ends-of-jobs.ts";
import { Heartbeat, type Rhythm } from "./heartbeat.ts";
import { signOff } from "./held-jobs.ts";
import { JobLost, type Runnable, runJob, WorkerStops } from "./run-job.ts";
import { tellDone, tellUndone } from "./tell-end.ts";

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
  /** Resolves when it takes no job any more, whatever the reason: it may have some still. */
  readonly over: Promise<void>;
  /** Resolves when it has no job any more either. */
  readonly ended: Promise<void>;
  /** How many jobs it has. */
  readonly jobs: number;
  end(longestMs: number): Promise<void>;
  /** Takes no job any more, and keeps those that it has. */
  abandon(): Promise<void>;
}

/** What is left to runs, where they are aborted within the time that somebody gives them. */
const goodbyeMs = 1_000;
/** For them to be given back; a database that answers does so long before. */
const answerMs = 5_000;

/** The library would have the process end with a code of its own where any other one migrates its tables, in whichever schema. */
function keepExitCode(): void {
  const { exitCode } = process;
  queueMicrotask(() => {
    process.exitCode = exitCode;
  });
}

/** What the library calls, and what goes on under its name. */
export class WorkingShift implements Shift {
  readonly events: WorkerEvents = new EventEmitter();
  readonly tasks: TaskList;
  readonly over: Promise<void>;
  ended: Promise<void> = Promise.resolve();
  readonly #options: ShiftOptions;
  readonly #underWay = new Map<string, AbortController>();
  #name = "";
  #isLost = false;
  #isAborted = false;
  #refused: Promise<unknown> = Promise.resolve();
  #heartbeat: Heartbeat | null = null;
  #runner: Runner | null = null;

  constructor(options: ShiftOptions) {
    const { jobs, pool, rhythm, log } = options;
    this.#options = options;
    this.tasks = Object.fromEntries(
      jobs.map((job) => [job.name, (_payload, helpers) => this.#run(job, helpers)]),
    );
    this.events.on("pool:create", ({ workerPool: { id } }) => {
      this.#name = id;
      this.#heartbeat = new Heartbeat(pool, id, rhythm, log, () => this.#lose());
      this.#heartbeat.start();
    });
    this.events.on("pool:listen:notification", keepExitCode);
    this.over = new Promise((resolve) => this.events.once("pool:gracefulShutdown", () => resolve()));
  }

  get jobs(): number {
    return this.#underWay.size;
  }

  follow(runner: Runner): void {
    this.#runner = runner;
    // What it complains of has been logged.
    this.ended = runner.promise.then(
      () => this.#signOff(),
      () => this.#signOff(),
    );
    if (this.#isLost) this.#takeNoMore();
  }

  async end(longestMs: number): Promise<void> {
    this.#takeNoMore();
    const patience = Math.max(0, longestMs - goodbyeMs);
    await withTimeout(this.ended, patience, "jobs are under way").catch(() => {});
    const left = this.jobs > 0 ? answerMs : goodbyeMs;
    this.#abortAll(new WorkerStops("this process stops"));
    await withTimeout(this.ended, left, "the database does not answer").catch(() => {});
  }

  async abandon(): Promise<void> {
    void this.#heartbeat?.stop();
    this.#takeNoMore();
  }

  #takeNoMore(): void {
    this.#runner?.stop().catch(() => {});
  }

  #abortAll(reason: Error): void {
    this.#isAborted = true;
    for (const end of this.#underWay.values()) end.abort(reason);
  }

  /** Others are about to take its jobs, or have done so. Under its name none of them must be taken again, which its runs go by. */
  #lose(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    void this.#heartbeat?.stop();
    this.#options.log.warn("the jobs that are run here are aborted: others may have taken them meanwhile");
    this.#abortAll(new JobLost("the job was lost: the database was not reached for too long"));
    this.#takeNoMore();
  }

  async #run(job: Runnable, { job: taken }: JobHelpers): Promise<void> {
    const { pool, log } = this.#options;
    const held = { id: taken.id, worker: this.#name };
    if (this.#underWay.has(taken.id)) this.#lose();
    if (this.#isAborted) return this.#refuse(held);
    const end = new AbortController();
    const queue = { pool, log, held, signal: end.signal, isLost: () => this.#isLost };
    this.#underWay.set(taken.id, end);
    try {
      const payload = sentPayload(taken.payload);
      await runJob(job, { ...taken, payload }, { log, end, markDead: () => markDead(pool, held) });
      await tellDone(queue);
    } catch (error) {
      await tellUndone(queue, error);
      // The library has a job of this id wait that is locked under this name, whoever's run it is.
      await this.#refused;
      throw new Error("a run that is not done", { cause: error });
    } finally {
      this.#underWay.delete(taken.id);
    }
  }

  /** It was asked for before, or is under way here: it was taken from this worker then, and by it once more. */
  async #refuse(held: HeldJob): Promise<never> {
    const given = giveBack(this.#options.pool, held);
    this.#refused = given.catch(() => {});
    await given;
    throw new Error("no job is begun any more");
  }

  async #signOff(): Promise<void> {
    await this.#heartbeat?.stop();
    await signOff(this.#options.pool, this.#name).catch(() => {});
  }
}
