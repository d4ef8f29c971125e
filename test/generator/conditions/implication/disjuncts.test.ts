import { beforeAll, expect, test } from "vitest";
import { type ConditionNames, disjunctsOf, isCovered } from "#generator/conditions/index";
import { testDatabase } from "../../../support/database.ts";

const same: ConditionNames = {
  fields: new Set<string>(),
  nameOf: (name) => name,
  callerColumn: (name) => name,
  pathOf: () => null,
};
const database = await testDatabase();

/** Whether it is proven that the rules after open no row that those before did not. */
function isNotWider(before: string, after: string): boolean {
  const known = disjunctsOf(before, same);
  return disjunctsOf(after, same).every((part) => isCovered(part, known));
}

// biome-ignore format: one case a line
test.each([
  ["title IN ('a', 'b')", "title = 'a'"],
  ["title IN ('a', 'b')", "title IN ('b', 'a')"],
  ["title IN ('a')", "title = 'a'"],
  ["title = 'a'", "title IN ('a')"],
  ["title IN ('a', 'b', 'c')", "title IN ('c', 'a') AND cost > 1"],
  ["title = 'a' OR title = 'b'", "title IN ('a', 'b')"],
  ["title NOT IN ('a')", "title NOT IN ('b', 'a')"],
  ["title <> 'a'", "NOT title IN ('a', 'b')"],
  ["(title = 'a' OR cost = 1) AND open = true", "title = 'a' AND open = true"],
  ["(title = 'a' OR cost = 1) AND open = true", "(title = 'a' AND open = true) OR (cost = 1 AND open = true)"],
  ["(title = 'a' AND open = true) OR (cost = 1 AND open = true)", "(cost = 1 OR title = 'a') AND open = true"],
  ["NOT (title = 'a')", "title <> 'a'"],
  ["title <> 'a'", "NOT (title = 'a')"],
  ["NOT (cost < 2)", "cost >= 2"],
  ["NOT (cost < 2 OR title IS NULL)", "title IS NOT NULL AND cost >= 2"],
  ["NOT (NOT (cost = 1))", "cost = 1"],
  ["cost >= 1 AND cost <= 2", "cost BETWEEN 1 AND 2"],
  ["cost >= 1", "cost BETWEEN 1 AND 2"],
  ["cost NOT BETWEEN 1 AND 2", "cost < 1"],
  ["cost > 2 OR cost < 1", "NOT cost BETWEEN 1 AND 2"],
  ["title NOT LIKE 'a%'", "NOT (title LIKE 'a%')"],
  ["cost IS NULL", "cost = null"],
])("%s, then %s, is not wider", (before, after) => {
  expect(isNotWider(before, after)).toBe(true);
});

test.each([
  ["title = 'a'", "title IN ('a', 'b')"],
  ["title = 'a' AND open = true", "(title = 'a' OR cost = 1) AND open = true"],
  ["title = 'a' AND open = true", "title = 'a'"],
  ["title NOT IN ('a', 'b')", "title <> 'a'"],
  ["NOT (title = 'a')", "title = 'a'"],
  ["title LIKE 'a'", "title ILIKE 'a'"],
  ["title LIKE 'a'", "title NOT LIKE 'a'"],
  ["cost < 1", "cost NOT BETWEEN 1 AND 2"],
  ["cost BETWEEN 1 AND 2", "cost >= 1"],
  ["title = '1'", "title = 1"],
  ["title = '{user_id}'", "title = {user_id}"],
  ["title <> 'a' OR title = 'a'", "title IS NOT NULL OR title IS NULL"],
])("%s, then %s, may be wider", (before, after) => {
  expect(isNotWider(before, after)).toBe(false);
});

test("a condition with too many ways to enumerate only equals itself", () => {
  const values = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => from + index).join(", ");
  const large = `cost IN (${values(0, 20)}) AND title IN (${values(0, 20)})`;
  const turned = `title IN (${values(10, 20)}, ${values(0, 10)}) AND cost IN (${values(0, 20)})`;
  expect(isNotWider(large, turned)).toBe(true);
  expect(isNotWider(large, `${turned} AND open = true`)).toBe(true);
  expect(isNotWider(large, `cost IN (${values(0, 21)}) AND title IN (${values(0, 20)})`)).toBe(false);
  expect(
    isNotWider(`cost IN (${values(0, 1000)})`, `cost IN (${values(500, 1000)}, ${values(0, 500)})`),
  ).toBe(true);
  const pairs = Array.from({ length: 200 }, (_, index) => `(cost = ${index} OR title = '${index}')`);
  for (const [part] of disjunctsOf(pairs.join(" AND "), same).map(({ clauses }) => [clauses]))
    expect(part?.length).toBeLessThanOrEqual(64);
});

test("a text that cannot be read equals itself while its words mean the same", () => {
  const renamed = { ...same, nameOf: (name: string) => (name === "state" ? "status" : name) };
  const text = "state ~ 'x'";
  const [part] = disjunctsOf(text, same);
  if (part === undefined) throw new Error("no part");
  expect(isCovered(part, disjunctsOf(text, same))).toBe(true);
  expect(isCovered(part, disjunctsOf(text, renamed))).toBe(false);
});

/** Numbers from 0 to below 1, the same in each run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const next = random(7);
const pick = <Item>(items: readonly [Item, ...Item[]]): Item =>
  items[Math.floor(next() * items.length)] ?? items[0];
const text = () => pick(["'a'", "'b'", "'c'", "{user_id}"]);
const number = () => pick(["1", "2", "3"]);
const sign = () => pick(["=", "<>", "<", "<=", ">", ">="]);
const not = () => pick(["", "", "NOT "]);

function comparison(): string {
  return pick([
    () => `title ${sign()} ${text()}`,
    () => `${number()} ${sign()} cost`,
    () => `cost ${sign()} ${number()}`,
    () => `title ${not()}IN (${text()}, ${text()})`,
    () => `cost ${not()}IN (${number()})`,
    () => `cost ${not()}BETWEEN ${number()} AND ${number()}`,
    () => `title ${not()}${pick(["LIKE", "ILIKE"])} ${pick(["'a'", "'A'", "'%b'"])}`,
    () => `${pick(["title", "cost", "open"])} IS ${not()}NULL`,
    () => `open ${pick(["=", "<>"])} ${pick(["true", "false"])}`,
  ])();
}

function condition(depth: number): string {
  if (depth === 0 || next() < 0.2) return comparison();
  const [one, other] = [condition(depth - 1), condition(depth - 1)];
  return pick([`(${one} AND ${other})`, `(${one} OR ${other})`, `NOT (${one})`]);
}

/** A condition made of another one, which often opens less, and sometimes more. */
function variant(of: string): string {
  const other = condition(1);
  const parts = of.slice(1, -1).split(/ AND | OR /);
  // biome-ignore format: many a line
  return pick([
    () => `(${of}) AND ${other}`, () => `${other} AND NOT (NOT (${of}))`, () => `(${of}) OR ${other}`,
    () => `((${of}) AND ${other}) OR ((${of}) AND ${condition(1)})`,
    () => `NOT (NOT (${of}) OR NOT (${other}))`, () => of.replace(/ OR /, " AND "),
    () => of.replace(/IN \((\S+), \S+\)/, "IN ($1)"), () => of.replace(/NOT /, ""),
    () => (parts[0]?.match(/^[^()]+$/) ? parts[0] : other), () => condition(2),
  ])();
}

beforeAll(async () => {
  await database.query(`
    CREATE TABLE rows AS SELECT title, cost, open
    FROM unnest(ARRAY['a', 'b', 'c', 'A', NULL]) title, unnest(ARRAY[1, 2, 3, NULL]) cost, unnest(ARRAY[true, false, NULL]) open`);
});

/** The rows that the rules after open and those before did not, for every caller. */
async function opened(before: string, after: string) {
  const rows = ["'a'", "NULL"].map((caller) => {
    const [was, is] = [before, after].map((each) => each.replaceAll("{user_id}", caller));
    return database.query(`SELECT * FROM rows WHERE (${is}) IS TRUE AND (${was}) IS NOT TRUE LIMIT 1`);
  });
  return { before, after, opened: (await Promise.all(rows)).flat() };
}

test("a condition that is proven to be no wider opens no further row in PostgreSQL", async () => {
  let proven = 0;
  for (let index = 0; index < 1500; index++) {
    const before = condition(3);
    const after = variant(before);
    if (!isNotWider(before, after)) continue;
    proven++;
    expect(await opened(before, after)).toEqual({ before, after, opened: [] });
  }
  expect(proven).toBeGreaterThan(300);
});

test("nor does any comparison, when it is proven to be no wider than another one", async () => {
  const compared = ["=", "<>", "<", "<=", ">", ">="].flatMap((each) => [`cost ${each} 2`, `2 ${each} cost`]);
  const others = ["IN (2)", "IN (2, 3)", "BETWEEN 2 AND 3"].flatMap((each) => [
    `cost ${each}`,
    `cost NOT ${each}`,
  ]);
  const plain = [...compared, ...others, "cost IS NULL", "cost IS NOT NULL"];
  const all = plain.flatMap((each) => [each, `NOT (${each})`]);
  const pairs = all.flatMap((before) => all.map((after) => [before, after] as const));
  const proven = pairs.filter(([before, after]) => isNotWider(before, after));
  expect(proven.length).toBeGreaterThan(2 * all.length);
  for (const [before, after] of proven)
    expect(await opened(before, after)).toEqual({ before, after, opened: [] });
});
