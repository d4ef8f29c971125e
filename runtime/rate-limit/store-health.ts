import type { Logger } from "pino";

/** Between two tries while the store is down. */
const pauseMs = 1_000;

/** Whether the store answers, and when to try again where it does not. The log has one line for each beginning and end. */
export class StoreHealth {
  readonly #log: Logger;
  #isDown = false;
  #nextTry = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  get isDown(): boolean {
    return this.#isDown;
  }

  /** Whether it is time to try again. */
  mayTry(): boolean {
    return performance.now() >= this.#nextTry;
  }

  failed(error: unknown): void {
    this.#nextTry = performance.now() + pauseMs;
    if (this.#isDown) return;
    this.#isDown = true;
    // The message alone: the details of an error of PostgreSQL hold keys, and those the addresses of callers.
    const reason = error instanceof Error ? error.message : String(error);
    this.#log.warn({ reason }, "rate limits cannot be counted: requests pass unlimited");
  }

  recovered(): void {
    this.#isDown = false;
    this.#log.info("rate limits are counted again");
  }
}
