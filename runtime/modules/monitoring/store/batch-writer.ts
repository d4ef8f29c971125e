import type { LogRecord, MonitoringRecord } from "../records/monitoring-records.ts";
import type { BoundedQueue } from "./bounded-queue.ts";
import { type MonitoringStore, StoreBusy } from "./worker-store.ts";

export interface BatchWriterOptions {
  readonly store: MonitoringStore;
  readonly records: BoundedQueue<MonitoringRecord>;
  readonly logs: BoundedQueue<LogRecord>;
  readonly intervalSeconds: number;
}

/** Limits records and log lines of a batch, because the main thread copies it in one turn. */
const mostInBatch = 250;

/** Writes both queues at each interval, and when one is half full. */
export class BatchWriter {
  readonly #options: BatchWriterOptions;
  readonly #timer: NodeJS.Timeout;
  #flushing: Promise<void> | null = null;
  /** The store was busy: the writer tries again at the next interval, not with each new record. */
  #isStoreBusy = false;
  #closed = false;

  constructor(options: BatchWriterOptions) {
    this.#options = options;
    this.#timer = setInterval(() => {
      this.#isStoreBusy = false;
      void this.flush();
    }, options.intervalSeconds * 1000);
    this.#timer.unref();
    for (const queue of [options.records, options.logs]) {
      queue.onPush = () => {
        if (queue.depth * 2 < queue.max) return;
        if (this.#flushing === null && !this.#isStoreBusy && !this.#closed) void this.flush();
      };
    }
  }

  /** Resolves when all records that wait now are written or lost, or the store is busy. */
  flush(): Promise<void> {
    this.#flushing ??= this.#writeAll().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  /** Writes waiting records. Records that are left after `withinMs` are lost. */
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

  /** Flushes again, because a running flush can have begun before the last record was added. */
  async #writeRest(): Promise<void> {
    await this.#flushing;
    await this.flush();
  }

  async #writeAll(): Promise<void> {
    // Deferred, so that it does not delay the request that made a queue half full.
    await new Promise((resolve) => setImmediate(resolve));
    const { records, logs } = this.#options;
    for (let left = records.depth + logs.depth; left > 0; ) {
      const written = await this.#writeBatch();
      if (written === 0) return;
      left -= written;
    }
  }

  /** Returns how many items left the queues; 0 if they have to wait. */
  async #writeBatch(): Promise<number> {
    const { store, records, logs } = this.#options;
    const batch = { records: records.take(mostInBatch), logs: logs.take(mostInBatch) };
    const settle = (how: "done" | "lost" | "putBack") => {
      records[how](batch.records);
      logs[how](batch.logs);
    };
    try {
      await store.write(batch);
      settle("done");
    } catch (error) {
      if (error instanceof StoreBusy && !this.#closed) {
        settle("putBack");
        this.#isStoreBusy = true;
        return 0;
      }
      settle("lost");
    }
    return batch.records.length + batch.logs.length;
  }
}
