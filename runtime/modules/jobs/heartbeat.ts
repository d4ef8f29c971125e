import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { Queryable } from "../../core/database/index.ts";
import { endExpiredLeases, renewLeases } from "./queue.ts";

export interface HeartbeatTiming {
  readonly renewMs: number;
  readonly leaseMs: number;
}

/** Jobs of a crashed process are available again within 60 seconds (docs/jobs.md#guarantees). */
export const defaultTiming: HeartbeatTiming = { renewMs: 10_000, leaseMs: 30_000 };

/** Renew sooner after a failure, so that a database failover does not cost the leases. */
const retryFactor = 10;

interface HeartbeatOptions {
  readonly connection: Queryable;
  readonly timing: HeartbeatTiming;
  readonly log: Logger;
  /** Stops the heartbeat. */
  readonly signal: AbortSignal;
  /** The worker can take jobs. */
  ready(): void;
  /** Other workers can soon take its jobs; the worker continues under a new id. */
  lost(): void;
}

/** A monotonic clock, and a wall clock that continues while the machine sleeps. */
const now = () => ({ steady: performance.now(), wall: Date.now() });

/** Renews a worker's leases. Ends expired leases of others, but not in its first beat: others can be late, too. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #worker = randomUUID();
  /** Other workers take no jobs of the worker until `leaseMs` after it; null before the first beat. */
  #renewedAt: ReturnType<typeof now> | null = null;
  #expiry: NodeJS.Timeout | undefined;
  #hasWarned = false;
  /** Resolves after the current beat has finished. */
  readonly ended: Promise<void>;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.ended = this.#run();
  }

  /** The worker's id; null while it could hold no lease. */
  get worker(): string | null {
    return this.#renewedAt === null ? null : this.#worker;
  }

  async #run(): Promise<void> {
    const { signal, timing, log } = this.#options;
    while (!signal.aborted) {
      // The machine can have slept.
      if (this.#renewedAt !== null && this.#leftMs(this.#renewedAt) <= 0) this.#loseLeases();
      const failure = await this.#beat().then(
        () => null,
        (error: unknown) => error,
      );
      if (failure !== null && !this.#hasWarned)
        log.warn({ err: failure }, "cannot renew the leases of the jobs: retrying");
      this.#hasWarned = failure !== null;
      const pauseMs = failure === null ? timing.renewMs : timing.renewMs / retryFactor;
      await pause(pauseMs, undefined, { signal, ref: false }).catch(() => {});
    }
    clearTimeout(this.#expiry);
  }

  async #beat(): Promise<void> {
    const { connection, timing, log, ready } = this.#options;
    const [worker, moment, isFirst] = [this.#worker, now(), this.#renewedAt === null];
    await renewLeases(connection, worker);
    // The heartbeat lost the worker during the query.
    if (worker !== this.#worker) return;
    this.#renewedAt = moment;
    clearTimeout(this.#expiry);
    this.#expiry = setTimeout(() => this.#loseLeases(), this.#leftMs(moment)).unref();
    if (isFirst) return ready();
    for (const { id, name, attempt, attempts } of await endExpiredLeases(connection, timing.leaseMs / 1000)) {
      const line = { job: name, job_id: id, attempt, attempts };
      if (attempt >= attempts) log.error(line, "a job is dead: the process of its last attempt is gone");
      else log.warn(line, "a job waits again: the process that ran it is gone");
    }
  }

  /** Runs get the time of one renewal to end before other workers take their jobs. */
  #leftMs({ steady, wall }: ReturnType<typeof now>): number {
    const { renewMs, leaseMs } = this.#options.timing;
    return leaseMs - renewMs - Math.max(performance.now() - steady, Date.now() - wall);
  }

  #loseLeases(): void {
    clearTimeout(this.#expiry);
    if (this.#options.signal.aborted) return;
    this.#worker = randomUUID();
    this.#renewedAt = null;
    this.#options.lost();
  }
}
