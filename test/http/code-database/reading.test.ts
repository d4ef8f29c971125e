import { describe, expect, test } from "vitest";
import type { HookContext } from "#runtime/hooks/index";
import { hookKinds, inMutation, unknown } from "../../support/code-in-hooks.ts";
import { testService } from "../../support/service.ts";
import { type StagedHooks, stage } from "../fixture/stage.ts";

const service = await testService();
const tasks = [
  { id: 1, title: "one", user: 1, status: "open" },
  { id: 2, title: "two", user: 2, status: "done" },
  { id: 3, title: "gone", user: 1, deleted_at: "2026-01-01" },
];
type Db = HookContext["db"];
type Read = readonly [called: string, call: (db: Db) => Promise<unknown>, found: unknown];

const titled = (...titles: string[]) => titles.map((title) => expect.objectContaining({ title }));

describe.each(hookKinds)("%s", (_, within) => {
  // biome-ignore format: one case a line
  test.each<Read>([
    ["fetch, all live rows", (db) => db.tasks.fetch(), titled("one", "two")],
    ["fetch where", (db) => db.tasks.fetch({ where: { user__gt: 1 } }), titled("two")],
    ["fetch, ordered and paged", (db) => db.tasks.fetch({ order_by: "title", order: "DESC", limit: 1, page: 2 }), titled("one")],
    ["fetch with an offset", (db) => db.tasks.fetch({ offset: 1 }), titled("two")],
    ["fetch of some fields", (db) => db.tasks.fetch({ where: { id: 1 }, select_fields: ["title", "user"] }), [{ title: "one", user: 1 }]],
    ["a key that is undefined", (db) => db.tasks.fetch(unknown<never>({ limit: 1, page: undefined })), titled("one")],
    ["search", (db) => db.tasks.search({ search_term: "TW" }), titled("two")],
    ["count", (db) => db.tasks.count(), 2],
    ["count where", (db) => db.tasks.count({ user: 1 }), 1],
    ["exists", (db) => db.tasks.exists(), true],
    ["exists where", (db) => db.tasks.exists({ title: "gone" }), false],
    ["get", (db) => db.tasks.get(1), titled("one")[0]],
    ["get of a deleted row", (db) => db.tasks.get(3), null],
    ["get of no row", (db) => db.tasks.get(99), null],
  ])("%s", async (_called, call, found) => {
    await service.store({ tasks });
    expect((await within(service, ({ db }) => call(db))).value).toEqual(found);
  });

  test.each<readonly [called: string, call: (db: Db) => Promise<unknown>, problem: object]>([
    ["an unknown key", (db) => db.tasks.fetch(unknown<never>({ lmit: 1 })), { field: "lmit" }],
    ["an unknown field", (db) => db.tasks.fetch({ where: unknown({ titel: "x" }) }), { field: "titel" }],
    ["an unknown operator", (db) => db.tasks.count(unknown({ title__has: "x" })), { field: "title__has" }],
    ["a value of another type", (db) => db.tasks.fetch({ where: unknown({ user: "x" }) }), { field: "user" }],
    // Without the key all rows would match.
    ["a value that is undefined", (db) => db.tasks.count(unknown({ user: undefined })), { field: "user" }],
    ["an id of another type", (db) => db.tasks.get(unknown("x")), { field: "id" }],
    ["an id that is undefined", (db) => db.tasks.get(unknown(undefined)), { field: "id" }],
    ["a page without a limit", (db) => db.tasks.fetch({ page: 2 }), { field: "page" }],
    ["a limit of none", (db) => db.tasks.fetch({ limit: 0 }), { field: "limit" }],
    ["a query that is no object", (db) => db.tasks.fetch(unknown<never>([])), { field: "query" }],
    ["a prototype", (db) => db.tasks.count(unknown(JSON.parse('{"__proto__":1}'))), { field: "__proto__" }],
    ["an id as prototype", (db) => db.tasks.count(unknown(Object.create({ id: 1 }))), { field: "where" }],
  ])("%s is what REST answers: 400", async (_called, call, details) => {
    await service.store({ tasks });
    const failure = within(service, ({ db }) => call(db));
    await expect(failure).rejects.toMatchObject({ code: "VALIDATION_ERROR", status: 400, details });
  });

  test("a fetch without limit gives all rows up to max_limit, and throws where there are more", async () => {
    const folders = Array.from({ length: 13 }, (_item, at) => ({ id: at + 1, name: `f${at}` }));
    await service.store({ folders: folders.slice(1) });
    const { value } = await within(service, ({ db }) => db.folders.fetch());
    expect(value).toHaveLength(12);
    await service.store({ folders });
    await expect(within(service, ({ db }) => db.folders.fetch())).rejects.toMatchObject({
      code: "INTERNAL_ERROR",
      message: expect.stringMatching(/folders.*more than 12.*max_limit/),
    });
    const limited = await within(service, ({ db }) => db.folders.fetch({ limit: 100 }));
    expect(limited.value).toHaveLength(12);
    const searched = await within(service, ({ db }) => db.folders.search({}));
    expect(searched.value).toHaveLength(10);
  });

  test("rows hold every column but passwords, gated or not", async () => {
    await service.store({
      people: [{ id: 1, name: "p", salary: 5, sealed: "s", secret: "hash" }],
      vaults: [{ id: 1, name: "v", combination: "1", pin: "hash" }],
    });
    const both = async ({ db }: HookContext) => [await db.people.get(1), await db.vaults.get(1)];
    const { value } = await within(service, both);
    expect(value).toMatchObject([
      { name: "p", salary: 5, sealed: "s" },
      { name: "v", combination: "1" },
    ]);
    expect(JSON.stringify(value)).not.toContain("hash");
    const asked = within(service, ({ db }) => db.people.fetch({ select_fields: unknown<never>(["secret"]) }));
    await expect(asked).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    const sought = within(service, ({ db }) => db.people.count(unknown({ secret: "hash" })));
    await expect(sought).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  });

  test("users are there for reading, with the app's columns and without passwords", async () => {
    await service.store({
      users: [{ id: 1, email: "a@example.com", password: "hash", pin: "hash", handle: "h" }],
    });
    const { value } = await within(service, async ({ db }) => [
      await db.users.get(1),
      await db.users.count({ handle: "h" }),
      Object.keys(db.users).sort(),
    ]);
    expect(value).toMatchObject([
      { email: "a@example.com", handle: "h" },
      1,
      ["count", "exists", "fetch", "get", "search"],
    ]);
    expect(JSON.stringify(value)).not.toContain("hash");
  });

  test("values are those of the API", async () => {
    const sample = {
      id: 1,
      decimal: "1.5",
      bigint: "9007199254740993",
      time: "12:30",
      dates: "{2026-01-01}",
    };
    await service.store({
      samples: [sample],
      rows: [{ id: 1, moment: "2026-01-01T00:00:00Z", day: "2026-01-02" }],
    });
    const { value } = await within(service, async ({ db }) => [
      await db.samples.get(1),
      await db.rows.get(1),
    ]);
    expect(value).toMatchObject([
      { bigint: "9007199254740993", time: "12:30:00.000", dates: ["2026-01-01"] },
      { moment: "2026-01-01T00:00:00.000Z", day: "2026-01-02" },
    ]);
  });
});

test.each<readonly [string, StagedHooks["before_fetch"], number]>([
  ["that leaves it so", () => {}, 150],
  ["that narrows it", ({ where }) => void Object.assign(where, { id__lte: 120 }), 120],
  ["that sets a limit", (query) => ({ ...query, limit: 7 }), 7],
  ["that orders it", (query) => ({ ...query, order_by: "name", order: "DESC" }), 150],
])("a fetch of all rows stays one through a before_fetch %s", async (_, before_fetch, count) => {
  const hooked = Array.from({ length: 150 }, (_item, at) => ({ id: at + 1, name: `n${at}`, code: "c" }));
  await service.store({ hooked });
  const { value } = await inMutation(service, async ({ db }) => {
    Object.assign(stage.hooks, { before_fetch });
    return [await db.hooked.fetch(), stage.fired.at(-1)?.value];
  });
  expect(value).toEqual([
    expect.objectContaining({ length: count }),
    expect.not.objectContaining({ limit: expect.anything() }),
  ]);
});
