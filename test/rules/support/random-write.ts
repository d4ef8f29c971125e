import fc from "fast-check";
import type { Dice } from "./dice.ts";
import { drawn } from "./drawn.ts";
import { caseText, type RuleCase, randomCase, simplerCases } from "./random-case.ts";
import { randomRule } from "./random-rule.ts";
import { codeOf, type Held, idOf, randomValue, uuidOf } from "./rows.ts";
import { type Rule, simpler, textOf } from "./rule.ts";
import { type Shape, type Shapes, shapeOf } from "./shapes.ts";

/** Values of a body, by field. */
export type Values = Readonly<Record<string, Held>>;

export type Write =
  | { readonly run: "create"; readonly records: readonly Values[]; readonly bulk: boolean }
  | {
      readonly run: "update" | "restore";
      readonly ids: readonly Held[];
      readonly by: "id" | "code";
      readonly data: Values;
    }
  | { readonly run: "bulk update"; readonly records: readonly Values[] }
  | { readonly run: "upsert"; readonly data: Values }
  | { readonly run: "delete" | "destroy"; readonly ids: readonly Held[]; readonly by: "ids" | "id" | "code" };

/** A write under a condition, over one of both ways. */
export interface WriteCase extends RuleCase {
  readonly write: Write;
  readonly over: "REST" | "GraphQL";
  /** The rows that every caller can fetch. */
  readonly fetch: Rule | "all rows" | "no rows";
  /** An upsert has the rules of create, and those of update are the ones that role `a` has besides. */
  readonly split: boolean;
}

/**
 * Random writes under random conditions. Of several that the dice give, the one is taken that tells most: most of all are
 * refused for many reasons at once.
 */
export function writeCases(shapes: Shapes, tells: (one: WriteCase) => number): fc.Arbitrary<WriteCase> {
  return drawn(
    (dice) => {
      const drafts = Array.from({ length: dice.pick([1, 6, 15]) }, () => randomWriteCase(dice, shapes));
      const worth = drafts.map(tells);
      return legible(drafts[worth.indexOf(Math.max(...worth))] ?? randomWriteCase(dice, shapes));
    },
    (value) =>
      [...simplerCases(value, shapes), ...simplerFetches(value, shapes), ...simplerWrites(value)].map(
        legible,
      ),
  );
}

function randomWriteCase(dice: Dice, shapes: Shapes): WriteCase {
  const one = randomCase(dice, shapes);
  const write = randomWrite(dice, shapes, shapeOf(shapes, one.model));
  const isBulk = write.run === "bulk update" || (write.run === "create" && write.bulk);
  const split = write.run === "upsert" && dice.chance(50);
  const over = isBulk || dice.chance(60) ? "REST" : "GraphQL";
  return { ...one, write, over, fetch: randomFetch(dice, shapes, one), split };
}

function randomFetch(dice: Dice, shapes: Shapes, { model, rule }: RuleCase): WriteCase["fetch"] {
  return dice.weighted<WriteCase["fetch"]>([
    [1, () => "all rows"],
    [1, () => "no rows"],
    [2, () => rule],
    [3, () => randomRule(dice, shapes, shapeOf(shapes, model))],
  ]);
}

function randomWrite(dice: Dice, shapes: Shapes, shape: Shape): Write {
  const data = () => randomData(dice, shapes, shape);
  const ids = () => someIds(dice, shape);
  const by = () => dice.pick(["id", "code"] as const);
  return dice.weighted<Write>([
    [3, () => ({ run: "create", records: [newRecord(dice, shapes, shape, 0)], bulk: false })],
    [3, () => ({ run: "create", records: newRecords(dice, shapes, shape), bulk: true })],
    [4, () => ({ run: "update", ids: ids(), by: by(), data: data() })],
    [3, () => ({ run: "bulk update", records: changes(dice, shapes, shape) })],
    [4, () => ({ run: "upsert", data: recordToUpsert(dice, shapes, shape) })],
    [2, () => ({ run: dice.pick(["delete", "destroy"]), ids: ids(), by: dice.pick(["ids", "id", "code"]) })],
    [
      shape.softDelete ? 2 : 0,
      () => ({ run: "restore", ids: ids(), by: by(), data: dice.chance(50) ? data() : { deleted_at: null } }),
    ],
  ]);
}

function someIds(dice: Dice, shape: Shape): Held[] {
  const count = dice.pick([1, 1, 1, 2, 3]);
  return Array.from({ length: count }, () => idOf(shape, dice.between(1, dice.chance(4) ? 12 : 9)));
}

/** The code of the row with an id. */
export const codeOfId = (id: Held): string => codeOf(Number(String(id).slice(-12)));

/** Rows by their ids, each with new values. */
function changes(dice: Dice, shapes: Shapes, shape: Shape): Values[] {
  const ids = [...someIds(dice, shape), ...someIds(dice, shape)];
  const records = ids.map((id) => ({ id, ...randomData(dice, shapes, shape) }));
  return dice.chance(35) ? withLost(dice, shapes, shape, records) : records;
}

const writable = ({ fields }: Shape): string[] => Object.keys(fields).filter((name) => name !== "code");

/** Some fields with new values; rarely a foreign key that leads nowhere. */
function randomData(dice: Dice, shapes: Shapes, shape: Shape): Values {
  const [first = "name", ...rest] = dice.some(writable(shape), 40);
  return Object.fromEntries([first, ...rest].map((name) => [name, sentValue(dice, shapes, shape, name)]));
}

function sentValue(dice: Dice, shapes: Shapes, shape: Shape, name: string): Held {
  const link = Object.values(shape.links).find(({ kind, field }) => kind === "belongs_to" && field === name);
  if (link !== undefined && dice.chance(2))
    return link.references === "code" ? "k99" : idOf(shapeOf(shapes, link.model), 99);
  return randomValue(dice, shapes, shape, name);
}

/** The n-th new record of a request; some with UUIDs have an id, which their foreign key can refer to. */
function newRecord(dice: Dice, shapes: Shapes, shape: Shape, n: number): Values {
  const id = shape.id === "uuid" && dice.chance(60) ? { id: uuidOf(50 + n) } : {};
  return {
    ...id,
    code: `new${n}`,
    ...randomData(dice, shapes, shape),
    ...toItself(dice, shape, id.id ?? null),
  };
}

function toItself(dice: Dice, { key, links }: Shape, id: string | null): Values {
  const own = Object.values(links).filter(
    ({ kind, model, references }) => kind === "belongs_to" && model === key && references === "id",
  );
  return id === null ? {} : Object.fromEntries(dice.some(own, 25).map(({ field }) => [field, id]));
}

/** Records of which some belong to an earlier one of the list. */
function newRecords(dice: Dice, shapes: Shapes, shape: Shape): Values[] {
  const records: Values[] = [];
  for (let n = 0; n < dice.between(2, 5); n++) {
    const record = newRecord(dice, shapes, shape, n);
    const earlier = records.flatMap(({ id = null }) => (id === null ? [] : [String(id)]));
    const siblings = earlier.length === 0 ? {} : toItself(dice, shape, dice.pick(earlier));
    records.push({ ...record, ...siblings });
  }
  return dice.chance(35) ? withLost(dice, shapes, shape, records) : records;
}

/** One of the records gets a dangling foreign key: the database refuses it and the records of its batch. */
function withLost(dice: Dice, shapes: Shapes, shape: Shape, records: readonly Values[]): Values[] {
  const keys = Object.values(shape.links).filter(({ kind }) => kind === "belongs_to");
  const n = dice.between(0, records.length - 1);
  const { field, model, references } = dice.pick(keys);
  const nowhere = references === "code" ? "k99" : idOf(shapeOf(shapes, model), 99);
  return records.map((record, at) => (at === n ? { ...record, [field]: nowhere } : record));
}

/** By code or by id, of a row that is there or not. */
function recordToUpsert(dice: Dice, shapes: Shapes, shape: Shape): Values {
  const n = dice.between(1, 9);
  const code = dice.chance(75) ? codeOf(n) : "new0";
  const id = dice.chance(30) ? { id: idOf(shape, dice.chance(85) ? n : 60) } : {};
  return { ...id, code, ...randomData(dice, shapes, shape) };
}

/** With less of the fetch rule. */
function simplerFetches(value: WriteCase, shapes: Shapes): WriteCase[] {
  const { fetch, model } = value;
  if (typeof fetch === "string") return [];
  const shape = shapeOf(shapes, model);
  return simpler(fetch, shapes, shape, shape).map((less) => ({ ...value, fetch: less }));
}

/** With fewer records, rows or fields. */
function simplerWrites(value: WriteCase): WriteCase[] {
  const { write } = value;
  const ways: WriteCase[] = value.over === "REST" ? [] : [{ ...value, over: "REST" }];
  return [...ways, ...lessOf(write).map((less) => ({ ...value, write: less }))];
}

function lessOf(write: Write): Write[] {
  switch (write.run) {
    case "create":
    case "bulk update": {
      const { records } = write;
      const fewer = records.length < 2 ? [] : records.map((_, n) => records.toSpliced(n, 1));
      const shorter = records.flatMap((record, n) =>
        fewerFields(record).map((less) => records.with(n, less)),
      );
      return [...fewer, ...shorter].map((list) => ({ ...write, records: list }));
    }
    case "upsert":
      return fewerFields(write.data).map((data) => ({ ...write, data }));
    case "delete":
    case "destroy":
      return fewerIds(write.ids).map((ids) => ({ ...write, ids }));
    default:
      return [
        ...fewerIds(write.ids).map((ids) => ({ ...write, ids })),
        ...fewerFields(write.data).map((data) => ({ ...write, data })),
      ];
  }
}

const fewerIds = (ids: readonly Held[]): Held[][] =>
  ids.length < 2 ? [] : ids.map((_, n) => ids.toSpliced(n, 1));

/** The fields that identify a record stay, and one field in addition. */
function fewerFields(record: Values): Values[] {
  const names = Object.keys(record).filter((name) => name !== "id" && name !== "code");
  if (names.length < 2) return [];
  return names.map((name) => Object.fromEntries(Object.entries(record).filter(([key]) => key !== name)));
}

function legible(value: WriteCase): WriteCase {
  const { write, over, fetch, split } = value;
  const fetched = typeof fetch === "string" ? fetch : textOf(fetch);
  const text = () =>
    `${caseText(value)}${split ? " (split)" : ""}\n  fetch: ${fetched}\n  over ${over}: ${JSON.stringify(write)}`;
  return Object.assign({ ...value }, { [fc.toStringMethod]: text });
}
