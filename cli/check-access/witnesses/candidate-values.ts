import type { FieldDefinition } from "#generator/definition/definition";
import { checkValue, elementRules } from "#generator/definition/values";
import { comparedByDbType, elementDbType } from "#vocabulary/fields/db-types";
import { elementKindOf, type FieldKind } from "#vocabulary/fields/field-kinds";
import { columnLimits } from "#vocabulary/fields/field-schema";
import type { Json } from "#vocabulary/json";
import type { Cell } from "./row-plan.ts";
import { textMatching } from "./sample-text.ts";
import type { WitnessWorld } from "./witness.ts";

/** The values that some conditions mention. Values near them make the conditions true or false. */
export interface Mentioned {
  readonly literals: readonly Json[];
  /** Offsets from now, in seconds. */
  readonly offsets: readonly number[];
  readonly patterns: readonly string[];
}

/** The rules of a field that its values obey. */
type Rules = Parameters<typeof elementRules>[0] & Pick<FieldDefinition, "name" | "dbType">;
type Random = Pick<WitnessWorld, "random" | "nextNumber">;

/** The rules of a cell. A runtime column has those of its type. */
export function valueRulesOf({ field, kind, dbType }: Cell): Rules {
  if (field !== null) return field;
  const { minimum = null, maximum = null, maxLength = null } = columnLimits({ dbType }) ?? {};
  const none = { enum: null, minLength: null, pattern: null, decimal: null, items: null };
  return { name: "value", kind, dbType, minimum, maximum, maxLength, ...none };
}

/** The rules of the elements of a list; for other fields the same rules. */
function ofElements(rules: Rules): Rules {
  return { ...rules, ...elementRules(rules), dbType: elementDbType(rules) };
}

/** Values to try for a cell, as PostgreSQL's text, the likely ones first. They obey the field's rules. `null` is not one of them. */
export function candidatesFor(cell: Cell, mentioned: Mentioned, random: Random): string[] {
  const { kind } = cell;
  const rules = valueRulesOf(cell);
  const isList = elementKindOf(kind) !== null;
  const elements = scalarCandidates(ofElements(rules), mentioned, random);
  const few = elements.slice(0, 6);
  const lists = [...few.map((element) => [element]), [], few, few.slice(0, 2), few.slice(1, 3)];
  const found: readonly Json[] = isList ? lists : elements;
  const valid = [...found.slice(0, 1), sampleValue(rules, random), ...found].flatMap((value) => {
    const checked = checkValue(rules, value);
    return "value" in checked ? [textOf(checked.value, kind)] : [];
  });
  return [...new Set(valid)];
}

function scalarCandidates(rules: Rules, { literals, offsets, patterns }: Mentioned, random: Random): Json[] {
  const { kind } = rules;
  if (rules.enum !== null) return [...literals, ...rules.enum];
  // Few texts are values of these types.
  if (comparedByDbType(rules) !== null) return [...literals, sampleValue(rules, random)];
  switch (kind) {
    case "boolean":
      return [true, false];
    case "datetime":
    case "date":
      return momentCandidates(kind, literals, offsets);
    case "time":
      return ["12:00", ...literals, ...literals.flatMap(timesAround), "00:00", "23:59:59"];
    case "integer":
    case "bigint":
    case "int64":
    case "decimal":
    case "float": {
      const bounds = [rules.minimum, rules.maximum].filter((bound) => bound !== null);
      return [
        sampleValue(rules, random),
        ...[...literals, ...bounds, 0].flatMap((each) => numbersAround(each, kind)),
      ];
    }
    case "uuid":
      return [...literals, uuidOf(random)];
    case "json":
      return [{}];
    default:
      return textCandidates(literals.map(String), patterns);
  }
}

function textCandidates(texts: readonly string[], patterns: readonly string[]): Json[] {
  // A text that a pattern of LIKE matches.
  const textLike = (pattern: string, filler: string) =>
    pattern.replace(/\\(.)|%|_/gs, (sign, literal?: string) => literal ?? (sign === "%" ? filler : "a"));
  const fillers = ["", "x", ...patterns.map((pattern) => textLike(pattern, ""))];
  const matching = patterns.flatMap((pattern) => fillers.map((filler) => textLike(pattern, filler)));
  return [
    ...matching,
    ...texts,
    ...texts.map((text) => `${text}x`),
    ...matching.map((text) => text.toUpperCase()),
  ];
}

function numbersAround(value: Json, kind: FieldKind): Json[] {
  const text = String(value);
  const isExact = kind === "int64" || kind === "decimal";
  if (/^-?\d+$/.test(text))
    return [0n, 1n, -1n]
      .map((step) => BigInt(text) + step)
      .map((each) => (isExact ? String(each) : Number(each)));
  const number = Number(text);
  if (!Number.isFinite(number) || text === "") return [];
  const near = [number, number + 1, number - 1, number + 0.5, Math.round(number)];
  return isExact ? [text, ...near.map(String)] : near;
}

function timesAround(value: Json): Json[] {
  const [hours, rest] = [Number(String(value).slice(0, 2)), String(value).slice(2)];
  return [-1, 1].map((step) => `${String((hours + step + 24) % 24).padStart(2, "0")}${rest}`);
}

const minute = 60_000;
const day = 1_440 * minute;

/** Moments between and around the ones that conditions mention, far enough from them that they stay on their side during a check. */
function momentCandidates(
  kind: "datetime" | "date",
  literals: readonly Json[],
  offsets: readonly number[],
): Json[] {
  const known = literals.map((literal) => Date.parse(String(literal))).filter((time) => !Number.isNaN(time));
  const relative = [0, ...offsets].map((seconds) => Date.now() + seconds * 1_000);
  const points = [...new Set([...relative, ...known])].sort((one, other) => one - other);
  const between = points.slice(1).map((point, index) => (point + (points[index] ?? point)) / 2);
  const steps = kind === "date" ? [2 * day, 40 * day] : [60 * minute, day, 40 * day, 5 * minute];
  const around = steps.flatMap((step) => points.flatMap((point) => [point - step, point + step]));
  return [...between, ...around, ...known].map((time) => momentText(kind, time));
}

function momentText(kind: "datetime" | "date", time: number): string {
  return new Date(time).toISOString().slice(0, kind === "date" ? 10 : undefined);
}

/** A valid value of a field, for which no condition asks. Texts and numbers are new, where the field has enough values. */
export function sampleValue(rules: Rules, random: Random): Exclude<Json, null> {
  const { kind, items, enum: values } = rules;
  if (elementKindOf(kind) !== null)
    return Array.from({ length: items?.least ?? 0 }, () => sampleValue(ofElements(rules), random));
  if (values !== null) return values[Math.floor(random.random() * values.length)] ?? "";
  switch (kind) {
    case "boolean":
      return false;
    case "datetime":
    case "date":
      // A column can have no digits after the second.
      return momentText(kind, Math.floor((Date.now() - day) / 1_000) * 1_000);
    case "time":
      return "12:00";
    case "json":
      return {};
    case "uuid":
      return uuidOf(random);
    case "email": {
      const text = `witness-${random.nextNumber()}@example.com`;
      return text.length > (rules.maxLength ?? text.length) ? `${text.slice(8, 15)}@x.org` : text;
    }
    case "integer":
    case "bigint":
    case "int64":
    case "decimal":
    case "float":
      return sampleNumber(rules, random);
    default:
      return sampleText(rules, random);
  }
}

function sampleNumber({ kind, minimum, maximum, decimal }: Rules, random: Random): number | string {
  const usual = Math.min(1, Number(maximum ?? 1));
  // The least number of a column type is far below zero.
  const isFar = Number(minimum ?? usual) < usual - 10_000;
  const least = Math.ceil(isFar ? usual : Number(minimum ?? usual));
  const size = decimal === null ? 1_000_000 : 10 ** Math.min(6, decimal.precision - decimal.scale);
  const most = Math.floor(Number(maximum ?? least + size - 2));
  const number = least + (random.nextNumber() % Math.max(1, Math.min(most - least + 1, 1_000_000)));
  return kind === "int64" || kind === "decimal" ? String(number) : number;
}

/** A text of a type that PostgreSQL prints as text. */
const printedSamples: Readonly<Record<string, (number: number) => string>> = {
  inet: addressOf,
  cidr: addressOf,
  macaddr: (number) => `08:00:${number.toString(16).padStart(8, "0").match(/../g)?.join(":")}`,
  ltree: (number) => `n${number}`,
  xml: (number) => `<n>${number}</n>`,
  money: (number) => `${number}.00`,
  interval: (number) => `${number} days`,
};

function addressOf(number: number): string {
  return `10.${[16, 8, 0].map((bits) => (number >> bits) & 255).join(".")}`;
}

function sampleText(rules: Rules, random: Random): string {
  const { pattern, minLength, maxLength, name, kind, dbType } = rules;
  const printed = printedSamples[dbType ?? ""];
  if (printed !== undefined) return printed(random.nextNumber());
  for (let tries = 0; pattern !== null && tries < 30; tries++) {
    const text = textMatching(pattern, random.random);
    if ("value" in checkValue(rules, text)) return text;
  }
  const text = kind === "password" ? `Aa1!-${random.nextNumber()}` : `${name} ${random.nextNumber()}`;
  // The number at its end makes a text unique.
  return text.slice(-(maxLength ?? text.length)).padStart(minLength ?? 0, "x");
}

export function uuidOf({ random }: Pick<Random, "random">): string {
  const digits = (length: number) =>
    Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join("");
  return `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(12)}`;
}

/** A canonical value as PostgreSQL's text. */
export function textOf(value: Exclude<Json, null>, kind: FieldKind): string {
  if (kind === "json") return JSON.stringify(value);
  if (!Array.isArray(value)) return String(value);
  return `{${value.map((element) => JSON.stringify(String(element))).join(",")}}`;
}
