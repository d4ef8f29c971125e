import { elementTypeOf, familyOf } from "../../vocabulary/migrations/catalog.ts";
import type { Column, ColumnType } from "../../vocabulary/migrations/migration-steps.ts";
import { type ColumnPlace, type Consequence, consequences } from "./consequences.ts";
import { capacityOf, isExactNumber, numberLoss, numberTypes, rounding } from "./number-conversion.ts";
import type { StepEffects } from "./planned-change.ts";
import type { StepClass } from "./schema.ts";

/** Why values cannot be kept. */
export type Loss = Consequence;

/** The casts of PostgreSQL between families. Text can be cast to and from all types. */
const castable: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(numberTypes.map((type) => [type, numberTypes])),
  integer: [...numberTypes, "boolean"],
  boolean: ["integer"],
  date: ["timestamptz", "timestamp"],
  time: ["time"],
  timestamp: ["date", "time", "timestamptz", "timestamp"],
  timestamptz: ["date", "time", "timestamptz", "timestamp"],
  json: ["jsonb", "json"],
  jsonb: [...numberTypes, "boolean", "json"],
};

/** Why the values of a column cannot be converted to another column; null if they can. */
export function lossOf(old: Column, now: Column): Loss | null {
  if (old.secret === true && now.secret !== true) return consequences.fromPassword;
  if (old.secret !== true && now.secret === true) return consequences.toPassword;
  return old.type === now.type || isCastable(old.type, now.type)
    ? null
    : consequences.noCast(now.name, old.type, now.type);
}

/** Lists are compared by their elements. */
function isCastable(from: ColumnType, to: ColumnType): boolean {
  const [source, target] = [valueType(from), valueType(to)];
  if (isList(from) && familyOf(target) === "jsonb") return true;
  if (isList(from) !== isList(to) && [source, target].some((type) => /^jsonb?$/.test(type))) return false;
  if (isText(source) || isText(target)) return true;
  const [family, other] = [familyOf(source), familyOf(target)];
  return (isList(from) && isList(to) && family === other) || castable[family]?.includes(other) === true;
}

/** Whether a plain cast is not enough: values become lists, or the cast would accept values that are invalid in a field. */
export function needsConversion(from: ColumnType, to: ColumnType): boolean {
  if (isList(from) !== isList(to)) return true;
  const [source, target] = [valueType(from), valueType(to)];
  if (familyOf(target) === "numeric" && target !== "numeric")
    return !isExactNumber(source) || source === "numeric";
  return target === "time(3)" && (isText(source) || digitsOf(source) > 3);
}

/** A change of type: its class and its effects. */
export interface TypeChange extends Required<StepEffects> {
  readonly class: StepClass;
  readonly consequence?: Consequence;
}

/** Describes a change of a column's type. */
export function typeChange(place: ColumnPlace, from: ColumnType, to: ColumnType): TypeChange {
  const breaksOlder = castsOf(from) !== castsOf(to);
  const rewrites = !sameBytes(from, to);
  const loss = lossWords(from, to);
  const note = [listWords(from, to), loss ?? lossless(valueType(from), valueType(to))]
    .filter((words) => words !== null && words !== "")
    .join("; ");
  const isLost = loss !== null || (isList(from) && !isList(to) && to !== "jsonb");
  const effects = { class: isLost ? "destructive" : "widening", rewrites, breaksOlder } as const;
  if (note === "") return effects;
  const length = loss === null ? null : lengthOf(valueType(to));
  if (isList(from) === isList(to) && length !== null)
    return { ...effects, rewrites: true, consequence: consequences.cutText(place, length, isList(to)) };
  const parses = loss !== null && isText(valueType(from));
  return {
    ...effects,
    rewrites: rewrites || isLost,
    consequence: parses ? consequences.parseText(place, to, note) : consequences.convert(place, note),
  };
}

/** The change between list and single value, in words; null if there is no such change. */
function listWords(from: ColumnType, to: ColumnType): string | null {
  if (isList(from) === isList(to)) return null;
  if (isList(to)) return "turns each value into a list of one element";
  if (to === "jsonb") return "turns each list into a JSON list";
  return (
    "keeps the first element of each list, and loses the others; an empty list becomes null, which " +
    "fails if the field is required"
  );
}

/** The loss of each value or element, in words; null without a loss. */
function lossWords(from: ColumnType, to: ColumnType): string | null {
  const [source, target] = [valueType(from), valueType(to)];
  if (isList(from) && target === "jsonb") return null;
  if (source === target || lossless(source, target) !== null) return null;
  const length = lengthOf(target);
  if (length !== null) return `cuts values that are longer than ${length} characters`;
  if (isText(source)) return parsing(target);
  return numberLoss(source, target) ?? conversion(source, target);
}

function parsing(target: string): string {
  const capacity = familyOf(target) === "numeric" ? capacityOf(target) : null;
  if (capacity !== null)
    return `fails where a value is not a number, or has more than ${capacity.fits} digits before the point; ${rounding(capacity)}`;
  if (familyOf(target) === "time")
    return "fails where a value is not a time of day, drops a date or a zone next to it, and rounds to milliseconds";
  return `fails where a value is not a valid ${target}`;
}

/** A group of types that accept casts and comparisons with each other: statements of older code still work within a group. */
function castsOf(type: ColumnType): string {
  const held = valueType(type);
  const family = familyOf(held);
  const list = isList(type) ? "[]" : "";
  if (isText(held)) return `text${list}`;
  if (numberTypes.includes(family)) return `number${list}`;
  return ({ timestamp: "timestamptz", json: "jsonb" }[family] ?? family) + list;
}

/** A text that describes the change if nothing is lost, empty if nothing changes; null if data is lost. */
function lossless(from: string, to: string): string | null {
  if (from === to) return "";
  const [source, target] = [familyOf(from), familyOf(to)];
  if (isText(from) && (to === "text" || to === "varchar"))
    return source === "char" ? "cuts the spaces at the end" : "";
  if (isText(from)) return (lengthOf(to) ?? 0) >= (lengthOf(from) ?? Number.POSITIVE_INFINITY) ? "" : null;
  if (source === "date" && target === "timestamptz") return "";
  if (numberTypes.includes(source) && numberLoss(from, to) === "") return "";
  const isMoment = source === "timestamptz" || source === "time";
  if (isMoment && target === source && digitsOf(from) <= digitsOf(to)) return "";
  return source === "json" && target === "jsonb" ? "drops the order of keys and the whitespace" : null;
}

/** The effects of casts between two families, if they are more than a failure on invalid values. */
const conversions: Readonly<Record<string, string>> = {
  "integer boolean": "turns 0 into false, and every other number into true",
  "boolean integer": "turns true into 1, and false into 0",
  "timestamptz date": "drops the time of day, in UTC",
  "timestamptz time": "drops the date, in UTC",
  "timestamptz timestamptz": "rounds to milliseconds",
  "timestamp date": "drops the time of day",
  "timestamp time": "drops the date",
  "timestamp timestamptz": "takes the times to be in UTC, and rounds to milliseconds",
  "time time": "rounds to milliseconds, and fails on 24:00",
};

function conversion(from: string, to: string): string {
  const known = conversions[`${familyOf(from)} ${familyOf(to)}`];
  if (known === undefined)
    return isText(to) ? `turns each ${from} into its text` : `fails where a ${from} is not a valid ${to}`;
  const rounds = to === "time(3)" && known.startsWith("drops") && digitsOf(from) > 3;
  return rounds ? `${known}, rounds to milliseconds, and fails if the result is 24:00` : known;
}

/** Whether both types are stored in the same way, so that PostgreSQL does not rewrite the rows. It always rewrites arrays. */
function sameBytes(from: ColumnType, to: ColumnType): boolean {
  if (isList(from) || isList(to)) return false;
  const [source, target] = [familyOf(from), familyOf(to)];
  const texts = ["text", "varchar"];
  if (texts.includes(source)) return texts.includes(target);
  if (source !== target) return false;
  if (source === "numeric") return capacityOf(from)?.decimals === capacityOf(to)?.decimals;
  return source === "timestamptz" || source === "time";
}

function isList(type: ColumnType): boolean {
  return elementTypeOf(type) !== null;
}

/** The type of a single value: of a list, its element type. */
function valueType(type: ColumnType): string {
  return elementTypeOf(type) ?? type;
}

function isText(type: string): boolean {
  return ["text", "varchar", "char"].includes(familyOf(type));
}

function lengthOf(type: string): number | null {
  return isText(type) && type.includes("(") ? digitsOf(type) : null;
}

/** The first number in a type. Without a number there is no limit, or 6 digits of a second for times. */
function digitsOf(type: string): number {
  const digits = /\((\d+)/.exec(type)?.[1];
  if (digits !== undefined) return Number(digits);
  return ["timestamptz", "timestamp", "time"].includes(familyOf(type)) ? 6 : Number.POSITIVE_INFINITY;
}
