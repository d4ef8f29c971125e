import type { Logger } from "pino";
import { type Queryable, removeExpiredRows } from "../database/index.ts";
import { mostAtOnce } from "./counter-store.ts";

/** No fewer than a batch can bring: a flood of callers makes the table no larger than one window of them. */
const atOnce = mostAtOnce;
const pauseMs = 5_000;

/**
 * Removes expired counters while the service works, a few at a time: every five seconds, and as long as there are more,
 * after each batch that is counted. So they go as fast as new ones can come.
 */
export class ExpiredCounters {
  readonly #connection: Queryable;
  readonly #log: Logger;
  #next = 0;
  #isRunning = false;

  constructor(connection: Queryable, log: Logger) {
    this.#connection = connection;
    this.#log = log;
  }

  /** Called after a batch; nobody waits for it. */
  afterBatch(): void {
    if (this.#isRunning || performance.now() < this.#next) return;
    this.#isRunning = true;
    void this.#remove();
  }

  async #remove(): Promise<void> {
    let removed = 0;
    try {
      removed = await removeExpiredRows(this.#connection, { table: "kirak_rate_limits", atOnce });
    } catch (error) {
      this.#log.warn({ err: error }, "expired counters of rate limits could not be removed");
    }
    this.#next = removed === atOnce ? 0 : performance.now() + pauseMs;
    this.#isRunning = false;
  }
}
