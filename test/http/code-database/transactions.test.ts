import { describe, expect, test } from "vitest";
import type { HookContext } from "#runtime/hooks/index";
import { hookKinds, inMutation, inRead, sendWith, unknown } from "../../support/code-in-hooks.ts";
import type { Reply } from "../../support/request.ts";
import { record } from "../../support/scenarios-hooked.ts";
import { testService } from "../../support/service.ts";
import { type StagedHooks, stage } from "../fixture/stage.ts";

const service = await testService();

const titles = async () =>
  (await service.query("SELECT title FROM tasks ORDER BY title")).map(({ title }) => title);
const failed = () => {
  throw new ServiceFailure("it did not fail");
};
class ServiceFailure extends Error {}
const add = ({ db }: Pick<HookContext, "db">, title: string) => db.tasks.create({ title });

describe("in a mutation all of it runs in the operation's transaction", () => {
  test("and is undone with it", async () => {
    await service.store({});
    const run = inMutation(service, async (context) => {
      await add(context, "a");
      await context.sql`insert into tasks (title, status) values (${"b"}, ${"open"})`;
      await context.db.transaction((inner) => add(inner, "c"));
      throw new Error("no");
    });
    await expect(run).rejects.toThrow("no");
    expect(await titles()).toEqual([]);
  });

  test("what the operation has written so far is seen, and only there", async () => {
    await service.store({});
    const seen: unknown[] = [];
    await sendWith(
      service,
      {
        after_create: async (_, { db, sql }) => {
          seen.push(await db.hooked.count(), await sql`select count(*) from hooked`);
        },
      },
      "admin",
      { method: "POST", path: "/hooked/create", body: { data: record } },
    );
    expect(seen).toEqual([1, [{ count: 1 }]]);
  });

  test("hooks of what it calls run in it too, reads among them", async () => {
    await service.store({});
    const reply = await sendWith(
      service,
      {
        before_create: async (_, { db, principal }) => {
          if (principal.role === "admin") await db.hooked.fetch();
        },
        before_fetch: async (_, context) => {
          await add(context, "from a read");
        },
        after_create: () => {
          throw new Error("all of it goes");
        },
      },
      "admin",
      { method: "POST", path: "/hooked/create", body: { data: record } },
    );
    expect(reply.status).toBe(500);
    expect(await titles()).toEqual([]);
  });
});

describe("elsewhere each call is its own", () => {
  test("a write in a read hook commits by itself", async () => {
    await service.store({});
    const run = inRead(service, async (context) => {
      await add(context, "a");
      await context.sql`insert into tasks (title, status) values ('b', 'open')`;
      throw new Error("no");
    });
    await expect(run).rejects.toThrow("no");
    expect(await titles()).toEqual(["a", "b"]);
  });
});

describe.each(hookKinds)("%s", (_, within) => {
  test("only the failed call is rolled back, and its error can be caught", async () => {
    await service.store({});
    const { reply } = await within(service, async (context) => {
      await add(context, "a");
      await add(context, "a").then(failed, () => {});
      await context.sql`insert into tasks (title) values (${"a"})`.then(failed, () => {});
      await context.sql`no statement`.then(failed, () => {});
      await add(context, "b");
    });
    expect(reply.status).toBe(200);
    expect(await titles()).toEqual(["a", "b"]);
  });

  test("transaction() binds several: all or nothing, on a whole context", async () => {
    await service.store({});
    const { value } = await within(service, async (context) => {
      await add(context, "kept");
      const undone = context.db.transaction(async (inner) => {
        await add(inner, "a");
        await inner.sql`insert into tasks (title, status) values ('b', 'open')`;
        await inner.transaction("tasks").insert({ title: "c", status: "open" });
        throw new ServiceFailure(String(await inner.db.tasks.count()));
      });
      await expect(undone).rejects.toThrow("4");
      const kept = await context.db.transaction(async (inner) => [
        await add(inner, "d"),
        Object.keys(inner).filter((key) => !(key in context)),
      ]);
      return kept;
    });
    expect(value).toMatchObject([{ title: "d" }, within === inRead ? ["transaction"] : []]);
    expect(await titles()).toEqual(["d", "kept"]);
  });

  test("the outer context throws while transaction() is under way", async () => {
    await service.store({});
    const text = "context.db.transaction() is running";
    const { value } = await within(service, (context) =>
      context.db.transaction(async (inner) => {
        const refused = [
          await add(context, "a").catch((error: Error) => error.message),
          await context.sql`select 1`.catch((error: Error) => error.message),
          await context.db.transaction(async () => 1).catch((error: Error) => error.message),
          await context.jobs.enqueue(unknown<never>("any"), unknown<never>({})).catch(String),
          await context.mail.send(unknown<never>({})).catch(String),
          await context.sms.send({ to: "+491701234567", text: "t" }).catch(String),
          await (async () => context.afterCommit(() => {}))().catch(String),
          await context.storage.put("a.txt", "text").catch(String),
          await context.storage.url("a.txt").catch(String),
          await context.storage.remove("a.txt").catch(String),
          await (async () => Reflect.get(context, "transaction") ?? text)().catch(String),
        ];
        await add(inner, "b");
        return refused;
      }),
    );
    expect(value).toEqual(Array(11).fill(expect.stringContaining(text)));
    expect(await titles()).toEqual(["b"]);
  });

  test("transaction() within transaction() is a part that is undone by itself", async () => {
    await service.store({});
    const { value } = await within(service, ({ db }) =>
      db.transaction(async (outer) => {
        await add(outer, "a");
        const refused = await outer.db.transaction(async (inner) => {
          await add(inner, "b");
          return add(outer, "no").catch((error: Error) => error.message);
        });
        const undone = outer.db.transaction(async (inner) => {
          await add(inner, "undone");
          await inner.db.transaction((innermost) => add(innermost, "with it"));
          throw new ServiceFailure();
        });
        await expect(undone).rejects.toThrow(ServiceFailure);
        await add(outer, "c");
        return refused;
      }),
    );
    expect(value).toContain("context.db.transaction() is running");
    expect(await titles()).toEqual(["a", "b", "c"]);
  });

  test("a deadlock within transaction() within transaction() has the outermost run again", async () => {
    await service.store({});
    await service.query("DROP SEQUENCE IF EXISTS tries; CREATE SEQUENCE tries");
    const runs: string[] = [];
    await within(service, ({ db }) =>
      db.transaction(async (outer) => {
        runs.push("outer");
        await add(outer, `run ${runs.length}`);
        const inner = outer.db.transaction(async ({ sql }) => {
          runs.push("inner");
          await sql`do $$ begin
            if nextval('tries') = 1 then raise exception 'x' using errcode = '40P01'; end if;
          end $$`;
        });
        await inner.catch(() => {});
      }),
    );
    expect(runs).toEqual(["outer", "inner", "outer", "inner"]);
    expect(await titles()).toEqual(["run 3"]);
  });

  test("calls at the same time do not undo each other", async () => {
    await service.store({});
    const { value, reply } = await within(service, async (context) => {
      const calls = ["a", "b", "b", "c", "a", "d"].map((title) => add(context, title));
      return (await Promise.allSettled(calls)).map(({ status }) => status);
    });
    expect(reply.status).toBe(200);
    expect([...value].sort()).toEqual([...Array(4).fill("fulfilled"), ...Array(2).fill("rejected")]);
    expect(await titles()).toEqual(["a", "b", "c", "d"]);
  });

  test("a deadlock passes each catch, and the transaction is retried", async () => {
    await service.store({});
    await service.query("DROP SEQUENCE IF EXISTS tries; CREATE SEQUENCE tries");
    let runs = 0;
    const { reply } = await within(service, ({ db }) => {
      const work = async ({ db, sql }: Pick<HookContext, "db" | "sql">) => {
        runs++;
        await db.tasks.create({ title: `run ${runs}` });
        await sql`do $$ begin
          if nextval('tries') % 3 > 0 then raise exception 'x' using errcode = '40P01'; end if;
        end $$`.catch(() => {});
      };
      return within === inRead ? db.transaction(work) : work({ db, sql: unknown(sqlOf()) });
    });
    expect(reply.status).toBe(200);
    expect(runs).toBe(3);
    expect(await titles()).toEqual(["run 3"]);
  });
});

/** The `sql` of the hook that runs. */
function sqlOf() {
  return stage.fired.at(-1)?.context.sql;
}

describe("transaction() outside a mutation tells what fails itself as an operation does", () => {
  const codeOf = (error: unknown) => Reflect.get(Object(error), "code");

  // biome-ignore format: one case a line
  test.each<readonly [called: string, work: (context: HookContext) => Promise<unknown>, code: string]>([
    ["a constraint that COMMIT looks at", ({ sql }) => sql`insert into judged values ('twice'), ('twice')`, "VALIDATION_ERROR"],
    ["a deadlock each time", ({ sql }) => sql`do $$ begin raise exception 'x' using errcode = '40P01'; end $$`, "DATABASE_ERROR"],
    ["a deadlock each time that is caught", ({ sql }) => sql`do $$ begin raise exception 'x' using errcode = '40P01'; end $$`.catch(() => {}),
      "DATABASE_ERROR"],
    ["what its work throws, which stays as it is", ({ sql }) => sql`select 1 / 0`, "22012"],
  ])("%s", async (_, work, code) => {
    await service.query("CREATE TABLE IF NOT EXISTS judged (name text UNIQUE DEFERRABLE INITIALLY DEFERRED)");
    const { value } = await inRead(service, ({ db }) => db.transaction(work).catch(codeOf));
    expect(value).toBe(code);
  });
});

describe("a hook's own mistakes", () => {
  test("a call that it leaves behind is 500, and nothing of it stays", async () => {
    await service.store({});
    const { reply } = await inMutation(service, async (context) => {
      void add(context, "a");
      void add(context, "b");
    });
    expect(reply.status).toBe(500);
    expect(await titles()).toEqual([]);
    expect(await service.query("SELECT 1 FROM hooked")).toEqual([]);
  });

  test("a call after its end throws", async () => {
    await service.store({});
    let kept: HookContext | null = null;
    await inMutation(service, async (context) => {
      kept = context;
    });
    const { db, sql } = unknown<HookContext>(kept);
    await expect(db.tasks.count()).rejects.toThrow("await all of its calls");
    await expect(sql`select 1`).rejects.toThrow("await all of its calls");
  });

  /** Each calls itself. */
  const endless: StagedHooks = {
    before_create: async ({ name }, { db }) => {
      deep++;
      await db.tasks.create({ title: `deep ${deep}` });
      await db.hooked.create({ name: `${name}+`, code: "c" });
    },
    before_fetch: async (_, { db }) => {
      deep++;
      await db.hooked.fetch();
    },
  };
  let deep = 0;

  // biome-ignore format: one case a line
  test.each([
    ["of one hook", { method: "POST", path: "/hooked/create", body: { data: record } }, "hooked.before_create"],
    ["of a read", { method: "GET", path: "/hooked/fetch" }, "hooked.before_fetch"],
  ])("more than 8 calls of each other, %s, are 500, with the chain in the log", async (_, sent, hook) => {
    await service.store({});
    deep = 0;
    const reply = await sendWith(service, endless, "admin", sent);
    expect(reply.envelope).toMatchObject({ statusCode: 500, error: "INTERNAL_ERROR" });
    expect(deep).toBe(8);
    expect(reply.text).not.toMatch(/deep|hooked/);
    const chain = Array(9).fill(hook).join(" > ");
    expect(causes(reply)).toContain(`hooks call each other more than 8 deep: ${chain}`);
    expect(await service.query("SELECT FROM hooked")).toEqual([]);
    expect(await titles()).toEqual([]);
  });

  test("so are those of two models", async () => {
    await service.store({ hooked: [{ id: 1, name: "one", code: "c" }] });
    const chain: string[] = [];
    const reply = await sendWith(
      service,
      {
        before_update: async (_, { db }) => {
          chain.push("hooked.before_update");
          await db.marked.create({ user: chain.length });
        },
        // That of `marked`.
        before_create: async (_, { db }) => {
          chain.push("marked.before_create");
          await db.hooked.update({ where: { id: 1 }, data: { number: chain.length } });
        },
      },
      "admin",
      { method: "PUT", path: "/hooked/update", body: { where: { id: 1 }, data: { number: 7 } } },
    );
    expect(reply.status).toBe(500);
    expect(chain).toHaveLength(8);
    expect(causes(reply)).toContain([...chain, "hooked.before_update"].join(" > "));
    expect(await service.query("SELECT number FROM hooked")).toEqual([{ number: null }]);
    expect(await service.query("SELECT FROM marked")).toEqual([]);
  });

  test("one that is too deep may be caught where it was called", async () => {
    await service.store({});
    deep = 0;
    const { value, reply } = await inRead(service, async ({ db }) => {
      Object.assign(stage.hooks, { before_create: endless.before_create });
      return db.hooked.create(record).catch((error: unknown) => Reflect.get(Object(error), "code"));
    });
    expect([value, reply.status, deep]).toEqual(["INTERNAL_ERROR", 200, 7]);
    expect(await titles()).toEqual([]);
  });
});

/** What the log tells of the reasons for an answer. */
function causes({ headers }: Reply): string {
  const lines = service.log.filter((line) => line["request_id"] === headers["x-request-id"]);
  return JSON.stringify(lines);
}
