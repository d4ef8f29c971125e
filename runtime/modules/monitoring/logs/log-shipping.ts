import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { LogShipping as ShippingSettings } from "../../../core/config/index.ts";
import type { LogRecord } from "../records/monitoring-records.ts";
import type { BoundedQueue } from "../store/bounded-queue.ts";
import { withoutShipping } from "./log-capture.ts";

/** Waits `ms` milliseconds, or until the signal aborts. Never rejects. */
export type Pause = (ms: number, end: AbortSignal) => Promise<unknown>;

export interface ShippingOptions {
  readonly settings: ShippingSettings;
  readonly queue: BoundedQueue<LogRecord>;
  readonly log: Logger;
  /** Default: the system's clock. */
  readonly pause?: Pause;
  /** Timeout of one request; default 10 s. */
  readonly timeoutMs?: number;
}

const collectMs = 1_000;
const longestPauseMs = 60_000;
/** Longest time for the last requests on shutdown. */
const lastTryMs = 3_000;
/** The connection is closed instead of reading a longer response. */
const longestAnswer = 65_536;
/** A retry cannot help. Statuses of wrong secrets or URLs are not listed, because operators can fix these. */
const refusals = [400, 415, 422];

/** Sends captured log records to the collector, one request at a time (docs/monitoring.md#logs). */
export class LogShipping {
  readonly #settings: ShippingSettings;
  readonly #queue: BoundedQueue<LogRecord>;
  readonly #log: Logger;
  readonly #pause: Pause;
  readonly #timeoutMs: number;
  /** Records of the next request: fewer after a 413. */
  #batchSize: number;
  #failures = 0;
  #isRefusing = false;
  #work: Promise<void> | null = null;
  #waiting = new AbortController();
  #request = new AbortController();
  #closing: "no" | "last try" | "over" = "no";

  constructor({ settings, queue, log, pause = systemPause, timeoutMs = 10_000 }: ShippingOptions) {
    this.#settings = settings;
    this.#queue = queue;
    this.#log = withoutShipping(log);
    this.#pause = pause;
    this.#timeoutMs = timeoutMs;
    this.#batchSize = settings.batchSize;
    queue.onPush = () => this.#begin();
    this.#begin();
  }

  /** Sends waiting records until the first failure, for at most `withinMs` and at most 3 s. */
  async close(withinMs: number): Promise<void> {
    this.#closing = "last try";
    this.#queue.onPush = () => {};
    const timer = setTimeout(
      () => {
        this.#closing = "over";
        this.#request.abort();
      },
      Math.min(withinMs, lastTryMs),
    );
    this.#waiting.abort();
    this.#begin();
    await this.#work;
    clearTimeout(timer);
  }

  #begin(): void {
    if (this.#failures === 0 && this.#queue.waiting >= this.#batchSize) this.#waiting.abort();
    // In a microtask, so that the code that logs continues first.
    if (this.#queue.waiting > 0) this.#work ??= Promise.resolve().then(() => this.#ship());
  }

  async #ship(): Promise<void> {
    while (this.#queue.waiting > 0 && this.#closing !== "over") {
      await this.#wait();
      const isLast = this.#closing !== "no";
      await this.#sendBatch();
      if (isLast && this.#failures > 0) break;
    }
    this.#work = null;
  }

  async #wait(): Promise<void> {
    const isFull = this.#failures === 0 && this.#queue.waiting >= this.#batchSize;
    if (isFull || this.#closing !== "no") return;
    this.#waiting = new AbortController();
    await this.#pause(this.#failures === 0 ? collectMs : pauseAfter(this.#failures), this.#waiting.signal);
  }

  async #sendBatch(): Promise<void> {
    const batch = this.#queue.take(this.#batchSize);
    const answer = await this.#post(batch);
    if (answer === 413 && batch.length > 1) {
      this.#queue.putBack(batch);
      this.#batchSize = Math.floor(batch.length / 2);
    } else if (answer === 413 || refusals.some((status) => status === answer)) {
      this.#queue.lost(batch);
      this.#refused();
    } else if (typeof answer === "number" && answer >= 200 && answer < 300) {
      this.#queue.done(batch);
      this.#recovered();
    } else {
      this.#queue.putBack(batch);
      this.#failed(typeof answer === "number" ? `it responded with ${answer}` : answer);
    }
  }

  /** Status of the response, or why there was none. Does not follow redirects, which could leak the secret. */
  async #post(batch: readonly LogRecord[]): Promise<number | string> {
    const { url, secret } = this.#settings;
    // Not AbortSignal.timeout() with any(): the garbage collector can remove these before they abort.
    const request = new AbortController();
    this.#request = request;
    const timer = setTimeout(() => request.abort(), this.#timeoutMs);
    try {
      const response = await fetch(url, {
        method: "POST",
        redirect: "manual",
        headers: {
          "content-type": "application/json",
          ...(secret !== null && { authorization: `Bearer ${secret.export().toString("utf8")}` }),
        },
        body: `{"logs":[${batch.map(shippedText).join(",")}]}`,
        signal: request.signal,
      });
      const isShort = Number(response.headers.get("content-length") ?? Number.NaN) <= longestAnswer;
      await (isShort ? response.arrayBuffer() : response.body?.cancel());
      return response.status;
    } catch (error) {
      return request.signal.aborted ? "no answer in time" : reasonOf(error);
    } finally {
      clearTimeout(timer);
    }
  }

  #failed(reason: string): void {
    this.#failures++;
    if (this.#failures > 1 || this.#closing === "over") return;
    this.#log.warn(
      { reason },
      "the log collector is failing: records wait, and the oldest are dropped if the queue is full",
    );
  }

  #refused(): void {
    this.#failures = 0;
    if (!this.#isRefusing) this.#log.warn("the log collector rejects records as invalid: they are dropped");
    this.#isRefusing = true;
  }

  #recovered(): void {
    if (this.#failures > 0)
      this.#log.info({ dropped: this.#queue.dropped }, "the log collector accepts records again");
    this.#failures = 0;
    this.#isRefusing = false;
    this.#batchSize = Math.min(this.#settings.batchSize, this.#batchSize + 1);
  }
}

/** The timer does not keep the process alive. */
function systemPause(ms: number, signal: AbortSignal): Promise<unknown> {
  return sleep(ms, undefined, { signal, ref: false }).catch(() => {});
}

function pauseAfter(failures: number): number {
  return Math.min(longestPauseMs, 1_000 * 2 ** Math.min(failures - 1, 10));
}

/** A record as it is sent. Its fields are JSON text already. */
function shippedText({ at, level, message, requestId, fields }: LogRecord): string {
  const head = JSON.stringify({ at: new Date(at).toISOString(), level, message, request_id: requestId });
  return `${head.slice(0, -1)},"fields":${fields}}`;
}

/** Only the code: messages of fetch can repeat the address with its password. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { cause } = error;
  return typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : error.name;
}
