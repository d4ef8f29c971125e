import { beforeEach, describe, expect, test } from "vitest";
import type { HookContext, MutationContext } from "#runtime/hooks/index";
import { prepareQueue } from "#runtime/modules/jobs/index";
import type { Json } from "#vocabulary/json";
import { hookKinds, inMutation, inRead, sendWith } from "../../support/code-in-hooks.ts";
import { record } from "../../support/scenarios-hooked.ts";
import { testService } from "../../support/service.ts";
import { silent } from "../../support/silent-log.ts";
import type { StagedHooks } from "../fixture/stage.ts";

const service = await testService({ email: { provider: "log", from: "shop@example.com" } });
await prepareQueue(service.url, silent);

/** What was done after commits. */
const done: string[] = [];
const jobs = "kirak_jobs.jobs";
beforeEach(async () => {
  done.length = 0;
  await service.store({});
  await service.query(`DELETE FROM ${jobs}`);
});

/** Asks for one of each that follows a commit. */
async function ask(name: string, { afterCommit, jobs, mail }: HookContext): Promise<void> {
  afterCommit(() => void done.push(name));
  await jobs.enqueue("send-later", { text: name });
  await mail.send({ to: `${name}@example.org`, subject: name, text: name });
}

/** What follows of what has been asked for: work after the commit, jobs, and mails. */
async function following(): Promise<readonly (readonly unknown[])[]> {
  await service.settled();
  const sent = await service.query(`SELECT payload FROM ${jobs} ORDER BY id`);
  const payloads = sent.map(({ payload }) => Object(payload));
  return [
    done,
    payloads.filter(({ to }) => to === undefined).map(({ text }) => text),
    payloads.filter(({ to }) => to !== undefined).map(({ text }) => text),
  ];
}

const each = (...names: string[]) => [names, names, names];
const caught = () => {};
const no = () => {
  throw new Error("no");
};

/** Asks for something, and fails where the record is called so. */
const asking: StagedHooks["before_create"] = async ({ name }, context) => {
  await ask(`${name}`, context);
  if (`${name}`.startsWith("bad")) no();
};
const named = (...names: string[]) => names.map((name) => ({ ...record, name }));
const creating = (data: Json): Parameters<typeof sendWith>[3] => ({
  method: "POST",
  path: "/hooked/create",
  body: { data },
});

describe("jobs.cancel(name, key)", () => {
  const later = { key: "k", run_at: "2030-01-01T00:00:00Z" };
  const keys = async () => (await service.query(`SELECT key FROM ${jobs} ORDER BY id`)).map(({ key }) => key);

  test("removes the waiting job, and says whether there was one", async () => {
    const { value: answers } = await inRead(service, async ({ jobs }) => {
      await jobs.enqueue("send-later", { text: "a" }, later);
      await jobs.enqueue("send-later", { text: "b" }, { ...later, key: "other" });
      return [await jobs.cancel("send-later", "k"), await jobs.cancel("send-later", "k")];
    });
    expect(answers).toEqual([true, false]);
    expect(await keys()).toEqual(["other"]);
  });

  test("is part of the transaction", async () => {
    await inRead(service, ({ jobs }) => jobs.enqueue("send-later", { text: "a" }, later));
    const answers: boolean[] = [];
    const failing = inMutation(service, async ({ jobs }) => {
      answers.push(await jobs.cancel("send-later", "k"));
      no();
    });
    await expect(failing).rejects.toThrow("no");
    expect([answers, await keys()]).toEqual([[true], ["k"]]);
    await inMutation(service, async ({ jobs }) => {
      await jobs.cancel("send-later", "k");
      await jobs.enqueue("send-later", { text: "b" }, { ...later, key: "new" });
    });
    expect(await keys()).toEqual(["new"]);
  });

  test.each([
    ["that runs", "lease = gen_random_uuid(), worker = 'w'"],
    ["that is dead", "attempts = max_attempts"],
  ])("a job %s stays", async (_, state) => {
    await inRead(service, ({ jobs }) => jobs.enqueue("send-later", { text: "a" }, later));
    await service.query(`UPDATE ${jobs} SET ${state}`);
    const { value } = await inRead(service, ({ jobs }) => jobs.cancel("send-later", "k"));
    expect(value).toBe(false);
    expect(await keys()).toEqual(["k"]);
  });

  test.each([
    ["none", "k", /the job "none" does not exist/],
    ["send-later", "", /key must be a string/],
    ["send-later", "\0", /key must be a string/],
  ])("%j, %j throws", async (name, key, message) => {
    const cancel = inRead(service, ({ jobs }) => Reflect.apply(jobs.cancel, jobs, [name, key]));
    await expect(cancel).rejects.toThrow(message);
  });
});

test("of a call that fails and is caught nothing follows, of what stays everything once", async () => {
  const before_create: StagedHooks["before_create"] = async (value, context) => {
    await asking(value, context);
    if (value.name !== "new") return;
    const { db } = context;
    await db.hooked.create({ ...record, name: "bad" }).catch(caught);
    await db.hooked.create({ ...record, name: "good" });
    await db.hooked.create(named("of all", "bad one")).catch(caught);
    // Refused once its hook has run.
    await db.hooked.create({ ...record, name: "good" }).catch(caught);
    await ask("last", context);
  };
  const reply = await sendWith(service, { before_create }, "admin", creating(record));
  expect(reply.status).toBe(200);
  expect(await following()).toEqual(each("new", "good", "last"));
});

test("nor of one whose after-hook fails", async () => {
  const hooks: StagedHooks = {
    before_create: asking,
    after_create: async (made, context) => {
      if (!("name" in made)) return;
      await ask(`after ${made.name}`.replace(" ", "-"), context);
      if (made.name === "inner") no();
      await context.db.hooked.create({ ...record, name: "inner" }).catch(caught);
    },
  };
  await sendWith(service, hooks, "admin", creating(record));
  expect(await following()).toEqual(each("new", "after-new"));
});

describe.each(hookKinds)("%s", (_, within) => {
  test("a transaction() that fails and is caught", async () => {
    await within(service, async (context) => {
      await context.db.transaction((inner) => ask("kept", inner));
      await context.db
        .transaction(async (inner) => {
          await ask("outside", inner);
          await inner.db.transaction((innermost) => ask("inside", innermost));
          no();
        })
        .catch(caught);
      await context.db.transaction(async (inner) => {
        await inner.db.transaction((innermost) => ask("undone", innermost).then(no)).catch(caught);
        await ask("more", inner);
      });
    });
    expect(await following()).toEqual(each("kept", "more"));
  });

  test("a run that a deadlock has undone", async () => {
    await service.query("DROP SEQUENCE IF EXISTS tries; CREATE SEQUENCE tries");
    let runs = 0;
    await within(service, (context) => {
      const work = async (bound: HookContext) => {
        runs++;
        await ask(`run-${runs}`, bound);
        await bound.sql`do $$ begin
          if nextval('tries') % 3 > 0 then raise exception 'x' using errcode = '40P01'; end if;
        end $$`.catch(caught);
        await ask(`end-${runs}`, bound);
      };
      return within === inRead ? context.db.transaction(work) : work(context);
    });
    expect(await following()).toEqual(each("run-3", "end-3"));
  });

  test("what is asked for at the same time as a call that fails is neither lost nor undone with it", async () => {
    const { reply } = await within(service, async (context) => {
      const { db, sql, jobs, mail } = context;
      await db.tasks.create({ title: "taken" });
      await Promise.allSettled([
        db.tasks.create({ title: "taken" }),
        jobs.enqueue("send-later", { text: "one" }),
        sql`select 1 / 0`,
        mail.send({ to: "one@example.org", subject: "one", text: "one" }),
        db.transaction(async (inner) => {
          await inner.jobs.enqueue("send-later", { text: "undone" });
          no();
        }),
        jobs.enqueue("send-later", { text: "two" }),
      ]);
    });
    expect(reply.status).toBe(200);
    // Outside a transaction others are refused while one is bound to the one that it hands on.
    const two = within === inMutation ? ["two"] : [];
    expect(await following()).toEqual([[], ["one", ...two], ["one"]]);
  });

  test("work for later that is asked for while a call that fails is under way", async () => {
    await service.store({ tasks: [{ id: 1, title: "taken" }] });
    await within(service, async ({ db, afterCommit }) => {
      const failing = db.tasks.create({ title: "taken" }).catch(caught);
      afterCommit(() => void done.push("outside"));
      await failing;
      await db.transaction(async (inner) => {
        const { afterCommit } = inner;
        const failing = inner.db.tasks.create({ title: "taken" }).catch(caught);
        afterCommit(() => void done.push("inside"));
        await failing;
      });
    });
    await service.settled();
    expect(done).toEqual(["outside", "inside"]);
  });

  test("only the call that cannot enqueue is rolled back", async () => {
    await service.query(`ALTER TABLE ${jobs} ADD CONSTRAINT kept CHECK (payload ->> 'text' <> 'refused')`);
    const { reply } = await within(service, async (context) => {
      await ask("kept", context);
      await context.jobs.enqueue("send-later", { text: "refused" }).catch(caught);
      const mail = { to: "a@example.org", subject: "refused", text: "refused" };
      await context.mail.send(mail).catch(caught);
      await context.db.tasks.create({ title: "kept" });
    });
    await service.query(`ALTER TABLE ${jobs} DROP CONSTRAINT kept`);
    expect(reply.status).toBe(200);
    expect(await following()).toEqual(each("kept"));
    expect(await service.query("SELECT title FROM tasks")).toEqual([{ title: "kept" }]);
  });
});

test("of a read in a read that fails and is caught", async () => {
  const before_fetch: StagedHooks["before_fetch"] = async ({ where }, context) => {
    const { db, afterCommit } = context;
    afterCommit(() => void done.push(where.name === undefined ? "outer" : `${where.name}`));
    if (where.name === "inner") {
      await db.hooked.fetch({ where: { name: "innermost" } });
      await db.hooked.create(record);
      no();
    }
    if (where.name !== undefined) return;
    await db.hooked.fetch({ where: { name: "inner" } }).catch(caught);
    await db.hooked.fetch({ where: { name: "fine" } });
  };
  const before_create: StagedHooks["before_create"] = (_, { afterCommit }) =>
    afterCommit(() => void done.push("committed"));
  const sent = { method: "GET", path: "/hooked/fetch" };
  await sendWith(service, { before_fetch, before_create }, "admin", sent);
  await service.settled();
  expect(done).toEqual(["outer", "committed", "fine"]);
});

test("a record of a bulk that is not written, for whichever reason", async () => {
  const before_create: StagedHooks["before_create"] = async (value, context) => {
    if (value.name === "taken") await context.jobs.enqueue("send-later", { text: "taken" });
    else await asking(value, context);
    // Of calls in it too.
    await context.db.tasks.create({ title: `of-${value.name}` });
  };
  await service.store({ hooked: [{ id: 1, name: "taken", code: "c" }] });
  const records = [...named("one", "bad", "taken", "two"), { name: "three" }, 5];
  const reply = await sendWith(service, { before_create }, "admin", creating(records));
  expect(reply.envelope.data).toMatchObject({
    inserted_count: 2,
    failed_records: [{ index: 1 }, { index: 2 }, { index: 4 }, { index: 5 }],
  });
  expect(await following()).toEqual(each("one", "two"));
  const titles = await service.query("SELECT title FROM tasks ORDER BY id");
  expect(titles.map(({ title }) => title)).toEqual(["of-one", "of-two"]);
});

describe("what the hook of a record has written that the database refuses is undone, and of no other", () => {
  type Write = (title: string, context: MutationContext) => Promise<unknown>;
  // biome-ignore format: one case a line
  const ways: readonly (readonly [called: string, write: Write, again: boolean])[] = [
    ["by db", (title, { db }) => db.tasks.create({ title }), true],
    ["by sql", (title, { sql }) => sql`insert into tasks (title, status) values (${title}, 'open')`, true],
    ["by transaction", (title, { transaction }) => transaction("tasks").insert({ title, status: "open" }), true],
    ["by db.transaction()", (title, { db }) => db.transaction((inner) => inner.db.tasks.create({ title })), true],
    ["by a hook of a read", (title, { db }) => db.hooked.fetch({ where: { name: title } }), true],
    ["by nothing", (_, { db }) => db.tasks.fetch(), false],
    ["by what failed and was caught", (_, { sql }) => sql`select 1 / 0`.catch(caught), false],
  ];
  const before_fetch: StagedHooks["before_fetch"] = async ({ where }, { db }) =>
    void (await db.tasks.create({ title: `${where.name}` }));
  const stored = async () => (await service.query("SELECT title FROM tasks")).map(({ title }) => title);

  test.each(ways)("%s", async (_, write, again) => {
    await service.store({ hooked: [{ id: 1, name: "taken", code: "c" }] });
    let runs = 0;
    const before_create: StagedHooks["before_create"] = async ({ name }, context) => {
      runs++;
      await write(`of ${name}`, context);
    };
    const hooks = { before_create, before_fetch };
    const reply = await sendWith(service, hooks, "admin", creating(named("one", "taken", "two")));
    expect(reply.envelope.data).toMatchObject({ inserted_count: 2, failed_records: [{ index: 1 }] });
    expect(await stored()).toEqual(again ? ["of one", "of two"] : []);
    expect(runs).toBe(again ? 5 : 3);
  });

  test.each(ways)("in a bulk update, %s", async (_, write, again) => {
    const two = named("one", "two").map((one, at) => ({ ...one, id: at + 1 }));
    await service.store({ hooked: two });
    const before_update: StagedHooks["before_update"] = async ({ where }, context) =>
      void (await write(`of ${where.id}`, context));
    const body = {
      data: [
        { id: 1, number: 7 },
        { id: 2, name: "one" },
      ],
    };
    const sent = { method: "PUT", path: "/hooked/update", body };
    const reply = await sendWith(service, { before_update, before_fetch }, "admin", sent);
    expect(reply.envelope.data).toMatchObject({ updated_ids: [1], failed_records: [{ index: 1 }] });
    expect(await stored()).toEqual(again ? ["of 1"] : []);
  });
});
