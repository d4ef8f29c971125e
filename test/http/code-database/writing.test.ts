import { describe, expect, test } from "vitest";
import type { HookContext } from "#runtime/hooks/index";
import { hookKinds, inMutation, unknown } from "../../support/code-in-hooks.ts";
import { expectRows } from "../../support/scenarios.ts";
import { type Rows, testService } from "../../support/service.ts";

const service = await testService();
type Db = HookContext["db"];
type Call = (db: Db) => Promise<unknown>;

const tasks = [
  { id: 1, title: "one", user: 1 },
  { id: 2, title: "two", user: 2 },
  { id: 3, title: "gone", user: 1, deleted_at: "2026-01-01T00:00:00+00:00" },
];
const row = (fields: object) => expect.objectContaining(fields);
const live = (id: number, title: string) => ({ id, title, deleted_at: null });

describe.each(hookKinds)("%s", (_, within) => {
  // biome-ignore format: one case a line
  test.each<readonly [called: string, call: Call, given: unknown, rows: Rows[string]]>([
    ["create", (db) => db.tasks.create({ title: "new" }),
      row({ id: expect.any(Number), title: "new", status: "open", created_at: expect.stringMatching(/Z$/) }), [...tasks, { title: "new" }]],
    ["create of many, in their order", (db) => db.tasks.create([{ title: "z" }, { title: "a" }, { title: "m" }]),
      [row({ title: "z" }), row({ title: "a" }), row({ title: "m" })], [...tasks, { title: "z" }, { title: "a" }, { title: "m" }]],
    ["create of none", (db) => db.tasks.create([]), [], tasks],
    ["upsert of a row that is there", (db) => db.tasks.upsert({ title: "one", user: 9 }), row({ id: 1, user: 9, status: "open" }),
      [{ id: 1, user: 9 }, ...tasks.slice(1)]],
    ["upsert by id", (db) => db.tasks.upsert({ id: 2, title: "three" }), row({ id: 2, title: "three", user: 2 }),
      [tasks[0] ?? {}, { id: 2, title: "three" }, tasks[2] ?? {}]],
    ["update", (db) => db.tasks.update({ where: { user__gte: 1 }, data: unknown({ list: "l", user: undefined }) }),
      [row({ id: 1, list: "l", user: 1 }), row({ id: 2, list: "l" })], [{ id: 1, list: "l" }, { id: 2, list: "l" }, { id: 3, list: null }]],
    ["delete by filter", (db) => db.tasks.delete({ where: { user: 1 } }), [1],
      [{ id: 1, deleted_at: expect.any(String) }, live(2, "two"), tasks[2] ?? {}]],
    ["delete by ids", (db) => db.tasks.delete({ ids: [2, 1, 2] }), [1, 2], tasks.map(({ id }) => ({ id, deleted_at: expect.any(String) }))],
    ["delete of no ids", (db) => db.tasks.delete({ ids: [] }), [], tasks],
    ["destroy", (db) => db.tasks.destroy({ ids: [3, 1] }), [1, 3], [live(2, "two")]],
    ["destroy of no ids", (db) => db.tasks.destroy({ ids: [] }), [], tasks],
    ["restore by filter", (db) => db.tasks.restore({ where: { title: "gone" } }), [3], [live(1, "one"), live(2, "two"), live(3, "gone")]],
    ["restore by ids", (db) => db.tasks.restore({ ids: [3, 3] }), [3], [live(1, "one"), live(2, "two"), live(3, "gone")]],
    ["restore of no ids", (db) => db.tasks.restore({ ids: [] }), [], tasks],
  ])("%s", async (_called, call, given, rows) => {
    await service.store({ tasks });
    const { value, reply } = await within(service, ({ db }) => call(db));
    expect(value).toEqual(given);
    expect(reply.status).toBe(200);
    await expectRows(service, "tasks", rows);
  });

  test("many records are all or nothing, and the error tells which of them failed", async () => {
    await service.store({ tasks });
    const records = [{ title: "new" }, { title: "one" }, { title: "newer" }, {}];
    const { value } = await within(service, ({ db }) =>
      db.tasks.create(unknown(records)).then(failed, (error) => error),
    );
    // biome-ignore format: related values together
    expect(value).toMatchObject({
      code: "VALIDATION_ERROR",
      message: "None of the records was written, because 2 of 4 failed.",
      details: { failed_records: [{ index: 1, field: "title" }, { index: 3, field: "title" }] },
    });
    await expectRows(service, "tasks", tasks);
  });

  test("presets are set for the caller, and a value that is given wins", async () => {
    await service.store({});
    const { value } = await within(service, async ({ db }) => [
      await db.visits.create({}),
      await db.visits.create({ maker: 77 }),
    ]);
    expect(value).toMatchObject([{ maker: 1 }, { maker: 77 }]);
  });

  test("checks hold", async () => {
    await service.store({});
    const made = within(service, ({ db }) => db.slots.create({ first: 5, last: 1 }));
    await expect(made).rejects.toMatchObject({ code: "VALIDATION_ERROR", details: { check: "in_order" } });
  });

  test("internal models are written as others are", async () => {
    await service.store({});
    const { value } = await within(service, async ({ db }) => {
      const { id } = await db.vaults.create({ name: "v", pin: "1234" });
      const refused = await db.vaults.create(unknown({ nme: "v" })).catch((error: unknown) => error);
      return [await db.vaults.update({ where: { id }, data: { combination: "c" } }), refused];
    });
    expect(value).toMatchObject([[{ name: "v", combination: "c" }], { code: "VALIDATION_ERROR" }]);
    const [{ pin } = { pin: null }] = await service.query("SELECT pin FROM vaults");
    expect(pin).toMatch(/^\$2/);
  });
});

const missing = { code: "NOT_FOUND", status: 404 };

function bad(field: string) {
  return { code: "VALIDATION_ERROR", status: 400, details: expect.objectContaining({ field }) };
}

function failed(): never {
  throw new Error("it did not fail");
}

// biome-ignore format: one case a line
test.each<readonly [called: string, call: Call, problem: object]>([
  ["a field that is not there", (db) => db.tasks.create(unknown({ title: "n", titel: "x" })), bad("titel")],
  ["a required field that is missing", (db) => db.tasks.create(unknown({ user: 1 })), bad("title")],
  ["a value of another type", (db) => db.tasks.create(unknown({ title: 5 })), bad("title")],
  ["a value that has no JSON", (db) => db.tasks.create(unknown({ title: "n", user: () => 1 })), bad("data")],
  ["a field of the server", (db) => db.tasks.create(unknown({ title: "n", created_at: "2026-01-01" })), bad("created_at")],
  ["an empty record", (db) => db.tasks.create(unknown({})), bad("data")],
  ["a record with a prototype", (db) => db.tasks.create(unknown(JSON.parse('{"title":"n","__proto__":{}}'))), bad("__proto__")],
  ["no record", (db) => db.tasks.create(unknown(null)), bad("data")],
  ["a value that is taken", (db) => db.tasks.create({ title: "one" }), bad("title")],
  ["an upsert without a key", (db) => db.pets.upsert(unknown({ owner_id: crypto.randomUUID() })), bad("name")],
  ["an upsert of an unknown id", (db) => db.tasks.upsert({ id: 99, title: "n" }), missing],
  ["an update without a filter", (db) => db.tasks.update({ where: {}, data: { user: 1 } }), bad("where")],
  ["an update that changes nothing", (db) => db.tasks.update({ where: { id: 1 }, data: {} }), bad("data")],
  ["an update by what is undefined", (db) => db.tasks.update({ where: unknown({ id: undefined }), data: { user: 1 } }), bad("id")],
  ["an update of no row", (db) => db.tasks.update({ where: { id: 99 }, data: { user: 1 } }), missing],
  ["an update of a deleted row", (db) => db.tasks.update({ where: { id: 3 }, data: { user: 1 } }), missing],
  ["a delete of a missing id", (db) => db.tasks.delete({ ids: [1, 99] }), missing],
  ["a delete of a deleted row", (db) => db.tasks.delete({ ids: [3] }), missing],
  ["a delete of everything", (db) => db.tasks.delete({ where: { id__not_in: [] } }), bad("where")],
  ["a delete without ids and where", (db) => db.tasks.delete(unknown({})), bad("where")],
  ["a delete by both", (db) => db.tasks.delete(unknown({ ids: [1], where: { id: 1 } })), bad("ids")],
  ["a delete by a number", (db) => db.tasks.delete(unknown({ ids: 1 })), bad("ids")],
  ["a destroy of a missing id", (db) => db.tasks.destroy({ ids: [1, 99] }), missing],
  ["a restore of a live row", (db) => db.tasks.restore({ ids: [3, 1] }), missing],
  ["a restore where nothing is deleted softly", (db) => db.pets.restore({ ids: [1] }), missing],
  ["too many ids", (db) => db.tasks.delete({ ids: Array.from({ length: 1001 }, (_item, at) => at + 1) }), bad("ids")],
  ["too many keys", (db) => db.tasks.create(unknown(Object.fromEntries(Array.from({ length: 1001 }, (_item, at) => [`k${at}`, 1])))), bad("data")],
])("%s throws what REST would answer, and changes nothing", async (_called, call, problem) => {
  await service.store({ tasks });
  const { value, reply } = await inMutation(service, ({ db }) => call(db).then(failed, (error) => error));
  expect(value).toMatchObject({ name: "ServiceError", ...problem });
  // Only the failed call is rolled back, and the operation goes on.
  expect(reply.status).toBe(200);
  await expectRows(service, "tasks", tasks);
});

test("hooks of a model without routes run for code", async () => {
  await service.store({ ledger: [{ id: 1, hooked_name: "unseen" }] });
  const { value } = await inMutation(service, async ({ db }) => [
    await db.ledger.create({ hooked_name: "by a hook" }),
    await db.ledger.create([{ hooked_name: "by a hook" }]),
    await db.ledger.get(1),
  ]);
  const changed = row({ hooked_name: "changed by a hook" });
  expect(value).toEqual([changed, [changed], row({ hooked_name: "seen" })]);
});
