import { setTimeout } from "node:timers/promises";

/** A step that begins after the deadline still gets this time to close connections. */
const goodbyeMs = 500;

/** A time limit that the steps of a shutdown share. It starts with the first step. */
export class Deadline {
  readonly #spanMs: number;
  #endsAt: number | null = null;

  constructor(spanMs: number) {
    this.#spanMs = spanMs;
  }

  /** Milliseconds, at least 0. */
  leftMs(): number {
    this.#endsAt ??= performance.now() + this.#spanMs;
    return Math.max(0, this.#endsAt - performance.now());
  }

  /** Time for one step: the rest, but at least `goodbyeMs`. */
  stepMs(): number {
    return Math.max(this.leftMs(), goodbyeMs);
  }

  /** Waits for work that ends by itself, such as the close of a pool, until the deadline. */
  async orGiveUp(work: Promise<void>): Promise<void> {
    const end = new AbortController();
    const late = setTimeout(this.stepMs(), undefined, end).catch(() => {});
    await Promise.race([work, late]).finally(() => end.abort());
  }
}
