import pino, { type Logger } from "pino";
import type { CaptureLevel, MonitoringSettings } from "../../config/index.ts";
import type { LogRecord } from "../records/monitoring-records.ts";
import { Queue } from "../store/bounded-queue.ts";
import { logRecord } from "./log-record.ts";

const shipped = Symbol("shipped");

/** A logger whose lines are not shipped: what shipping says of itself would give it more to ship. */
export function unshipped(log: Logger): Logger {
  return Object.assign(log.child({}), { [shipped]: false });
}

/**
 * Keeps lines of the log for the store and for the collector (docs/monitoring.md#logs). It is there before the log is, and so before
 * anybody takes them away. A line costs more than its request here, once it is bad enough to be kept.
 */
export class LogCapture {
  /** The lowest that is kept, whatever the log itself prints. */
  readonly level: CaptureLevel;
  /** To be written. */
  readonly toStore: Queue<LogRecord>;
  /** To be sent; null where there is no collector. */
  readonly toShip: Queue<LogRecord> | null;
  readonly #service: string;
  readonly #shippedFrom: number;

  /** `service` is the name that the log goes by. */
  constructor({ level, queueSize, shipping }: MonitoringSettings["logs"], service: string) {
    this.level = level;
    this.toStore = new Queue(queueSize);
    this.toShip = shipping === null ? null : new Queue(queueSize, "oldest");
    this.#shippedFrom = shipping === null ? Number.POSITIVE_INFINITY : numberOf(shipping.level);
    this.#service = service;
  }

  /** Keeps a line that was masked. `level` is pino's number. Never throws: whoever logs has other things to do. */
  keep(line: string, level: number, logger: Logger): void {
    try {
      const record = logRecord(line, level, this.#service);
      this.toStore.push(record);
      if (level >= this.#shippedFrom && isShipped(logger)) this.toShip?.push(record);
    } catch {
      this.toStore.dropped++;
    }
  }
}

function isShipped(logger: Logger & { readonly [shipped]?: boolean }): boolean {
  return logger[shipped] ?? true;
}

function numberOf(level: CaptureLevel): number {
  return pino.levels.values[level] ?? 0;
}
