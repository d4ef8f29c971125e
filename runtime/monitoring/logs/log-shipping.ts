import type { Logger } from "pino";
import type { LogShipping as ShippingSettings } from "../../config/index.ts";
import type { LogRecord } from "../records/monitoring-records.ts";
import { Collector, type Delivery, shippedText } from "./collector.ts";
import { unshipped } from "./log-capture.ts";
import type { NewestQueue } from "./newest-queue.ts";
import { type Pause, type Pauses, pauseAfter, realPauses } from "./pauses.ts";

export interface ShippingOptions {
  readonly settings: ShippingSettings;
  /** Of the capture. */
  readonly queue: NewestQueue<LogRecord>;
  readonly log: Logger;
  /** Default the system's. */
  readonly pauses?: Pauses;
  /** Longest time of one request. */
  readonly longestWaitMs?: number;
}

/** How long records wait for others that go with them. */
const collectMs = 1_000;
/** A process that ends waits no longer for a collector that hangs. */
const lastTryMs = 3_000;
/** Collectors refuse bodies that are too long, and whoever puts one together does nothing else meanwhile. */
const longestBody = 500_000;

/**
 * Sends captured log records to the collector: one request at a time, and the next only after that. What it does not take waits
 * and is sent again after ever longer pauses, while the oldest make room for what comes. Nobody waits for any of it.
 */
export class LogShipping {
  readonly #queue: NewestQueue<LogRecord>;
  readonly #collector: Collector;
  readonly #log: Logger;
  readonly #pauses: Pauses;
  readonly #batchSize: number;
  /** What the collector takes at once, as far as it has shown. */
  #mostAtOnce: number;
  #work: Promise<void> | null = null;
  /** Under way until a batch is full. */
  #collecting: Pause | null = null;
  /** Under way after a failure. */
  #waiting: Pause | null = null;
  #isClosing = false;
  #failures = 0;
  #isRefusing = false;
  readonly #end = new AbortController();

  constructor({ settings, queue, log, pauses = realPauses, longestWaitMs }: ShippingOptions) {
    this.#queue = queue;
    this.#collector = new Collector(settings, longestWaitMs);
    this.#log = unshipped(log);
    this.#pauses = pauses;
    this.#batchSize = settings.batchSize;
    this.#mostAtOnce = settings.batchSize;
    queue.onPush = () => this.#begin();
    this.#begin();
  }

  /** Tries once more to send what waits, and gives up when that fails, or when the time is over: at the latest after three seconds. */
  async close(longestMs: number): Promise<void> {
    this.#isClosing = true;
    this.#queue.onPush = () => {};
    const late = setTimeout(() => this.#end.abort(), Math.min(longestMs, lastTryMs));
    this.#collecting?.end();
    this.#waiting?.end();
    this.#begin();
    await this.#work;
    clearTimeout(late);
  }

  #begin(): void {
    if (this.#queue.waiting >= this.#mostAtOnce) this.#collecting?.end();
    // In a moment: whoever logs goes on first.
    if (this.#queue.waiting > 0) this.#work ??= Promise.resolve().then(() => this.#ship());
  }

  /** Sends until nothing waits. */
  async #ship(): Promise<void> {
    while (this.#queue.waiting > 0) {
      await this.#pause();
      const isLast = this.#isClosing;
      this.#heed(await this.#sendBatch());
      if (isLast && this.#failures > 0) break;
    }
    this.#work = null;
  }

  async #pause(): Promise<void> {
    if (this.#isClosing) return;
    if (this.#failures > 0) {
      this.#waiting = this.#pauses(pauseAfter(this.#failures));
      await this.#waiting.over;
      this.#waiting = null;
    } else if (this.#queue.waiting < this.#mostAtOnce) {
      this.#collecting = this.#pauses(collectMs);
      await this.#collecting.over;
      this.#collecting = null;
    }
  }

  async #sendBatch(): Promise<Delivery> {
    const texts: string[] = [];
    let length = 0;
    const batch = this.#queue.take((record, count) => {
      if (count >= this.#mostAtOnce) return false;
      const text = shippedText(record);
      length += text.length;
      if (count > 0 && length > longestBody) return false;
      texts.push(text);
      return true;
    });
    const answer = await this.#collector.send(texts, this.#end.signal);
    const delivery = answer === "too large" && batch.length === 1 ? "refused" : answer;
    if (delivery === "taken") this.#queue.done(batch);
    else if (delivery === "refused") this.#queue.lost(batch);
    else this.#queue.putBack(batch);
    if (delivery === "too large") this.#mostAtOnce = Math.floor(batch.length / 2);
    return delivery;
  }

  /** The log has one line for each beginning and end. */
  #heed(delivery: Delivery): void {
    if (typeof delivery === "object") this.#failed(delivery.failed);
    else if (delivery === "taken") this.#recovered();
    else if (delivery === "refused") this.#refused();
  }

  #failed(reason: string): void {
    this.#failures++;
    if (this.#failures > 1 || this.#end.signal.aborted) return;
    this.#log.warn(
      { reason },
      "the log collector takes no records: they wait, and the oldest are dropped when there are too many",
    );
  }

  #refused(): void {
    this.#failures = 0;
    if (!this.#isRefusing)
      this.#log.warn("the log collector refuses records for what they are: those are dropped");
    this.#isRefusing = true;
  }

  #recovered(): void {
    if (this.#failures > 0)
      this.#log.info({ dropped: this.#queue.dropped }, "the log collector takes records again");
    this.#failures = 0;
    this.#isRefusing = false;
    if (this.#mostAtOnce < this.#batchSize) this.#mostAtOnce++;
  }
}
