import { CamelCasePlugin, sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { HookContext } from "#runtime/hooks/index";
import { hookKinds, inMutation, inRead, sendWith, unknown } from "../../support/code-in-hooks.ts";
import { sampleRows } from "../../support/sample-rows.ts";
import { record } from "../../support/scenarios-hooked.ts";
import { testService } from "../../support/service.ts";

const service = await testService();
type Queries = HookContext["kysely"];

const titles = async () =>
  (await service.query("SELECT title FROM tasks ORDER BY title")).map(({ title }) => title);
const create = { method: "POST", path: "/hooked/create", body: { data: record } };

describe("in a mutation its queries run in the operation's transaction", () => {
  test("they see what the operation has written", async () => {
    await service.store({});
    const seen: unknown[] = [];
    const after = async (_: unknown, { kysely }: HookContext) => {
      seen.push(await kysely.selectFrom("hooked").select("name").execute());
      await kysely.insertInto("tasks").values({ title: "written" }).execute();
      seen.push(await kysely.selectFrom("tasks").select(["title", "status"]).execute());
    };
    const { status } = await sendWith(service, { after_create: after }, "admin", create);
    expect(status).toBe(200);
    expect(seen).toEqual([[{ name: record.name }], [{ title: "written", status: "open" }]]);
    expect(await titles()).toEqual(["written"]);
  });

  test("they are undone with it", async () => {
    await service.store({});
    const run = inMutation(service, async ({ kysely, db }) => {
      await kysely.insertInto("tasks").values({ title: "a" }).execute();
      await db.transaction(({ kysely: inner }) => inner.insertInto("tasks").values({ title: "b" }).execute());
      throw new Error("no");
    });
    await expect(run).rejects.toThrow("no");
    expect(await titles()).toEqual([]);
  });

  test("one that fails undoes only itself, also among concurrent ones", async () => {
    await service.store({ tasks: [{ id: 1, title: "a" }] });
    const add = (kysely: Queries, title: string) => kysely.insertInto("tasks").values({ title }).execute();
    const { value } = await inMutation(service, ({ kysely }) =>
      Promise.allSettled([add(kysely, "b"), add(kysely, "a"), add(kysely, "c")]),
    );
    expect(value).toMatchObject([
      { status: "fulfilled" },
      { status: "rejected", reason: { code: "23505" } },
      { status: "fulfilled" },
    ]);
    expect(await titles()).toEqual(["a", "b", "c"]);
  });
});

test("outside a transaction each query commits at once", async () => {
  await service.store({});
  const run = inRead(service, async ({ kysely }) => {
    await kysely.insertInto("tasks").values({ title: "a" }).execute();
    throw new Error("no");
  });
  await expect(run).rejects.toThrow("no");
  expect(await titles()).toEqual(["a"]);
});

describe.each(hookKinds)("%s", (_called, within) => {
  test("a join with an aggregate", async () => {
    await service.store({
      authors: [
        { id: 1, name: "ann", public: true },
        { id: 2, name: "bob", public: true },
      ],
      books: [
        { id: 1, title: "a", author_id: 1 },
        { id: 2, title: "b", author_id: 1 },
      ],
    });
    const { value } = await within(service, ({ kysely }) =>
      kysely
        .selectFrom("authors")
        .leftJoin("books", "books.author_id", "authors.id")
        .select(({ fn }) => ["authors.name", fn.count<number>("books.id").as("books")])
        .groupBy("authors.name")
        .orderBy("authors.name")
        .execute(),
    );
    expect(value).toEqual([
      { name: "ann", books: 2 },
      { name: "bob", books: 0 },
    ]);
  });

  test("values of all types are those of context.sql", async () => {
    await service.store(sampleRows);
    const { value } = await within(service, async (context) => [
      await context.kysely.selectFrom("samples").selectAll().orderBy("id").execute(),
      await context.sql`select * from samples order by id`,
    ]);
    const [queried, written] = value;
    expect(queried).toEqual(written);
    expect(queried).toMatchObject([
      {
        decimal: "-99999999.99",
        bigint: "-9223372036854775808",
        serial: "9007199254740993",
        level: 1,
        integers: [-5, 7],
        bigints: ["9007199254740993"],
        booleans: [false],
        datetimes: ["2026-01-01T10:00:00.000Z"],
        times: ["12:30:00.000"],
      },
      {},
      { decimal: null, strings: null },
    ]);
  });

  test("writes count their rows, and return them on request", async () => {
    await service.store({});
    const { value } = await within(service, async ({ kysely }) => {
      const tasks = ["a", "b", "c"].map((title) => ({ title }));
      const [added] = await kysely.insertInto("tasks").values(tasks).execute();
      const [changed] = await kysely
        .updateTable("tasks")
        .set({ status: "done" })
        .where("title", "in", ["a", "b"])
        .execute();
      const gone = await kysely.deleteFrom("tasks").where("title", "=", "c").executeTakeFirst();
      const left = await kysely.deleteFrom("tasks").where("status", "=", "done").returning("title").execute();
      return [
        added?.numInsertedOrUpdatedRows,
        changed?.numUpdatedRows,
        gone.numDeletedRows,
        left.map(({ title }) => title).sort(),
      ];
    });
    expect(value).toEqual([3n, 2n, 1n, ["a", "b"]]);
  });

  test("values are bound, also objects, lists and bytes", async () => {
    await service.store({});
    const title = "'; drop table tasks; --";
    const { value } = await within(service, async ({ kysely }) => {
      await kysely.insertInto("tasks").values({ title }).execute();
      await kysely
        .insertInto("things")
        .values({ json: { a: [1] }, datetime: new Date(0) })
        .execute();
      const { rows } =
        await sql`select ${new Uint8Array([1, 255])}::bytea as a, 2 = any(${[1, 2]}) as b`.execute(kysely);
      return [
        await kysely.selectFrom("tasks").select("title").where("title", "=", title).execute(),
        await kysely.selectFrom("things").select(["json", "datetime"]).execute(),
        rows,
      ];
    });
    expect(value).toEqual([
      [{ title }],
      [{ json: { a: [1] }, datetime: "1970-01-01T00:00:00.000Z" }],
      [{ a: Buffer.from([1, 255]), b: true }],
    ]);
  });

  // biome-ignore format: one case a line
  test.each<readonly [called: string, ask: (kysely: Queries) => Promise<unknown>, message: RegExp]>([
    ["a transaction", (kysely) => kysely.transaction().execute(async () => {}), /use context\.db\.transaction\(\)/],
    ["a transaction in steps", (kysely) => kysely.startTransaction().execute(), /use context\.db\.transaction\(\)/],
    ["the end of the transaction", (kysely) => sql`commit`.execute(kysely), /context\.kysely cannot begin or end a transaction/],
    ["a lasting setting", (kysely) => sql`set search_path = public`.execute(kysely), /context\.kysely cannot change its connection/],
    ["undefined", (kysely) => sql`select ${undefined}`.execute(kysely), /value 1 of context\.kysely is undefined/],
    ["a stream", async (kysely) => { for await (const _ of kysely.selectFrom("tasks").selectAll().stream()); }, /cannot stream/],
    ["two statements", (kysely) => sql`select 1; select 2`.execute(kysely), /multiple commands/],
  ])("%s throws", async (_case, ask, message) => {
    await expect(within(service, ({ kysely }) => ask(kysely))).rejects.toThrow(message);
  });

  test("plugins and connection() work, on the same connection", async () => {
    await service.store({ books: [{ id: 1, title: "a", in_stock: true }] });
    const { value } = await within(service, ({ kysely }) =>
      kysely
        .connection()
        .execute(async (connection) => [
          await kysely.selectFrom("books").select("title").execute(),
          await connection.withPlugin(new CamelCasePlugin()).selectFrom("books").select("in_stock").execute(),
        ]),
    );
    expect(value).toEqual([[{ title: "a" }], [{ inStock: true }]]);
  });

  test("an error of the database is 500, and in the log", async () => {
    const run = within(service, ({ kysely }) => sql`select 1 / ${0}::int`.execute(kysely));
    await expect(run).rejects.toThrow("division by zero");
    expect(JSON.stringify(service.log)).toContain("division by zero");
  });

  test("a query that the code did not await fails it", async () => {
    await service.store({});
    service.log.length = 0;
    const { reply } = await within(service, async ({ kysely }) => {
      void kysely.insertInto("tasks").values({ title: "left" }).execute();
    });
    expect(reply.envelope).toMatchObject({ statusCode: 500, error: "INTERNAL_ERROR" });
    expect(JSON.stringify(service.log)).toContain("await each call of db, sql, kysely, jobs");
    expect(await titles()).toEqual(within === inRead ? ["left"] : []);
  });

  test("a query after the end is refused", async () => {
    const { value } = await within(service, async ({ kysely }) => kysely);
    await expect(value.selectFrom("tasks").selectAll().execute()).rejects.toThrow("the context has ended");
  });
});

test("during context.db.transaction() the outer context is refused", async () => {
  const run = inRead(service, ({ kysely, db }) =>
    db.transaction(async () => kysely.selectFrom("tasks").selectAll().execute()),
  );
  await expect(run).rejects.toThrow("context.db.transaction() is running");
});

test("without typescript.kysely the property throws what to do, and copies of the context do not read it", async () => {
  const { service: fixture } = await import("../fixture/generated/index.ts");
  const without = await testService({}, { served: { ...fixture, kysely: null } });
  const { value } = await inRead(without, async (context) => ({ ...context }));
  expect(value).toHaveProperty("sql");
  expect(value).not.toHaveProperty("kysely");
  const read = inRead(without, async (context) => unknown(context.kysely));
  await expect(read).rejects.toThrow(/"typescript": \{ "kysely": true \} in models\/manifest\.json/);
});
