import type { Comparable } from "../../support/three-valued.ts";
import type { Dice } from "./dice.ts";
import {
  columnsOf,
  elementOf,
  familyOf,
  isList,
  type Kind,
  type ListKind,
  type Shape,
  type Shapes,
  shapeOf,
} from "./shapes.ts";

type Single = string | number | boolean;

/** What a column holds. */
export type Held = Single | null | readonly Single[];
export type Row = Readonly<Record<string, Held>>;

/** All rows by model, soft-deleted ones too, in the order of their ids. */
export type Tables = Readonly<Record<string, readonly Row[]>>;

const day = 86_400_000;

/** The start of the run, without its milliseconds: times of rows and conditions are hours apart from it. */
export const started = Math.floor(Date.now() / 1000) * 1000;

const at = (days: number): string => new Date(started + days * day).toISOString();

/** Few values of each kind, so that rows meet. */
// biome-ignore format: many a line
export const values: Readonly<Record<Exclude<Kind, ListKind>, readonly Single[]>> = {
  string: ["a", "b", "ab", "c\\%", "%", "1", "2"], text: ["a", "b", "ab", "a_", "1"],
  email: ["a@x.org", "b@x.org", "a%@x.org"], integer: [0, 1, 2, 3, -1],
  bigint: [0, 1, 2, 3, 9007199254740991],
  int64: ["0", "1", "2", "3", "9007199254740993", "-9007199254740993"],
  decimal: ["0.00", "1.00", "2.00", "2.50", "-2.50", "9999999999.99"], float: [0, 1, 2, 0.5, -2.5],
  boolean: [true, false], datetime: [at(-400), at(-5), at(-0.1), at(0.1), at(5), "2024-02-29T00:00:00.000Z"],
  date: [at(-400), at(-5), at(5), "2024-02-29"].map((text) => text.slice(0, 10)),
  time: ["00:00:00.000", "09:30:00.000", "23:59:59.999"], uuid: [1, 2, 3].map((n) => uuidOf(n)),
};

const rowsOfModel = 9;

export function uuidOf(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
}

/** The n-th id of a model. */
export const idOf = ({ id }: Shape, n: number): string | number => (id === "uuid" ? uuidOf(n) : n);

export const codeOf = (n: number): string => `k${n}`;

/** Rows with NULLs, soft-deleted ones, and foreign keys that may lead to those. */
export function randomTables(dice: Dice, shapes: Shapes): Tables {
  const numbers = Array.from({ length: rowsOfModel }, (_, n) => n + 1);
  return Object.fromEntries(
    Object.values(shapes).map((shape) => [shape.key, numbers.map((n) => randomRow(dice, shapes, shape, n))]),
  );
}

function randomRow(dice: Dice, shapes: Shapes, shape: Shape, n: number): Row {
  const deleted = shape.softDelete && dice.chance(25);
  const times = {
    created_at: at(-30 - n),
    updated_at: at(-20 - n),
    ...(shape.softDelete && { deleted_at: deleted ? at(-3) : null }),
  };
  const fields = Object.keys(shape.fields).map((name) => [name, randomValue(dice, shapes, shape, name)]);
  return {
    id: idOf(shape, n),
    ...Object.fromEntries(fields),
    ...("code" in shape.fields && { code: codeOf(n) }),
    ...times,
  };
}

/** A value for a column: of a foreign key one that leads to a row. */
export function randomValue(dice: Dice, shapes: Shapes, shape: Shape, name: string): Held {
  if (shape.key === "users" && ["role", "is_active", "is_verified"].includes(name))
    return name === "role" ? dice.pick(["a", "b", "%"]) : dice.chance(60);
  if (dice.chance(20)) return null;
  const link = Object.values(shape.links).find(({ kind, field }) => kind === "belongs_to" && field === name);
  if (link !== undefined) {
    const n = dice.between(1, rowsOfModel);
    return link.references === "code" ? codeOf(n) : idOf(shapeOf(shapes, link.model), n);
  }
  return randomOf(dice, columnsOf(shape)[name] ?? "string");
}

/** A value of a kind; of a list some of its possible elements, or none. */
function randomOf(dice: Dice, kind: Kind): Held {
  if (!isList(kind)) return dice.pick(values[kind]);
  return Array.from({ length: dice.between(0, 3) }, () => dice.pick(values[elementOf(kind)]));
}

/** Comparable values of a kind: times in milliseconds, numbers in hundredths, as decimals have two digits. */
export function comparable(value: Held, kind: Kind): Comparable {
  if (value === null || typeof value === "object") return null;
  if (familyOf(kind) === "datetime") return Date.parse(String(value));
  return familyOf(kind) === "number" ? hundredths(String(value)) : value;
}

function hundredths(text: string): bigint {
  const [whole = "", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(2, "0"));
}

/** The elements of a list in such a form; null where it is NULL. */
export function elementsOf(value: Held, kind: Kind): readonly Comparable[] | null {
  return typeof value === "object" && value !== null && isList(kind)
    ? value.map((element) => comparable(element, elementOf(kind)))
    : null;
}
