import { hostname } from "node:os";
import pino, { type Logger } from "pino";
import type { CaptureLevel, MonitoringSettings } from "../../../core/config/index.ts";
import type { LogRecord } from "../records/monitoring-records.ts";
import { Queue } from "../store/bounded-queue.ts";

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

const longestMessage = 8_000;
const longestId = 128;
/** A line is kept in the moment in which it is written: another time is a field that somebody has called so. */
const longestAgoMs = 60_000;
/** The same in every line of this process; but somebody may log a field of that name. */
const known: Readonly<Record<string, unknown>> = { pid: process.pid, hostname: hostname() };
/** pino's names of levels, the highest first. */
const levels = Object.entries(pino.levels.labels)
  .map(([from, name]) => ({ from: Number(from), name }))
  .sort((one, other) => other.from - one.from);

/** A line of the log, masked by now, as a record. `level` is pino's number, `service` the name that the log goes by. */
function logRecord(line: string, level: number, service: string): LogRecord {
  const parsed: Record<string, unknown> = JSON.parse(line);
  const { time, msg, request_id: id, ...rest } = parsed;
  const obvious: Readonly<Record<string, unknown>> = { ...known, level, name: service };
  const isTime = typeof time === "number" && Math.abs(Date.now() - time) < longestAgoMs;
  const isId = typeof id === "string" && id.length <= longestId;
  const own = { ...(!isTime && { time }), ...(!isId && { request_id: id }), ...rest };
  const further = Object.entries(own).filter(([key, value]) => obvious[key] !== value);
  return {
    at: isTime ? time : Date.now(),
    level: levels.find(({ from }) => level >= from)?.name ?? "trace",
    message: cut(typeof msg === "string" ? msg : textOf(msg), longestMessage),
    requestId: isId ? id : null,
    fields: boundedFields(Object.fromEntries(further)),
  };
}

function textOf(message: unknown): string {
  return message === undefined ? "" : JSON.stringify(message);
}

/** Longest text of one record's fields. */
const mostCharacters = 16_384;
/** Where all together are too long, no text in them is longer than this, and no list. */
const longestText = 2_000;
const longestList = 50;

/** Fields as JSON text of a bounded length. What had to be left out is told where it stood. */
function boundedFields(fields: Readonly<Record<string, unknown>>): string {
  const whole = JSON.stringify(fields);
  if (whole.length <= mostCharacters) return whole;
  const kept: Record<string, unknown> = {};
  let length = 0;
  let leftOut = 0;
  for (const [key, value] of Object.entries(fields)) {
    const part = shortened(value);
    const partLength = key.length * 2 + (JSON.stringify(part)?.length ?? 0);
    if (length + partLength > mostCharacters - 100) leftOut++;
    else {
      kept[key] = part;
      length += partLength + 4;
    }
  }
  return JSON.stringify(leftOut === 0 ? kept : { ...kept, "[truncated]": `${leftOut} fields` });
}

/** A text that is no longer than so many characters, and says so where it was. */
function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}… [truncated: ${text.length} characters]`;
}

function shortened(value: unknown): unknown {
  if (typeof value === "string") return cut(value, longestText);
  if (Array.isArray(value)) {
    const rest = value.length > longestList ? [`[truncated: ${value.length} elements]`] : [];
    return [...value.slice(0, longestList).map(shortened), ...rest];
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shortened(member)]));
}
