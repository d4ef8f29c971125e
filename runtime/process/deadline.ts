import { setTimeout } from "node:timers/promises";

/** What is left to a step that comes too late: enough to say goodbye. */
const goodbyeMs = 500;

/** A span of time that the steps of a shutdown share. It begins when the first of them asks. */
export class Deadline {
  readonly #spanMs: number;
  #endsAt: number | null = null;

  constructor(spanMs: number) {
    this.#spanMs = spanMs;
  }

  /** Milliseconds, never less than zero. */
  leftMs(): number {
    this.#endsAt ??= performance.now() + this.#spanMs;
    return Math.max(0, this.#endsAt - performance.now());
  }

  /** How long a step may take: what is left, or enough to say goodbye. */
  stepMs(): number {
    return Math.max(this.leftMs(), goodbyeMs);
  }

  /** Waits for work that ends by itself, such as that of a pool, until the time is up; then the process goes without it. */
  async orGiveUp(work: Promise<void>): Promise<void> {
    const end = new AbortController();
    const late = setTimeout(this.stepMs(), undefined, end).catch(() => {});
    await Promise.race([work, late]).finally(() => end.abort());
  }
}
