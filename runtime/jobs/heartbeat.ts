import type { Logger } from "pino";
import { beat, freeJobsOfTheGone, type QueueConnection } from "./held-jobs.ts";

/** How often workers say that they are there, and when those who do not are taken to be gone. */
export interface Rhythm {
  readonly beatMs: number;
  readonly silentMs: number;
}

/** A job whose process is gone waits again within 60 s (decisions, part 13). */
export const usualRhythm: Rhythm = { beatMs: 10_000, silentMs: 30_000 };

interface Moment {
  /** Runs on evenly, but not while the machine sleeps. */
  readonly steady: number;
  readonly wall: number;
}

/**
 * Says again and again that a worker is there, and has the jobs of those wait again who do not. Who was not heard of himself first says
 * that he is there, and leaves the others time to do so too: it may have been the database.
 */
export class Heartbeat {
  readonly #connection: QueueConnection;
  readonly #worker: string;
  readonly #rhythm: Rhythm;
  readonly #log: Logger;
  #heard: Moment | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(connection: QueueConnection, worker: string, rhythm: Rhythm, log: Logger) {
    this.#connection = connection;
    this.#worker = worker;
    this.#rhythm = rhythm;
    this.#log = log;
  }

  start(): void {
    this.#timer = setTimeout(() => void this.#next(), 0).unref();
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Whether nobody can have taken this worker to be gone. */
  get isHeard(): boolean {
    const { beatMs, silentMs } = this.#rhythm;
    return this.#heard !== null && since(this.#heard) < silentMs - beatMs;
  }

  /** From then on nobody takes it to be gone for a while. Rejects where the database does not answer. */
  async beat(): Promise<void> {
    const moment = { steady: performance.now(), wall: Date.now() };
    await beat(this.#connection, this.#worker);
    this.#heard = moment;
  }

  async #next(): Promise<void> {
    try {
      const wasHeard = this.isHeard;
      await this.beat();
      if (wasHeard) await this.#lookForTheGone();
    } catch (error) {
      this.#log.warn({ err: error }, "the database was not told that jobs are run here");
    }
    if (this.#timer !== null) this.#timer = setTimeout(() => void this.#next(), this.#rhythm.beatMs).unref();
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

function since({ steady, wall }: Moment): number {
  return Math.max(performance.now() - steady, Date.now() - wall);
}
