import { describe, expect, test } from "vitest";
import type { HookContext } from "../../../runtime/hooks/index.ts";
import { inMutation, inRead, sendWith, unknown } from "../../support/code-in-hooks.ts";
import { record } from "../../support/scenarios-hooked.ts";
import { testService } from "../../support/service.ts";
import { stage } from "../fixture/stage.ts";

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

describe.each([
  ["in a read", inRead],
  ["in a mutation", inMutation],
] as const)("%s", (_, within) => {
  test("a call that fails undoes itself alone, and may be caught", async () => {
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
        ];
        await add(inner, "b");
        return refused;
      }),
    );
    const text = expect.stringContaining("context.db.transaction() is under way");
    expect(value).toEqual(Array(7).fill(text));
    expect(await titles()).toEqual(["b"]);
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

  test("a deadlock passes each catch: what was begun begins anew", async () => {
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
    await expect(db.tasks.count()).rejects.toThrow("await each call");
    await expect(sql`select 1`).rejects.toThrow("await each call");
  });

  test("hooks that call each other more than 8 deep are 500, with the chain in the log", async () => {
    await service.store({});
    let deep = 0;
    const reply = await sendWith(
      service,
      {
        before_create: async (hooked, { db }) => {
          deep++;
          await db.hooked.create({ name: `${hooked.name}+`, code: "c" });
        },
      },
      "admin",
      { method: "POST", path: "/hooked/create", body: { data: record } },
    );
    expect(reply.envelope).toMatchObject({ statusCode: 500, error: "INTERNAL_ERROR" });
    expect(deep).toBe(8);
    expect(await service.query("SELECT 1 FROM hooked")).toEqual([]);
  });
});
