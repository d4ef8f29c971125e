import { hostname } from "node:os";
import pino, { type Logger } from "pino";
import type { CaptureLevel, MonitoringSettings } from "../../../core/config/index.ts";
import type { LogRecord } from "../records/monitoring-records.ts";
import { BoundedQueue } from "../store/bounded-queue.ts";

const shipped = Symbol("shipped");

/** A logger whose lines are not shipped: shipping must not ship its own messages. */
export function withoutShipping(log: Logger): Logger {
  return Object.assign(log.child({}), { [shipped]: false });
}

/** Keeps log lines for the store and the collector (docs/monitoring.md#logs). Created before the log. */
export class LogCapture {
  /** Lowest captured level, independent of the log's level. */
  readonly level: CaptureLevel;
  readonly toStore: BoundedQueue<LogRecord>;
  /** Null without a collector. */
  readonly toShip: BoundedQueue<LogRecord> | null;
  readonly #service: string;
  readonly #shippedFrom: number;

  /** `service` is the name of the log. */
  constructor({ level, queueSize, shipping }: MonitoringSettings["logs"], service: string) {
    this.level = level;
    this.toStore = new BoundedQueue(queueSize);
    this.toShip = shipping === null ? null : new BoundedQueue(queueSize, "oldest");
    this.#shippedFrom = shipping === null ? Number.POSITIVE_INFINITY : numberOf(shipping.level);
    this.#service = service;
  }

  /** Keeps a masked line; `level` is pino's number. Never throws, because it runs in each log call. */
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
/** Lines are captured at once, so an older time is a field of the app with the same name. */
const longestAgoMs = 60_000;
/** Constant in this process, but a caller can log a field with the same name. */
const processFields: Readonly<Record<string, unknown>> = { pid: process.pid, hostname: hostname() };
/** pino's level names, highest first. */
const levels = Object.entries(pino.levels.labels)
  .map(([from, name]) => ({ from: Number(from), name }))
  .sort((one, other) => other.from - one.from);

/** A masked line as a record. `level` is pino's number, `service` the name of the log. */
function logRecord(line: string, level: number, service: string): LogRecord {
  const parsed: Record<string, unknown> = JSON.parse(line);
  const { time, msg, request_id: id, ...rest } = parsed;
  const constantFields: Readonly<Record<string, unknown>> = { ...processFields, level, name: service };
  const isTime = typeof time === "number" && Math.abs(Date.now() - time) < longestAgoMs;
  const isId = typeof id === "string" && id.length <= longestId;
  const fields = { ...(!isTime && { time }), ...(!isId && { request_id: id }), ...rest };
  const further = Object.entries(fields).filter(([key, value]) => constantFields[key] !== value);
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

/** Limit of a record's fields. */
const mostCharacters = 16_384;
/** Above that limit, strings and lists are cut to these lengths. */
const longestText = 2_000;
const longestList = 50;

/** Fields as JSON of bounded length, with a mark for each omission. */
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

/** A string of bounded length, with a mark if it was cut. */
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
