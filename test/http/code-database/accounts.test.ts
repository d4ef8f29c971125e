import { beforeEach, describe, expect, test } from "vitest";
import type { CodeContext } from "#runtime/hooks/context/index";
import { account, accounts, password } from "../../support/accounts.ts";
import { sendWith } from "../../support/code-in-hooks.ts";
import { record } from "../../support/scenarios-hooked.ts";
import { testService } from "../../support/service.ts";
import type { StagedHooks } from "../fixture/stage.ts";

const service = await testService();
const email = "ann@example.com";
const register = { method: "POST", path: "/auth/register", body: { email, password } };
const login = { method: "POST", path: "/auth/login", body: { email: "user1@example.com", password } };

const titles = async () =>
  (await service.query("SELECT title FROM tasks ORDER BY id")).map(({ title }) => title);
const no = () => {
  throw new Error("no");
};
/** Writes one row of each way. */
const note =
  (title: string) =>
  async (_: unknown, { db, sql }: CodeContext): Promise<void> => {
    await db.tasks.create({ title: `${title} by db` });
    await sql`insert into tasks (title, status) values (${`${title} by sql`}, 'open')`;
    await db.tasks.create({ title: `${title} by db` }).catch(() => {});
  };
const noted = (...names: string[]) => names.flatMap((name) => [`${name} by db`, `${name} by sql`]);
/** Writes, and then it throws. */
const noteAndThrow = (title: string) => async (value: unknown, context: CodeContext) => {
  await note(title)(value, context);
  no();
};

beforeEach(() => service.store(accounts([account(1)])));

const users = async () => (await service.query("SELECT email FROM users ORDER BY id")).length;

describe("hooks of accounts write in the transaction of the operation", () => {
  // biome-ignore format: one case a line
  test.each<readonly [string, StagedHooks, typeof register, number, readonly string[]]>([
    ["a registration", { before_register: note("before"), after_register: note("after") }, register, 200, noted("before", "after")],
    ["one that before_register refuses", { before_register: noteAndThrow("before") }, register, 500, []],
    ["one that after_register refuses", { before_register: note("before"), after_register: noteAndThrow("after") }, register, 500, []],
    ["one whose value is wrong in the end", { before_register: note("before") }, { ...register, body: { email, password: "x" } }, 400, []],
    ["a login", { after_login: note("login") }, login, 200, noted("login")],
    ["one that after_login refuses", { after_login: noteAndThrow("login") }, login, 500, []],
    ["hooks of models that they call",
      { after_register: async (_, { db }) => void (await db.hooked.create({ ...record })), after_create: noteAndThrow("model") }, register, 500, []],
  ])("%s", async (_, hooks, sent, status, left) => {
    const reply = await sendWith(service, hooks, null, sent);
    expect(reply.status, reply.text).toBe(status);
    expect(await titles()).toEqual(left);
    expect(await users()).toBe(status === 200 && sent === register ? 2 : 1);
    expect(await service.query("SELECT FROM hooked")).toEqual([]);
  });
});

test("before the commit, only after_register sees the new account", async () => {
  const seen: unknown[] = [];
  const asking: StagedHooks["after_register"] = async ({ data: { user } }, { db, principal }) => {
    const found = await db.users.get(user.user_id);
    seen.push(found?.email, await db.users.count(), await users(), principal.role);
    seen.push(Object.keys((await db.as("caller").people.fetch())[0] ?? {}).includes("nick"));
  };
  await service.store({ ...accounts([account(1)]), people: [{ id: 1, name: "p", nick: "n" }] });
  await sendWith(service, { after_register: asking }, null, register);
  expect(seen).toEqual([email, 2, 1, "user", false]);
});

test("what a hook of an account writes is undone by a deadlock, after which it runs again", async () => {
  await service.query("DROP SEQUENCE IF EXISTS tries; CREATE SEQUENCE tries");
  let runs = 0;
  const before_register: StagedHooks["before_register"] = async (_, { db, sql }) => {
    await db.tasks.create({ title: `run ${++runs}` });
    await sql`do $$ begin
      if nextval('tries') < 3 then raise exception 'x' using errcode = '40001'; end if;
    end $$`.catch(() => {});
  };
  const reply = await sendWith(service, { before_register }, null, register);
  expect([reply.status, await titles()]).toEqual([200, ["run 3"]]);
});

describe("GraphQL", () => {
  const made = (name: string) => `createHooked(input: { name: "${name}", code: "c" }) { name }`;
  const asking = (query: string) => ({ method: "POST", path: "/graphql", body: { query } });
  /** Notes the record; one that is called so fails. */
  const before_create: StagedHooks["before_create"] = async ({ name }, context) => {
    await note(`${name}`)(null, context);
    if (name === "bad") no();
  };

  // biome-ignore format: one case a line
  test.each<readonly [string, StagedHooks, string, number, readonly string[], number]>([
    ["root fields of a mutation share a transaction", { before_create }, `mutation { a: ${made("a")} b: ${made("b")} }`, 200, noted("a", "b"), 2],
    ["and roll back together", { before_create }, `mutation { a: ${made("a")} b: ${made("bad")} }`, 500, [], 0],
    ["what after_create writes as well", { after_create: noteAndThrow("after") }, `mutation { ${made("a")} }`, 500, [], 0],
    ["hooks of a query write by themselves", { before_fetch: note("before"), after_fetch: noteAndThrow("after") }, "{ hooked { id } }", 500,
      noted("before", "after"), 0],
    ["those of GraphQL too, whether the mutation succeeds or fails", { before_graphql: note("before"), after_graphql: note("after"), before_create },
      `mutation { ${made("bad")} }`, 500, noted("before"), 0],
    ["a throw of after_graphql undoes nothing", { after_graphql: noteAndThrow("after"), before_create }, `mutation { ${made("a")} }`, 500,
      noted("a", "after"), 1],
  ])("%s", async (_, hooks, query, status, left, rows) => {
    const reply = await sendWith(service, hooks, "admin", asking(query));
    expect(reply.status, reply.text).toBe(status);
    expect(await titles()).toEqual(left);
    expect(await service.query("SELECT FROM hooked")).toHaveLength(rows);
  });

  test("a hook of a later root field sees what those before it have written", async () => {
    const seen: unknown[] = [];
    const counting: StagedHooks["before_create"] = async (_, { db, sql }) => {
      seen.push([await db.hooked.count(), (await sql`select from hooked`).length]);
    };
    await sendWith(
      service,
      { before_create: counting },
      "admin",
      asking(`mutation { a: ${made("a")} b: ${made("b")} }`),
    );
    expect(seen).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });
});
