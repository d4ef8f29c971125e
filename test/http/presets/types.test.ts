import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { Service } from "#runtime/index";
import { project } from "../../generator/support/project.ts";
import { exampleApp } from "../../support/example-apps.ts";

const columns = {
  rate: { type: "decimal", precision: 5, scale: 2 },
  serial: { type: "bigint" },
  starts: { type: "time" },
  factor: { type: "float" },
  trusted: { type: "boolean" },
  key: { type: "uuid" },
  born: { type: "date" },
  tags: { type: "string[]" },
  hours: { type: "time[]" },
  prices: { type: "decimal[]", precision: 5, scale: 2 },
  settings: { type: "json" },
};
const preset = (name: string) => ({ preset: `{user.${name}}` });
const { root, generate, write } = project({
  users: { fields: columns },
  copies: {
    fields: {
      name: { type: "string", required: true, unique: true },
      rate: { ...columns.rate, precision: 9, scale: 4, ...preset("rate") },
      rough: { ...columns.rate, scale: 1, ...preset("rate") },
      serial: { ...columns.serial, ...preset("serial") },
      starts: { ...columns.starts, ...preset("starts") },
      factor: { ...columns.factor, ...preset("factor") },
      trusted: { ...columns.trusted, ...preset("trusted") },
      key: { ...columns.key, ...preset("key") },
      born: { ...columns.born, ...preset("born") },
      tags: { ...columns.tags, ...preset("tags") },
      one_tag: { ...columns.tags, max_items: 1, ...preset("tags") },
      hours: { ...columns.hours, ...preset("hours") },
      prices: { ...columns.prices, precision: 9, scale: 4, ...preset("prices") },
      settings: { ...columns.settings, ...preset("settings") },
      checker: { type: "integer", required: true, nullable: true, preset: "{user_id}" },
    },
    access: {
      fetch: [{ role: "user" }],
      create: [{ role: "user" }],
      update: [{ role: "user" }],
      fields: { checker: { write: ["user"] } },
    },
  },
});
write("models/hooks/copies.ts", "export const before_upsert = (record: object) => ({ ...record });\n");
await generate();
const { service }: { service: Service } = await import(join(root, "generated/index.ts"));
const { ask, store } = await exampleApp(service);

const own = {
  rate: "12.50",
  serial: "9007199254740993",
  starts: "09:30",
  factor: 0.1,
  trusted: true,
  key: "1a000000-0000-4000-8000-000000000001",
  born: "1990-02-28",
};
const lists = { tags: ["a,b", 'c"d', "NULL"], hours: ["09:30:00.000", "10:00:00.000"], prices: ["1.5000"] };
const settings = { theme: "dark", sizes: [1, 2] };
const stored = {
  ...{ id: 1, ...own, tags: '{"a,b","c\\"d","NULL"}', hours: "{09:30,10:00}", prices: "{1.5}" },
  settings: JSON.stringify(settings),
};
const user = { role: "user", sub: "1" };

beforeEach(() => store({ users: [stored] }));

test("a column of the caller keeps its value to the last digit, in the form of the field; what does not fit is NULL", async () => {
  const copy = await ask(user, "POST /copies/create", { data: { name: "a" } });
  expect(copy).toMatchObject({
    ...own,
    rate: "12.5000",
    rough: null,
    starts: expect.stringMatching(/^09:30/),
  });
});

test("a hook that leaves a value of another form than the column has leaves the row that is there", async () => {
  await store({
    users: [stored],
    copies: [{ id: 1, name: "a", rate: "1", serial: "2", starts: "10:00", factor: 3 }],
  });
  expect(await ask(user, "PUT /copies/upsert", { data: { name: "a" } })).toEqual({ id: 1 });
  expect(await ask(user, "GET /copies/fetch?select_fields=rate,serial,factor,born")).toEqual([
    { rate: "1.0000", serial: "2", factor: 3, born: null },
  ]);
});

test("a null that a caller may write is a value: no preset replaces it", async () => {
  const data = { name: "a", checker: null };
  expect(await ask(user, "POST /copies/create", { data })).toMatchObject({ checker: null });
  expect(await ask(user, "POST /copies/create", { data: { name: "b" } })).toMatchObject({ checker: 1 });
});

test("a list and what is JSON are those of the caller, in a record, in a list of records and in an upsert", async () => {
  const copied = { ...lists, settings, one_tag: null };
  expect(await ask(user, "POST /copies/create", { data: { name: "a" } })).toMatchObject(copied);
  await ask(user, "POST /copies/create", { data: [{ name: "b" }] });
  await ask(user, "PUT /copies/upsert", { data: { name: "c" } });
  const rows = await ask(user, "GET /copies/fetch?name__in=b,c");
  expect(rows).toEqual([expect.objectContaining(copied), expect.objectContaining(copied)]);
});

test("a hook that leaves them leaves those of the row that is there", async () => {
  const copies = [{ id: 1, name: "a", tags: "{x}", hours: "{08:00}", settings: "{}" }];
  await store({ users: [stored], copies });
  await ask(user, "PUT /copies/upsert", { data: { name: "a" } });
  expect(await ask(user, "GET /copies/fetch")).toEqual([
    expect.objectContaining({ tags: ["x"], hours: ["08:00:00.000"], prices: null, settings: {} }),
  ]);
});
