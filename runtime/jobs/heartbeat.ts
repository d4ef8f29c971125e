import type { Logger } from "pino";
import { beat, freeJobsOfTheGone, type QueueConnection } from "./held-jobs.ts";

/** How often workers say that they are there, and when those who do not are taken to be gone. */
export interface Rhythm {
  readonly beatMs: number;
  readonly silentMs: number;
}

/** A job whose process is gone waits again within 60 s (decisions, part 13). */
export const usualRhythm: Rhythm = { beatMs: 10_000, silentMs: 30_000 };

/** Of a beat that failed the next one comes so much sooner: a failover takes a moment, and must not look like a long silence. */
const soonerTimes = 10;

interface Moment {
  /** Runs on evenly, but not while the machine sleeps. */
  readonly steady: number;
  readonly wall: number;
}

/**
 * Says again and again that a worker is there, and has the jobs of those wait again who do not. Who was not heard of himself first says
 * that he is there, and leaves the others time to do so too: it may have been the database. Whose beats have failed for so long that the
 * others are about to take him to be gone is told that he is lost.
 */
export class Heartbeat {
  readonly #connection: QueueConnection;
  readonly #worker: string;
  readonly #rhythm: Rhythm;
  readonly #log: Logger;
  readonly #lost: () => void;
  /** When nobody can have taken it to be gone: its last beat, and before the first one when it began to take jobs. */
  #safe: Moment = now();
  #wasHeard = false;
  #hasComplained = false;
  #isBeating = false;
  #underWay: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #limit: NodeJS.Timeout | null = null;

  /** `lost` is called once at most. */
  constructor(connection: QueueConnection, worker: string, rhythm: Rhythm, log: Logger, lost: () => void) {
    this.#connection = connection;
    this.#worker = worker;
    this.#rhythm = rhythm;
    this.#log = log;
    this.#lost = lost;
  }

  start(): void {
    this.#isBeating = true;
    this.#isSafe(now());
    void this.#next();
  }

  /** Resolves when the beat under way is over, after which none follows. */
  async stop(): Promise<void> {
    this.#isBeating = false;
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#limit !== null) clearTimeout(this.#limit);
    await this.#underWay;
  }

  /** While a beat is waited for, too. */
  #isSafe(moment: Moment): void {
    this.#safe = moment;
    if (this.#limit !== null) clearTimeout(this.#limit);
    this.#limit = setTimeout(() => this.#lose(), this.#leftMs()).unref();
  }

  #leftMs(): number {
    return this.#rhythm.silentMs - this.#rhythm.beatMs - since(this.#safe);
  }

  #lose(): void {
    if (!this.#isBeating) return;
    void this.stop();
    this.#lost();
  }

  async #next(): Promise<void> {
    // The machine may have slept.
    if (this.#leftMs() <= 0) return this.#lose();
    const beat = this.#beat();
    this.#underWay = beat;
    const isTold = await beat;
    if (!this.#isBeating) return;
    const { beatMs } = this.#rhythm;
    this.#timer = setTimeout(() => void this.#next(), isTold ? beatMs : beatMs / soonerTimes).unref();
  }

  async #beat(): Promise<boolean> {
    const moment = now();
    try {
      await beat(this.#connection, this.#worker);
      if (!this.#isBeating) return false;
      this.#isSafe(moment);
      if (this.#wasHeard) await this.#lookForTheGone();
      this.#wasHeard = true;
      this.#hasComplained = false;
      return true;
    } catch (error) {
      if (!this.#hasComplained)
        this.#log.warn({ err: error }, "the database was not told that jobs are run here");
      this.#hasComplained = true;
      return false;
    }
  }

  async #lookForTheGone(): Promise<void> {
    const freed = await freeJobsOfTheGone(this.#connection, this.#rhythm.silentMs / 1000);
    for (const { id, name, attempts, max_attempts } of freed) {
      const isDead = attempts >= max_attempts;
      const line = { job: name, job_id: id, attempt: attempts, attempts: max_attempts };
      if (isDead) this.#log.error(line, "a job is dead: the process that ran it last is gone");
      else this.#log.warn(line, "a job waits again: the process that ran it is gone");
    }
  }
}

function now(): Moment {
  return { steady: performance.now(), wall: Date.now() };
}

function since({ steady, wall }: Moment): number {
  return Math.max(performance.now() - steady, Date.now() - wall);
}
