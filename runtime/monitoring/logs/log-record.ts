import { hostname } from "node:os";
import pino from "pino";
import type { LogRecord } from "../records/monitoring-records.ts";
import { boundedFields, cut } from "./bounded-fields.ts";

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
export function logRecord(line: string, level: number, service: string): LogRecord {
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

/** What a record takes while it waits, about, in bytes. */
export function bytesOfLog({ message, fields }: LogRecord): number {
  return 200 + 2 * (message.length + fields.length);
}

function textOf(message: unknown): string {
  return message === undefined ? "" : JSON.stringify(message);
}
