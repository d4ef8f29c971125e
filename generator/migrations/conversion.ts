import type { Column, ColumnType } from "../../vocabulary/migration-steps.ts";
import { type Consequence, consequences, type Place } from "./consequences.ts";
import type { Effects } from "./planned-change.ts";
import type { StepClass } from "./schema.ts";

/** Why values cannot be kept. */
export type Loss = Consequence;

/** What PostgreSQL casts within a family; texts are cast to and from all. */
const numbers = ["smallint", "integer", "bigint", "real", "double precision", "numeric"];
const castable: Readonly<Record<string, readonly string[]>> = {
  smallint: numbers,
  integer: [...numbers, "boolean"],
  bigint: numbers,
  real: numbers,
  "double precision": numbers,
  numeric: numbers,
  boolean: ["integer"],
  date: ["timestamptz", "timestamp"],
  timestamp: ["date", "timestamptz", "timestamp"],
  timestamptz: ["date", "timestamptz", "timestamp"],
  json: ["jsonb", "json"],
  jsonb: [...numbers, "boolean", "json"],
};

/** Why the values of one column cannot become those of another, or null where they can. */
export function lossOf(old: Column, now: Column): Loss | null {
  if (old.secret === true && now.secret !== true) return consequences.fromPassword;
  if (old.secret !== true && now.secret === true) return consequences.toPassword;
  const cast = old.type === now.type || isText(old.type) || isText(now.type);
  if (cast || castable[familyOf(old.type)]?.includes(familyOf(now.type))) return null;
  return consequences.noCast(now.name, old.type, now.type);
}

/** A change of type: its class, what it does to the values, and to those who use the table. */
export interface Retyping extends Required<Effects> {
  readonly class: StepClass;
  readonly consequence?: Consequence;
}

/** What happens to the values of a column that takes another type. */
export function retyping(place: Place, from: ColumnType, to: ColumnType): Retyping {
  const breaksOlder = castsOf(from) !== castsOf(to);
  const safe = { class: "widening", rewrites: !sameBytes(from, to), breaksOlder } as const;
  const note = lossless(from, to);
  if (note !== null) return note === "" ? safe : { ...safe, consequence: consequences.convert(place, note) };
  const length = lengthOf(to);
  const consequence =
    length !== null
      ? consequences.cutText(place, length)
      : isText(from)
        ? consequences.parseText(place, to)
        : consequences.convert(place, conversions[`${familyOf(from)} ${familyOf(to)}`] ?? general(from, to));
  return { class: "destructive", consequence, rewrites: true, breaksOlder };
}

/** Types among which PostgreSQL takes and compares each other's values, so that a value may still be cast to the old one. */
function castsOf(type: ColumnType): string {
  const family = familyOf(type);
  if (isText(type)) return "text";
  if (numbers.includes(family)) return "number";
  return { timestamp: "timestamptz", json: "jsonb" }[family] ?? family;
}

/** Text that says what changes although nothing is lost, empty where nothing does; null where something is lost. */
function lossless(from: ColumnType, to: ColumnType): string | null {
  const [source, target] = [familyOf(from), familyOf(to)];
  if (isText(from) && (to === "text" || to === "varchar"))
    return source === "char" ? "cuts the blanks at the end" : "";
  if (isText(from)) return (lengthOf(to) ?? 0) >= (lengthOf(from) ?? Number.POSITIVE_INFINITY) ? "" : null;
  if (wider[source]?.includes(target)) return "";
  if (source === "numeric" && target === "double precision" && digitsOf(from) <= 15) return "";
  if (source === "timestamptz" && target === source && digitsOf(from) <= digitsOf(to)) return "";
  return source === "json" && target === "jsonb" ? "keeps neither the order of keys nor blanks" : null;
}

/** Families that hold every value of the one before them. */
const wider: Readonly<Record<string, readonly string[]>> = {
  smallint: ["integer", "bigint", "real", "double precision", "numeric"],
  integer: ["bigint", "double precision"],
  real: ["double precision"],
  date: ["timestamptz"],
};

/** What is lost between two families, where that is not merely what does not fit. */
const conversions: Readonly<Record<string, string>> = {
  "double precision integer": "rounds to whole numbers, and fails on those over 2147483647",
  "double precision bigint": "rounds to whole numbers",
  "real integer": "rounds to whole numbers, and fails on those over 2147483647",
  "numeric integer": "rounds to whole numbers, and fails on those over 2147483647",
  "numeric bigint": "rounds to whole numbers",
  "numeric double precision": "keeps about 15 digits of each number",
  "bigint integer": "fails on numbers over 2147483647",
  "bigint double precision": "is exact only up to 9007199254740991",
  "integer boolean": "turns 0 into false, and every other number into true",
  "boolean integer": "turns true into 1, and false into 0",
  "timestamptz date": "drops the time of day, in UTC",
  "timestamptz timestamptz": "rounds to milliseconds",
  "timestamp date": "drops the time of day",
  "timestamp timestamptz": "takes the times to be in UTC, and rounds to milliseconds",
};

function general(from: ColumnType, to: ColumnType): string {
  return isText(to) ? `turns each ${from} into its text` : `fails where a ${from} is no ${to}`;
}

/** PostgreSQL leaves the rows alone, since the values are stored in the same way. */
function sameBytes(from: ColumnType, to: ColumnType): boolean {
  const [source, target] = [familyOf(from), familyOf(to)];
  const texts = ["text", "varchar"];
  if (texts.includes(source)) return texts.includes(target);
  return source === "timestamptz" && target === source;
}

/** `varchar` of `varchar(20)`. */
export function familyOf(type: ColumnType): string {
  return type.replace(/\(.*/, "");
}

function isText(type: ColumnType): boolean {
  return ["text", "varchar", "char"].includes(familyOf(type));
}

function lengthOf(type: ColumnType): number | null {
  return isText(type) && type.includes("(") ? digitsOf(type) : null;
}

/** The first number of a type; of one without it, no limit (which is 6 digits of a second for times). */
function digitsOf(type: ColumnType): number {
  const digits = /\((\d+)/.exec(type)?.[1];
  if (digits !== undefined) return Number(digits);
  return familyOf(type) === "timestamptz" ? 6 : Number.POSITIVE_INFINITY;
}
