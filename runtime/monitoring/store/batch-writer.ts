import type { LogRecord, MonitoringRecord } from "../records/monitoring-records.ts";
import type { BoundedQueue } from "./bounded-queue.ts";
import { type MonitoringStore, StoreBusy } from "./monitoring-store.ts";

const largestSlice = 500;
const smallestSlice = 10;
/** What copying one slice for the worker may hold up the main thread. */
const longestCopyMs = 1;

/** What is written, where to, and how often. */
export interface BatchWriterOptions {
  readonly store: MonitoringStore;
  readonly records: BoundedQueue<MonitoringRecord>;
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
  #slice = largestSlice;
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
    const batch = { records: records.take(this.#slice), logs: logs.take(this.#slice) };
    try {
      const started = performance.now();
      const written = store.write(batch);
      this.#adapt(performance.now() - started);
      await written;
      records.done(batch.records.length);
      logs.done(batch.logs.length);
    } catch (error) {
      if (error instanceof StoreBusy && !this.#closed) {
        records.putBack(batch.records);
        logs.putBack(batch.logs);
        this.#isHeldUp = true;
        return 0;
      }
      records.lost(batch.records.length);
      logs.lost(batch.logs.length);
    }
    return batch.records.length + batch.logs.length;
  }

  /** Records may be large: those of requests with hundreds of steps, failures with long stacks. */
  #adapt(copyMs: number): void {
    const factor = copyMs > longestCopyMs ? 0.5 : 1.5;
    this.#slice = Math.min(largestSlice, Math.max(smallestSlice, Math.ceil(this.#slice * factor)));
  }
}
