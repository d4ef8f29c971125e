import type { LogRecord } from "../records/monitoring-records.ts";
import type { BoundedQueue } from "./bounded-queue.ts";
import { type MonitoringStore, StoreBusy } from "./monitoring-store.ts";
import type { RecordQueue } from "./record-queue.ts";

/** What is written, where to, and how often. */
export interface BatchWriterOptions {
  readonly store: MonitoringStore;
  readonly records: RecordQueue;
  readonly logs: BoundedQueue<LogRecord>;
  readonly intervalSeconds: number;
}

/**
 * Writes what waits in both queues: each interval, and whenever one is half full. It goes in slices, each when the one before
 * was written, so that no request waits for more than the copying of one.
 */
export class BatchWriter {
  readonly #options: BatchWriterOptions;
  readonly #timer: NodeJS.Timeout;
  #underWay: Promise<void> | null = null;
  /** The store was busy: the next interval tries again, and not each record that comes until then. */
  #isHeldUp = false;
  #closed = false;

  constructor(options: BatchWriterOptions) {
    this.#options = options;
    this.#timer = setInterval(() => {
      this.#isHeldUp = false;
      void this.flush();
    }, options.intervalSeconds * 1000);
    this.#timer.unref();
    const write = () => {
      if (this.#underWay === null && !this.#isHeldUp && !this.#closed) void this.flush();
    };
    options.records.onHalfFull = write;
    options.logs.onHalfFull = write;
  }

  /** Resolves when all that waits now was written or lost, or somebody else holds the file. */
  flush(): Promise<void> {
    this.#underWay ??= this.#writeAll().finally(() => {
      this.#underWay = null;
    });
    return this.#underWay;
  }

  /** Writes what waits, for as long as that at most; what is left then is lost. */
  async close(withinMs: number): Promise<void> {
    clearInterval(this.#timer);
    this.#closed = true;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, withinMs);
    });
    await Promise.race([this.#writeRest(), late]);
    clearTimeout(timer);
  }

  /** A flush that is under way may have looked before the last record came. */
  async #writeRest(): Promise<void> {
    await this.#underWay;
    await this.flush();
  }

  async #writeAll(): Promise<void> {
    // Not in the request that made the queue half full.
    await new Promise((resolve) => setImmediate(resolve));
    const { records, logs } = this.#options;
    for (let left = records.depth + logs.depth; left > 0; ) {
      const written = await this.#writeSlice();
      if (written === 0) return;
      left -= written;
    }
  }

  /** How many were done with; 0 where they have to wait. */
  async #writeSlice(): Promise<number> {
    const { store, records, logs } = this.#options;
    const slice = records.take();
    const lines = logs.take();
    try {
      await store.write({ records: slice?.packed ?? null, logs: lines });
      if (slice !== null) records.done(slice);
      logs.done(lines);
    } catch (error) {
      if (error instanceof StoreBusy && !this.#closed) {
        if (slice !== null) records.putBack(slice);
        logs.putBack(lines);
        this.#isHeldUp = true;
        return 0;
      }
      if (slice !== null) records.lost(slice);
      logs.lost(lines);
    }
    return (slice?.packed.count ?? 0) + lines.length;
  }
}
