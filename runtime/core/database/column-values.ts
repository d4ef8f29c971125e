import pg from "pg";
import { parse } from "postgres-array";
import { isoText, timeText } from "../../../vocabulary/fields/dates.ts";
import { exactText } from "../../../vocabulary/json.ts";
import { UnsupportedValue } from "../errors/index.ts";
import { parseStored } from "../text/index.ts";
import {
  isSupportedDate,
  isSupportedNumber,
  isSupportedTime,
  isSupportedTimestamp,
} from "./supported-values.ts";

type Read = (text: string) => unknown;

const { builtins } = pg.types;

/** Wraps a reader so that it throws an `UnsupportedValue` for a value that the API does not support. */
const supported =
  (isSupported: (text: string) => boolean, read: Read): Read =>
  (text) => {
    if (isSupported(text)) return read(text);
    throw new UnsupportedValue(text);
  };

/** Reads `2026-01-02 03:04:05.678901` and keeps milliseconds. */
function localTime(text: string): string {
  return isoText(`${text}+00`).slice(0, -1);
}

/** A number if a double holds it exactly; else its digits. */
function whole(text: string): number | string {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}

/**
 * Internal type ids of `bigint` fields, which are read as text. Keys and counts have the same type but become
 * numbers.
 */
export const fieldTypes: ReadonlyMap<number, number> = new Map([
  [builtins.INT8, -builtins.INT8],
  [1016, -1016],
]);

const number = supported(isSupportedNumber, Number);

const scalars: readonly (readonly [type: number, list: number, read: Read])[] = [
  [builtins.BOOL, 1000, (text) => text === "t"],
  [builtins.BYTEA, 1001, (text) => Buffer.from(text.slice(2), "hex")],
  [builtins.INT2, 1005, Number],
  [builtins.INT4, 1007, Number],
  [builtins.INT8, 1016, whole],
  [-builtins.INT8, -1016, String],
  [builtins.OID, 1028, Number],
  [builtins.FLOAT4, 1021, number],
  [builtins.FLOAT8, 1022, number],
  [builtins.TIME, 1183, supported(isSupportedTime, (text) => timeText(text).slice(0, "12:30:00.500".length))],
  [builtins.TIMESTAMP, 1115, supported(isSupportedTimestamp, localTime)],
  [builtins.TIMESTAMPTZ, 1185, supported(isSupportedTimestamp, isoText)],
  [builtins.JSON, 199, parseStored],
  [builtins.JSONB, 3807, parseStored],
  [builtins.NUMERIC, 1231, supported(isSupportedNumber, String)],
  [builtins.DATE, 1182, supported(isSupportedDate, String)],
  [builtins.TEXT, 1009, String],
  [builtins.VARCHAR, 1015, String],
  [builtins.BPCHAR, 1014, String],
  [builtins.UUID, 2951, String],
];

const readers: ReadonlyMap<number, Read> = new Map(
  scalars.flatMap(([type, list, read]) => [
    [type, (text: string) => read(text)],
    [list, (text: string) => parse(text, read)],
  ]),
);

/**
 * The reader for values of a type, by its id, for app code; undefined for other types. Errors:
 * `UnsupportedValue`.
 */
export function readerOf(type: number): Read | undefined {
  return readers.get(type);
}

/** PostgreSQL's limit for one statement. */
const maxParameters = 65_535;

/**
 * Values in PostgreSQL's text format. Arrays become array literals, dates become ISO 8601, and other objects
 * JSON. pg's own conversion uses the time zone of this process, and overflows at 65,536 values. Throws a
 * RangeError for too many values.
 */
export function parameterTexts(values: readonly unknown[]): (string | null)[] {
  if (values.length > maxParameters)
    throw new RangeError(`a statement can have at most ${maxParameters} parameters, not ${values.length}`);
  return values.map(toText);
}

function toText(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return null;
  if (typeof value === "object") return objectToText(value);
  return String(value);
}

function objectToText(value: object): string {
  if (Array.isArray(value)) return `{${value.map(elementToText).join(",")}}`;
  if (value instanceof Date) return value.toISOString();
  return exactText(value);
}

function elementToText(element: unknown): string {
  if (Array.isArray(element)) return objectToText(element);
  const text = toText(element);
  if (text === null) return "NULL";
  return typeof element === "number" ? text : `"${text.replace(/["\\]/g, "\\$&")}"`;
}
