import { describe, expect, test } from "vitest";
import type { CallerDatabase } from "#runtime/hooks/context/index";
import { hookKinds, inRead, unknown } from "../../support/code-in-hooks.ts";
import { expectRows } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";

const service = await testService();

type Call = (mine: CallerDatabase) => Promise<unknown>;
type Case = readonly [called: string, call: Call, given: unknown];

/** What a call gave, or the code of the error that it threw. */
const codeOf = (error: unknown) => Reflect.get(Object(error), "code");
const denied = "PERMISSION_DENIED";
const row = (fields: object) => expect.objectContaining(fields);
const rows = (...titles: string[]) => titles.map((title) => row({ title }));

const long = "2026-01-01T00:00:00+00:00";
const tasks = [
  { id: 1, title: "mine", user: 1, status: "open", deleted_at: null },
  { id: 2, title: "hers", user: 2, status: "open", deleted_at: null },
  { id: 3, title: "my old", user: 1, status: "open", deleted_at: long },
  { id: 4, title: "done", user: 1, status: "done", deleted_at: null },
  { id: 5, title: "her old", user: 2, status: "open", deleted_at: long },
];

/** Calls of the row conditions of a user; those that are refused change nothing. */
const allowed: readonly Case[] = [
  ["fetch", (db) => db.tasks.fetch(), rows("mine", "done")],
  ["fetch of hers", (db) => db.tasks.fetch({ where: { title: "hers" } }), []],
  ["get", (db) => db.tasks.get(1), row({ title: "mine" })],
  ["get of hers", (db) => db.tasks.get(2), null],
  ["search", (db) => db.tasks.search({ search_term: "e" }), rows("mine", "done")],
  ["create", (db) => db.tasks.create({ title: "n", user: 1 }), row({ title: "n" })],
  ["create of many", (db) => db.tasks.create([{ title: "n", user: 1 }]), rows("n")],
  ["update", (db) => db.tasks.update({ where: { id: 1 }, data: { list: "l" } }), [row({ id: 1, list: "l" })]],
  ["upsert", (db) => db.tasks.upsert({ title: "mine", list: "l", user: 1 }), row({ id: 1, list: "l" })],
  ["upsert of a new one", (db) => db.tasks.upsert({ title: "n", user: 1 }), row({ title: "n" })],
  ["delete", (db) => db.tasks.delete({ where: { title: "mine" } }), [1]],
  ["destroy", (db) => db.tasks.destroy({ ids: [1, 3] }), [1, 3]],
  ["restore", (db) => db.tasks.restore({ ids: [3] }), [3]],
  ["restore by a filter, without hers", (db) => db.tasks.restore({ where: { title__like: "%old" } }), [3]],
];
// biome-ignore format: one case a line
const refused: readonly Case[] = [
  ["count, which has an entry of its own", (db) => db.tasks.count(), denied],
  ["exists", (db) => db.tasks.exists(), denied],
  ["create of hers", (db) => db.tasks.create({ title: "n", user: 2 }), denied],
  ["create of many, one of them hers", (db) => db.tasks.create(["a", "b"].map((title, at) => ({ title, user: at + 1 }))), "VALIDATION_ERROR"],
  ["update of hers", (db) => db.tasks.update({ where: { id: 2 }, data: { list: "l" } }), denied],
  ["update of some of hers", (db) => db.tasks.update({ where: { id__gte: 1 }, data: { list: "l" } }), denied],
  ["update that makes it hers", (db) => db.tasks.update({ where: { id: 1 }, data: { user: 2 } }), denied],
  ["update of none", (db) => db.tasks.update({ where: { id: 9 }, data: { list: "l" } }), "NOT_FOUND"],
  ["upsert of hers", (db) => db.tasks.upsert({ title: "hers", user: 1 }), denied],
  ["delete of hers", (db) => db.tasks.delete({ ids: [1, 2] }), denied],
  ["destroy of hers", (db) => db.tasks.destroy({ where: { title__like: "her%" } }), "NOT_FOUND"],
  ["restore of hers", (db) => db.tasks.restore({ ids: [3, 5] }), denied],
];

describe.each(hookKinds)("%s, a user", (_, within) => {
  test.each(allowed)("%s", async (_called, call, given) => {
    await service.store({ tasks });
    const { value } = await within(service, ({ db }) => call(db.as("caller")), "user");
    expect(value).toEqual(given);
  });

  test.each(refused)("%s is refused", async (_called, call, code) => {
    await service.store({ tasks });
    const { value } = await within(service, ({ db }) => call(db.as("caller")).catch(codeOf), "user");
    expect(value).toBe(code);
    await expectRows(service, "tasks", tasks);
  });
});

const every: readonly Case[] = [...allowed, ...refused];

test.each([
  ["a guest", null],
  ["a role without access rules", "unnamed"],
] as const)("%s may do nothing", async (_, as) => {
  await service.store({ tasks });
  const { value } = await inRead(
    service,
    ({ db }) => Promise.all(every.map(([, call]) => call(db.as("caller")).catch(codeOf))),
    as,
  );
  expect(value).toEqual(every.map(() => denied));
  await expectRows(service, "tasks", tasks);
});

describe("of rows that the caller may not fetch a write tells no more than REST", () => {
  const id = expect.any(Number);
  // biome-ignore format: one case a line
  test.each<readonly [called: string, as: string, call: Call, given: unknown]>([
    ["update: they are left out", "editor", (db) => db.docs.update({ where: { id: 1 }, data: { place: 7 } }), []],
    ["create of many: their ids", "staff", (db) => db.tasks.create([{ title: "n" }, { title: "m" }]), [{ id }, { id }]],
    ["create of one: the row", "staff", (db) => db.tasks.create({ title: "n" }), row({ id, title: "n" })],
  ])("%s", async (_, as, call, given) => {
    await service.store({ docs: [{ id: 1, code: "c" }] });
    const { value } = await inRead(service, ({ db }) => call(db.as("caller")), as);
    expect(value).toEqual(given);
    expect(await service.query("SELECT FROM docs WHERE place = 7 UNION ALL SELECT FROM tasks")).not.toEqual(
      [],
    );
  });

  test("those that are out of reach once they are written, and no others", async () => {
    await service.store({
      tasks: ["mine", "given away"].map((title, at) => ({ id: at + 1, title, user: 1 })),
    });
    await service.query(`CREATE FUNCTION give_away() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        UPDATE tasks SET "user" = 2 WHERE id = new.id AND title = 'given away'; RETURN NULL; END $$;
      CREATE TRIGGER give_away AFTER INSERT OR UPDATE ON tasks FOR EACH ROW WHEN (pg_trigger_depth() = 0)
        EXECUTE FUNCTION give_away()`);
    const { value } = await inRead(
      service,
      async ({ db }) => [await db.as("caller").tasks.update({ where: { user: 1 }, data: { list: "l" } })],
      "user",
    );
    await service.query('ALTER TABLE tasks DISABLE TRIGGER give_away; UPDATE tasks SET "user" = 1');
    await service.query("ALTER TABLE tasks ENABLE TRIGGER give_away");
    const upserted = await inRead(
      service,
      async ({ db }) => {
        const mine = db.as("caller");
        return [
          await mine.tasks.upsert({ title: "given away", user: 1 }),
          await mine.tasks.upsert({ title: "mine", user: 1 }),
        ];
      },
      "user",
    );
    await service.query("DROP TRIGGER give_away ON tasks; DROP FUNCTION give_away()");
    expect(value[0]).toEqual(rows("mine"));
    expect(upserted.value).toEqual([{ id: 2 }, row({ id: 1, title: "mine" })]);
  });
});

test("internal models and accounts have no entries", async () => {
  const { value } = await inRead(service, async ({ db }) => {
    const mine = db.as("caller");
    return [
      Object.keys(mine.users).sort(),
      await Promise.all(
        [
          mine.users.count(),
          mine.users.fetch(),
          mine.vaults.fetch(),
          mine.vaults.create({ name: "v" }),
          mine.ledger.destroy({ ids: [1] }),
        ].map((call) => call.catch(codeOf)),
      ),
    ];
  });
  expect(value).toEqual([["count", "exists", "fetch", "get", "search"], Array(5).fill(denied)]);
});

const people = [
  { id: 1, name: "p", nick: "n", salary: 5, badge: "b", sealed: "s", open: "o", deleted_at: null },
  { id: 2, name: "q", nick: "m", salary: 6, badge: "c", sealed: "s", open: "o", deleted_at: long },
];
/** What a guest may read. */
const shown = (fields: object) => ({
  id: expect.any(Number),
  badge: null,
  open: null,
  updated_at: expect.stringMatching(/Z$/),
  deleted_at: null,
  ...fields,
});
const known = shown({ id: 1, name: "p", badge: "b", open: "o" });

test.each<Case>([
  ["fetch", (db) => db.people.fetch(), [known]],
  ["get", (db) => db.people.get(1), known],
  ["search", (db) => db.people.search({ search_term: "p" }), [known]],
  ["search among what the caller may not read", (db) => db.people.search({ search_term: "n" }), []],
  ["count", (db) => db.people.count({ name: "p" }), 1],
  ["create", (db) => db.people.create({ name: "r" }), shown({ name: "r" })],
  ["create of many", (db) => db.people.create([{ name: "r" }]), [shown({ name: "r" })]],
  ["upsert", (db) => db.people.upsert({ id: 1, name: "r" }), { ...known, name: "r" }],
  ["update", (db) => db.people.update({ where: { id: 1 }, data: { nick: "r" } }), [known]],
  ["delete", (db) => db.people.delete({ ids: [1] }), [1]],
  ["fetch by a field", (db) => db.people.fetch({ where: { salary: 5 } }), denied],
  ["fetch in the order of a field", (db) => db.people.fetch({ order_by: "nick" }), denied],
  ["fetch of a field", (db) => db.people.fetch({ select_fields: ["sealed"] }), denied],
  ["count by a field", (db) => db.people.count({ nick: "n" }), denied],
  ["exists by a field", (db) => db.people.exists({ salary__gt: 1 }), denied],
  ["create with a field", (db) => db.people.create({ name: "r", salary: 1 }), denied],
  ["create with a password", (db) => db.people.create({ name: "r", secret: "long enough" }), denied],
  ["create of many with a field", (db) => db.people.create([{ name: "r", badge: "x" }]), "VALIDATION_ERROR"],
  ["upsert with a field", (db) => db.people.upsert({ id: 1, name: "r", badge: "x" }), denied],
  ["update of a field", (db) => db.people.update({ where: { id: 1 }, data: { sealed: "x" } }), denied],
  ["update by a field", (db) => db.people.update({ where: { salary: 5 }, data: { open: "x" } }), denied],
  ["delete by a field", (db) => db.people.delete({ where: { nick: "n" } }), denied],
  ["destroy by a field", (db) => db.people.destroy({ where: { sealed: "s" } }), denied],
  ["restore by a field", (db) => db.people.restore({ where: { salary: 6 } }), denied],
])("the gates of fields hold: %s", async (_called, call, given) => {
  await service.store({ people });
  const { value } = await inRead(service, ({ db }) => call(db.as("caller")).catch(codeOf), null);
  expect(value).toEqual(given);
  if (typeof given === "string") await expectRows(service, "people", people);
});

test("a caller who may not read ids gets none, and writes by other filters work", async () => {
  await service.store({ people });
  const { value } = await inRead(
    service,
    async ({ db }) => {
      const mine = db.as("caller");
      return [
        await mine.people.delete({ where: { open: "o" } }),
        await mine.people.restore({ where: { badge: "c" } }),
        await mine.people.destroy({ where: { badge: "b" } }),
        await mine.people.delete({ ids: [2] }).catch(codeOf),
      ];
    },
    "blind",
  );
  expect(value).toEqual([[], [], [], denied]);
});

test("a preset closes its field", async () => {
  await service.store({});
  const { value } = await inRead(
    service,
    async ({ db }) => {
      const mine = db.as("caller");
      return [
        await mine.visits.create({ owner: 1, maker: 7 }).catch(codeOf),
        await mine.visits.create({ owner: 1 }),
      ];
    },
    "user",
  );
  expect(value).toEqual([denied, row({ maker: 1 })]);
});

test("it takes no other word", async () => {
  const { value } = await inRead(service, async ({ db }) => {
    try {
      return db.as(unknown<"caller">("admin"));
    } catch (error) {
      return String(error);
    }
  });
  expect(value).toContain('only accepts "caller"');
});
