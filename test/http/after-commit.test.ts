import { beforeEach, describe, expect, test } from "vitest";
import type { HookContext } from "#runtime/hooks/index";
import { ServiceError } from "#runtime/index";
import { password } from "../support/accounts.ts";
import { performGraphql } from "../support/graphql.ts";
import { perform, type Scenario } from "../support/scenarios.ts";
import { record, run } from "../support/scenarios-hooked.ts";
import { testService } from "../support/service.ts";
import type { StagedHooks } from "./fixture/stage.ts";

const service = await testService();

/** What was done after commits, in order. */
const done: string[] = [];
beforeEach(() => {
  done.length = 0;
});

/** A hook that asks for this to be noted. */
const ask =
  (name: string) =>
  (_: unknown, { afterCommit }: HookContext): void =>
    afterCommit(() => void done.push(name));
/** The same, and then it throws. */
const askAndThrow = (name: string) => (value: unknown, context: HookContext) => {
  ask(name)(value, context);
  throw new ServiceError("PERMISSION_DENIED", "Not today.");
};

/** Performs it; then what was to follow has been done, and was this. */
async function follows(scenario: Scenario, expected: readonly string[]): Promise<void> {
  await perform(service, scenario);
  await service.settled();
  expect(done).toEqual(expected);
}

const refused = { fails: "403 PERMISSION_DENIED" };
const create = (plays: StagedHooks, more: Partial<Scenario> = {}) =>
  run("POST create", { data: record }, { plays, ...more });
const fetchAll = (plays: StagedHooks, more: Partial<Scenario> = {}) =>
  run("GET fetch", undefined, { plays, ...more });

describe("what follows an operation", () => {
  // biome-ignore format: one case a line
  test.each<[string, Scenario, readonly string[]]>([
    ["a mutation, in the order in which its hooks asked", create({ before_create: ask("before"), after_create: ask("after") }), ["before", "after"]],
    ["nothing, where it is rolled back", create({ before_create: ask("before"), after_create: askAndThrow("after") }, refused), []],
    ["a read", fetchAll({ before_fetch: ask("before"), after_fetch: ask("after") }), ["before", "after"]],
    ["nothing, where a read fails", fetchAll({ before_fetch: ask("before"), after_fetch: askAndThrow("x") }, refused), []],
    ["of a bulk, nothing of a record whose hook throws",
      run("POST create", { data: [record, { ...record, name: "bad" }, { ...record, name: "other" }] },
        { plays: { before_create: ({ name }, context) => (name === "bad" ? askAndThrow : ask)(String(name))(null, context) } }), ["new", "other"]],
    ["of a bulk, nothing of a record that the database refuses once its hook has run",
      run("POST create", { data: [{ ...record, name: "one" }, record, { ...record, name: "new" }] },
        { plays: { before_create: ({ name }, context) => ask(String(name))(null, context) } }), ["new"]],
    ["of a bulk update too",
      run("PUT update", { data: [{ id: 1, name: "two" }, { id: 2, number: 8 }] },
        { plays: { before_update: ({ where }, context) => ask(`${where.id}`)(null, context) } }), ["2"]],
  ])("%s", (_, scenario, expected) => follows(scenario, expected));

  test("only once when the transaction is retried", async () => {
    let attempts = 0;
    const before_create: StagedHooks["before_create"] = async (_, { transaction, afterCommit }) => {
      attempts++;
      const name = `attempt ${attempts}`;
      afterCommit(() => void done.push(name));
      if (attempts < 3)
        await transaction.raw("DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$");
    };
    await follows(create({ before_create }), ["attempt 3"]);
  });
});

test.each<[string, (context: HookContext) => unknown]>([
  ["db", ({ db }) => db.tasks.create({ title: "lost" })],
  ["sql", ({ sql }) => sql`insert into tasks (title, status) values ('lost', 'open')`],
  ["jobs", ({ jobs }) => jobs.enqueue("send-later", { text: "lost" })],
  ["mail", ({ mail }) => mail.send({ to: "ann@example.org", subject: "lost", text: "lost" })],
  ["afterCommit", async ({ afterCommit }) => afterCommit(() => {})],
])("%s of the context around it throws, and says what to write", async (_, call) => {
  for (const hook of [
    create({ after_create: (_, context) => context.afterCommit(() => call(context)) }),
    fetchAll({ after_fetch: (_, context) => context.afterCommit(() => call(context)) }),
  ]) {
    service.log.length = 0;
    await follows(hook, []);
    expect(JSON.stringify(service.log)).toContain("afterCommit(async ({ db }) => …)");
  }
  expect(await service.query("SELECT FROM tasks WHERE title = 'lost'")).toEqual([]);
});

test("the context that it gets writes", async () => {
  const write: StagedHooks["after_create"] = (_, { afterCommit }) =>
    afterCommit(async ({ db }) => void (await db.tasks.create({ title: "kept" })));
  await follows(create({ after_create: write }), []);
  expect(await service.query("SELECT title FROM tasks WHERE title = 'kept'")).toHaveLength(1);
});

describe("GraphQL", () => {
  const two = `mutation {
    a: createHooked(input: { name: "a", number: 1, code: "c" }) { name }
    b: createHooked(input: { name: "b", number: 1, code: "c" }) { name }
  }`;
  const before_create: StagedHooks["before_create"] = ({ name }, context) => ask(String(name))(null, context);

  // biome-ignore format: one case a line
  test.each<[string, StagedHooks, string | undefined, readonly string[]]>([
    ["the commit of all root fields", { before_create, after_graphql: ask("graphql") }, undefined, ["a", "b", "graphql"]],
    ["nothing, where one of them fails",
      { before_create: ({ name }, context) => (name === "b" ? askAndThrow : ask)(String(name))(null, context), before_graphql: ask("graphql") },
      refused.fails, []],
    ["a commit, though after_graphql throws, of which nothing follows",
      { before_create, before_graphql: ask("before"), after_graphql: askAndThrow("after") }, refused.fails, ["a", "b"]],
  ])("what follows is that of %s", async (_, plays, fails, expected) => {
    await performGraphql(service, { query: two, as: "admin", plays, ...(fails !== undefined && { fails }) });
    await service.settled();
    expect(done).toEqual(expected);
  });
});

test("hooks of accounts", async () => {
  await follows(
    {
      send: "POST /auth/register",
      body: { email: "ann@example.com", password },
      plays: { before_register: ask("before"), after_register: ask("after") },
    },
    ["before", "after"],
  );
});

test("it begins once the answer has gone, each in turn, in a context of its own outside any transaction", async () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const seen: unknown[] = [];
  const after_create: StagedHooks["after_create"] = (_, { afterCommit, request_id }) => {
    afterCommit(async (context) => {
      const isLogged = service.log.some(
        (line) => line["msg"] === "request" && line["request_id"] === request_id,
      );
      seen.push(
        isLogged,
        context.request_id === request_id,
        context.principal.role,
        "transaction" in context,
      );
      done.push("first begins");
      context.afterCommit(() => void done.push("last"));
      await opened;
      done.push("first ends");
    });
    afterCommit(() => void done.push("second"));
  };
  // It is answered while the first waits.
  await perform(service, create({ after_create }));
  await expect.poll(() => done).toEqual(["first begins"]);
  open();
  await service.settled();
  expect(done).toEqual(["first begins", "first ends", "second", "last"]);
  expect(seen).toEqual([true, true, "admin", false]);
});

test("a throw is one line of the log, with the id of the request, and changes no answer", async () => {
  const after_create: StagedHooks["after_create"] = (_, { afterCommit }) => {
    afterCommit(() => {
      throw new Error("the other service is down");
    });
    afterCommit(() => void done.push("next"));
  };
  const { headers } = await perform(service, create({ after_create }));
  await service.settled();
  const id = headers["x-request-id"];
  expect(service.log.filter((line) => line["request_id"] === id && line["level"] === 50)).toEqual([
    expect.objectContaining({
      model: "hooked",
      err: expect.objectContaining({ message: "the other service is down" }),
    }),
  ]);
  expect(done).toEqual(["next"]);
});
