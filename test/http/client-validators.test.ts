import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ZodObject } from "zod";
import { validatorsText } from "#generator/emit/client/validators/validators-text";
import type { Json } from "#vocabulary/json";
import { repository } from "../generator/support/project.ts";
import { requestOf } from "../support/request.ts";
import { testService } from "../support/service.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const service = await testService();
const document = readFileSync(new URL("fixture/generated/openapi.json", import.meta.url), "utf8");
const validators = await imported(validatorsText(JSON.parse(document)));

/** A module next to the packages of this repository. */
async function imported(text: string): Promise<Readonly<Record<string, ZodObject>>> {
  const folder = temporaryFolder("kirak-validators-");
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "validators.ts"), text);
  return import(join(folder, "validators.ts"));
}

type Changes = { readonly [field: string]: Json | undefined };

const strict = {
  string: "abc",
  text: "a",
  integer: 1,
  float: 0.5,
  boolean: true,
  datetime: "2026-01-31T12:00:00Z",
  timestamp: "2026-01-31T12:00:00.123+02:00",
  date: "2026-01-31",
  email: "a@example.com",
  json: {},
  uuid: "0b9c4b0e-0000-4000-8000-000000000000",
  size: "small",
} as const;

const long = 2n ** 63n;

/** Changes of a record, and whether the service takes it. */
// biome-ignore format: one case a line
const cases: readonly (readonly [model: "Strict" | "Samples", changes: Changes, isTaken: boolean])[] = [
  ["Strict", {}, true],
  ["Strict", { string: undefined }, false],
  ["Strict", { string: null }, false],
  ["Strict", { string: "a" }, false],
  ["Strict", { string: "abcdef" }, false],
  ["Strict", { string: "ABC" }, false],
  ["Strict", { string: "€€€€€" }, true],
  ["Strict", { string: 7 }, false],
  ["Strict", { text: "" }, false],
  ["Strict", { integer: 0 }, false],
  ["Strict", { integer: 10 }, true],
  ["Strict", { integer: 11 }, false],
  ["Strict", { integer: 1.5 }, false],
  ["Strict", { integer: "1" }, false],
  ["Strict", { float: 9.5 }, true],
  ["Strict", { float: 9.6 }, false],
  ["Strict", { boolean: "true" }, false],
  ["Strict", { date: "2026-02-30" }, false],
  ["Strict", { date: "31.01.2026" }, false],
  ["Strict", { datetime: "2026-01-31" }, true],
  ["Strict", { datetime: "2026-01-31T12:00" }, true],
  ["Strict", { datetime: "2026-01-31T12:00:59.123456789" }, true],
  ["Strict", { datetime: "2026-01-31T23:59Z" }, true],
  ["Strict", { datetime: "2026-01-31T12:00:00+02" }, true],
  ["Strict", { datetime: "2026-01-31T12:00:00-0530" }, true],
  ["Strict", { datetime: "2024-02-29T12:00:00+23:59" }, true],
  ["Strict", { datetime: "0001-01-01" }, true],
  ["Strict", { datetime: "9999-12-31T23:59:59.999Z" }, true],
  ["Strict", { datetime: "" }, false],
  ["Strict", { datetime: "tomorrow" }, false],
  ["Strict", { datetime: 1769860800000 }, false],
  ["Strict", { datetime: "2026-01-31 12:00:00" }, false],
  ["Strict", { datetime: "2026-01-31T12" }, false],
  ["Strict", { datetime: "2026-01-31Z" }, false],
  ["Strict", { datetime: "2026-02-29T12:00" }, false],
  ["Strict", { datetime: "2026-02-30" }, false],
  ["Strict", { datetime: "2026-13-01" }, false],
  ["Strict", { datetime: "2026-01-31T24:00" }, false],
  ["Strict", { datetime: "2026-01-31T12:60" }, false],
  ["Strict", { datetime: "2026-01-31T12:00:60" }, false],
  ["Strict", { datetime: "2026-01-31T12:00:00+24:00" }, false],
  ["Strict", { datetime: "2026-01-31T12:00:00+02:60" }, false],
  ["Strict", { datetime: "0000-12-31" }, false],
  ["Strict", { datetime: "0001-01-01T00:00+00:01" }, false],
  ["Strict", { datetime: "9999-12-31T23:59-00:01" }, false],
  ["Strict", { timestamp: "2026-01-32" }, false],
  ["Strict", { email: "not an address" }, false],
  ["Strict", { json: [1, { a: null }] }, true],
  ["Strict", { json: null }, false],
  ["Strict", { uuid: "0b9c4b0e" }, false],
  ["Strict", { uuid: "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF" }, true],
  ["Strict", { size: "medium" }, false],
  ["Strict", { pin: null }, true],
  ["Strict", { pin: "1234" }, true],
  ["Strict", { pin: "123" }, false],
  ["Strict", { pin: "1".repeat(73) }, false],
  ["Strict", { id: "1b9c4b0e-0000-4000-8000-000000000000" }, true],
  ["Strict", { id: 7 }, false],
  ["Strict", { other: 1 }, false],
  ["Strict", { created_at: "2026-01-31T12:00:00Z" }, false],
  ["Samples", { name: "😀".repeat(255) }, true],
  ["Samples", { name: "😀".repeat(256) }, false],
  ["Samples", { decimal: "12.50" }, true],
  ["Samples", { decimal: 12.5 }, true],
  ["Samples", { decimal: null }, true],
  ["Samples", { decimal: "1e3" }, false],
  ["Samples", { decimal: "012" }, false],
  ["Samples", { decimal: "" }, false],
  ["Samples", { price: "0.01" }, true],
  ["Samples", { price: "0" }, false],
  ["Samples", { price: 99999 }, true],
  ["Samples", { price: "99999.01" }, false],
  ["Samples", { bigint: 5 }, true],
  ["Samples", { bigint: "9007199254740993" }, true],
  ["Samples", { bigint: String(long - 1n) }, true],
  ["Samples", { bigint: String(long) }, false],
  ["Samples", { bigint: 1.5 }, false],
  ["Samples", { bigint: "a" }, false],
  ["Samples", { step: -10 }, true],
  ["Samples", { step: "-11" }, false],
  ["Samples", { rate: "0.07" }, true],
  ["Samples", { rate: "0.08" }, false],
  ["Samples", { labels: ["a", "c"] }, true],
  ["Samples", { labels: ["a", "a"] }, false],
  ["Samples", { labels: ["a", "b", "c", "d"] }, false],
  ["Samples", { labels: ["e"] }, false],
  ["Samples", { labels: [null] }, false],
  ["Samples", { codes: [] }, false],
  ["Samples", { codes: ["ab"] }, true],
  ["Samples", { codes: ["a"] }, false],
  ["Samples", { codes: ["AB"] }, false],
  ["Samples", { scores: [0, 10] }, true],
  ["Samples", { scores: [11] }, false],
  ["Samples", { amounts: ["0.5", 7] }, true],
  ["Samples", { amounts: ["0.4"] }, false],
  ["Samples", { times: ["12:30"] }, true],
  ["Samples", { times: ["12:30:59.123"] }, true],
  ["Samples", { times: ["24:00"] }, false],
  ["Samples", { times: ["12:30Z"] }, false],
];

const paths = { Strict: "/strict-things", Samples: "/samples" } as const;

test.each(cases)("of a new record of %s, %j: %j", async (model, changes, isTaken) => {
  await service.store({});
  const record = model === "Strict" ? { ...strict, ...changes } : { name: "a", ...changes };
  const { status } = await service.send(requestOf(`POST ${paths[model]}/create`, { data: record }), "admin");
  expect(status).toBe(isTaken ? 200 : 400);
  expect(validators[`${model}Create`]?.safeParse(record).success).toBe(isTaken);
});

test("an update takes any part of a record", () => {
  const update = validators["StrictUpdate"];
  expect(update?.safeParse({ integer: 7 }).success).toBe(true);
  expect(update?.safeParse({ integer: 11 }).success).toBe(false);
  expect(update?.safeParse({ string: null }).success).toBe(false);
  expect(update?.safeParse({ id: "x" }).success).toBe(false);
});
