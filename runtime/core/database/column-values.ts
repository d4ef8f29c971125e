import pg from "pg";
import { parse } from "postgres-array";
import { isoText, timeText } from "../../../vocabulary/fields/dates.ts";
import { UnheldValue } from "../errors/index.ts";
import { parseStored } from "../json/index.ts";
import { isHeldDate, isHeldNumber, isHeldTime, isHeldTimestamp } from "./held-values.ts";

type Read = (text: string) => unknown;

const { builtins } = pg.types;

/** Reads values that the API holds. */
const held =
  (isHeld: (text: string) => boolean, read: Read): Read =>
  (text) => {
    if (isHeld(text)) return read(text);
    throw new UnheldValue(text);
  };

/** `2026-01-02 03:04:05.678901`, as PostgreSQL prints it, with milliseconds. */
function localTime(text: string): string {
  return isoText(`${text}+00`).slice(0, -1);
}

/** A number that a double holds exactly; else its digits. */
function whole(text: string): number | string {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}

/** What stands for the types of `bigint` fields, which are read as text, in place of those of ids and results. */
export const fieldTypes: ReadonlyMap<number, number> = new Map([
  [builtins.INT8, -builtins.INT8],
  [1016, -1016],
]);

const number = held(isHeldNumber, Number);

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
  [builtins.TIME, 1183, held(isHeldTime, (text) => timeText(text).slice(0, "12:30:00.500".length))],
  [builtins.TIMESTAMP, 1115, held(isHeldTimestamp, localTime)],
  [builtins.TIMESTAMPTZ, 1185, held(isHeldTimestamp, isoText)],
  [builtins.JSON, 199, parseStored],
  [builtins.JSONB, 3807, parseStored],
  [builtins.NUMERIC, 1231, held(isHeldNumber, String)],
  [builtins.DATE, 1182, held(isHeldDate, String)],
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
 * What reads the values of a column that code asks for, by the id of its type: to the form that the API has. Undefined for other types.
 * The reader throws an `UnheldValue` for what the API does not hold.
 */
export function readerOf(type: number): Read | undefined {
  return readers.get(type);
}
