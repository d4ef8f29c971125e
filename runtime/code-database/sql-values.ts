import pg from "pg";
import { parse } from "postgres-array";
import { timeText } from "../../vocabulary/times.ts";
import { parseStored } from "../json/index.ts";

type Read = (text: string) => unknown;

const { builtins } = pg.types;

/** `2026-01-02 03:04:05.678901+00`, as PostgreSQL prints it in UTC, with milliseconds; what has no such form, `infinity`, stays. */
function instant(text: string): string {
  const [, day, time, fraction = "", zone = ""] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?(\+00)?$/.exec(text) ?? [];
  if (day === undefined) return text;
  return `${day}T${time}.${fraction.padEnd(3, "0").slice(0, 3)}${zone === "" ? "" : "Z"}`;
}

/** A number that a double holds exactly; else its digits. */
function whole(text: string): number | string {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}

const scalars: readonly (readonly [type: number, list: number, read: Read])[] = [
  [builtins.BOOL, 1000, (text) => text === "t"],
  [builtins.BYTEA, 1001, (text) => Buffer.from(text.slice(2), "hex")],
  [builtins.INT2, 1005, Number],
  [builtins.INT4, 1007, Number],
  [builtins.INT8, 1016, whole],
  [builtins.OID, 1028, Number],
  [builtins.FLOAT4, 1021, Number],
  [builtins.FLOAT8, 1022, Number],
  [builtins.TIME, 1183, (text) => timeText(text).slice(0, "12:30:00.500".length)],
  [builtins.TIMESTAMP, 1115, instant],
  [builtins.TIMESTAMPTZ, 1185, instant],
  [builtins.JSON, 199, parseStored],
  [builtins.JSONB, 3807, parseStored],
  [builtins.NUMERIC, 1231, String],
  [builtins.DATE, 1182, String],
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

/** What reads the values of a column, by the id of its type: to the form that the API has. Of other types the text stays. */
export function readerOf(type: number): Read {
  return readers.get(type) ?? String;
}
