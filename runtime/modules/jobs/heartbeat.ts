import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { Queryable } from "../../core/database/index.ts";
import { freeLeases, renewLeases } from "./queue.ts";

/** How often workers renew their leases, and how long a lease lasts. */
export interface Rhythm {
  readonly renewMs: number;
  readonly leaseMs: number;
}

/** Jobs of a process that is gone wait again within 60 seconds (docs/jobs.md#what-holds). */
export const usualRhythm: Rhythm = { renewMs: 10_000, leaseMs: 30_000 };

/** After a failure the next renewal comes so many times sooner: a failover takes a moment, and must not cost the leases. */
const soonerTimes = 10;

interface HeartbeatOptions {
  readonly connection: Queryable;
  readonly rhythm: Rhythm;
  readonly log: Logger;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** The worker can take jobs. */
  ready(): void;
  /** Others may soon take the jobs of the worker, which goes on under another id. */
  lost(): void;
}

/** A clock that runs on evenly, and one that runs on while the machine sleeps. */
const now = () => ({ steady: performance.now(), wall: Date.now() });

/**
 * Renews the leases of a worker, and ends those of workers that are gone. A worker ends no leases at its first beat: after a pause of the
 * database or the machine, the others may need a moment to renew theirs.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #worker = randomUUID();
  /** No one takes the jobs of the worker until `leaseMs` after this moment; null before its first beat. */
  #renewed: ReturnType<typeof now> | null = null;
  #limit: NodeJS.Timeout | undefined;
  #hasComplained = false;
  /** Resolves when it has ended, and the beat under way is over. */
  readonly ended: Promise<void>;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.ended = this.#run();
  }

  /** The id of the worker; null as long as no lease would hold under it. */
  get worker(): string | null {
    return this.#renewed === null ? null : this.#worker;
  }

  async #run(): Promise<void> {
    const { signal, rhythm, log } = this.#options;
    while (!signal.aborted) {
      // The machine may have slept.
      if (this.#renewed !== null && this.#leftMs(this.#renewed) <= 0) this.#lose();
      const failure = await this.#beat().then(
        () => null,
        (error: unknown) => error,
      );
      if (failure !== null && !this.#hasComplained)
        log.warn({ err: failure }, "the leases of the jobs were not renewed");
      this.#hasComplained = failure !== null;
      const pauseMs = failure === null ? rhythm.renewMs : rhythm.renewMs / soonerTimes;
      await pause(pauseMs, undefined, { signal, ref: false }).catch(() => {});
    }
    clearTimeout(this.#limit);
  }

  async #beat(): Promise<void> {
    const { connection, rhythm, log, ready } = this.#options;
    const [worker, moment, isFirst] = [this.#worker, now(), this.#renewed === null];
    await renewLeases(connection, worker);
    // It was lost meanwhile.
    if (worker !== this.#worker) return;
    this.#renewed = moment;
    clearTimeout(this.#limit);
    this.#limit = setTimeout(() => this.#lose(), this.#leftMs(moment)).unref();
    if (isFirst) return ready();
    for (const { id, name, attempt, attempts } of await freeLeases(connection, rhythm.leaseMs / 1000)) {
      const line = { job: name, job_id: id, attempt, attempts };
      if (attempt >= attempts) log.error(line, "a job is dead: the process that ran it last is gone");
      else log.warn(line, "a job waits again: the process that ran it is gone");
    }
  }

  /** Before others take the jobs of the worker, its runs have the time of one renewal to end. */
  #leftMs({ steady, wall }: ReturnType<typeof now>): number {
    const { renewMs, leaseMs } = this.#options.rhythm;
    return leaseMs - renewMs - Math.max(performance.now() - steady, Date.now() - wall);
  }

  #lose(): void {
    clearTimeout(this.#limit);
    if (this.#options.signal.aborted) return;
    this.#worker = randomUUID();
    this.#renewed = null;
    this.#options.lost();
  }
}
