import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "#runtime/core/database/index";
import type { CodeContext } from "#runtime/hooks/context/index";
import type { AnyHooks, GraphqlHooks } from "#runtime/hooks/index";
import { defineRoute } from "#runtime/index";
import { account, accounts, apiKey, countRows, password, session } from "../support/accounts.ts";
import { tracesIn } from "../support/credential-requests.ts";
import { eventually } from "../support/eventually.ts";
import { proxyTo, type TestProxy } from "../support/proxy.ts";
import { requestOf, type Sent } from "../support/request.ts";
import { outcome } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";
import { tokenOf } from "../support/service-token.ts";
import { holdAll } from "../support/turns.ts";
import { service as fixture } from "./fixture/generated/index.ts";

let way: TestProxy | undefined;
let staged: AnyHooks = {};
let act: (context: CodeContext) => unknown;
let beforeGraphql: GraphqlHooks["before_graphql"];
let afterGraphql: GraphqlHooks["after_graphql"];
/** What happens to connections from the next write on that is no part of a transaction, or from the next commit on. */
let loss: "stall" | "cut" | null = null;
const lose = () => {
  if (loss !== null) way?.[loss]();
  // New connections work.
  if (loss === "cut") way?.mend();
};
const hooks: AnyHooks = {
  before_fetch: (value, context) => staged.before_fetch?.(value, context),
  after_fetch: (value, context) => staged.after_fetch?.(value, context),
  before_create: (value, context) => staged.before_create?.(value, context),
};
const watch = (database: Database): Database => ({
  ...database,
  run(statement, values) {
    if (statement.reads !== true) lose();
    return database.run(statement, values);
  },
  transaction: (work) =>
    database.transaction(async (transaction) => {
      const result = await work(transaction);
      lose();
      return result;
    }),
});
const service = await testService(
  {},
  {
    served: {
      ...fixture,
      routes: [
        defineRoute({
          method: "POST",
          path: "/act",
          access: ["*"],
          answer: {},
          handler: (_, context) => act(context),
        }),
      ],
      graphql: {
        ...fixture.graphql,
        hooks: {
          before_graphql: (...given) => beforeGraphql?.(...given),
          after_graphql: (...given) => afterGraphql?.(...given),
        },
      },
      models: fixture.models.map((entry) => (entry.model.key === "folders" ? { ...entry, hooks } : entry)),
    },
    watch,
    connecting: { answerTimeoutMs: 300, acquireTimeoutMs: 300 },
    async reach(url) {
      way = await proxyTo(url);
      return way.url;
    },
  },
);

const headers = { authorization: `Bearer ${tokenOf({ role: "admin", sub: "1" })}` };
const mine = session(1);
const key = apiKey(1);
const rows = accounts([account(1, { role: "admin" })], [mine.row, key.row]);
const fetchThings = { method: "GET", path: "/things/fetch" };

beforeEach(async () => {
  beforeGraphql = undefined;
  afterGraphql = undefined;
  await service.store(rows);
  await eventually(async () => expect(outcome(await service.send(fetchThings))).toBe("200"));
});

/** Ends what PostgreSQL keeps open for connections that it has not heard of for a while. */
const endOpen = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND state LIKE 'idle in transaction%' AND pid <> pg_backend_pid()`;

afterEach(async () => {
  loss = null;
  way?.mend();
  await service.query(endOpen);
});

const graphql = (query: string) => ({ method: "POST", path: "/graphql", body: { query } });

// A write is sent by a guest too: a credential is looked up first, and that is what would be missed.
// biome-ignore format: one case a line
test.each([
  ["a read", fetchThings, "503 HTTP_ERROR"],
  ["a count", { method: "GET", path: "/things/count" }, "503 HTTP_ERROR"],
  ["a query", graphql("{ things { id } }"), "503 HTTP_ERROR"],
  ["an aggregate", graphql("{ things_aggregate { count } }"), "503 HTTP_ERROR"],
  ["a login", { method: "POST", path: "/auth/login", body: { email: "user1@example.com", password } }, "503 HTTP_ERROR"],
  ["a refresh", { method: "POST", path: "/auth/refresh-token", body: { refreshToken: mine.token } }, "503 HTTP_ERROR"],
  ["a token", { ...fetchThings, headers }, "503 AUTH_UNAVAILABLE"],
  ["an API key", { ...fetchThings, headers: { "x-api-key": apiKey(1).key } }, "503 AUTH_UNAVAILABLE"],
])("%s gets 503, and works as before on retry", async (_, sent, expected) => {
  const before = outcome(await service.send(sent));
  await service.store(rows);
  way?.freeze();
  const reply = await service.send(sent);
  expect(outcome(reply)).toBe(expected);
  expect(reply.headers["retry-after"]).toBe("5");
  expect(reply.text).not.toMatch(/timeout|connection|ms/i);
  way?.mend();
  await eventually(async () => expect(outcome(await service.send(sent))).toBe(before));
});

/** A write of each kind, by an administrator unless it reads no credential. */
const other = `${password} other`;
const record = { data: { body: "x" } };
// biome-ignore format: one case a line
const writes: readonly (readonly [string, Sent["body"], headers?: Sent["headers"]])[] = [
  ["POST /notes/create", record],
  ["POST /notes/create", { data: [{ body: "x" }, { body: "y" }] }],
  ["POST /folders/create", { data: { name: "x" } }],
  ["PUT /tasks/update", { where: { id: 1 }, data: { title: "x" } }],
  ["DELETE /tasks/destroy", { ids: [1] }],
  ["POST /graphql", { query: 'mutation { createNotes(input: { body: "x" }) { id } }' }],
  ["POST /act", undefined],
  ["DELETE /admin/rate-limits/some", undefined],
  ["POST /auth/api-keys/create", {}],
  ["DELETE /auth/api-keys/revoke", { key_prefix: key.key.slice(0, 11) }],
  ["POST /auth/setup-mfa", {}],
  ["POST /auth/logout", { token: mine.token, logout_type: "all" }],
  ["POST /auth/change-password", { current_password: password, new_password: other, confirm_password: other }],
  ["POST /auth/login", { email: "user1@example.com", password }, {}],
  ["POST /auth/register", { email: "new@example.com", password }, {}],
  ["POST /auth/refresh-token", { refreshToken: mine.token }, {}],
];

describe("a write is to be repeated only where nothing was done", async () => {
  const look = await tracesIn(service);
  const each = writes.map((write) => [`${write[0]} ${JSON.stringify(write[1])}`, write] as const);
  const sentBy = ([line, body, own = headers]: (typeof writes)[number]): Sent => {
    return { ...requestOf(line), headers: own, ...(body !== undefined && { body }) };
  };

  beforeEach(async () => {
    await service.store({ ...rows, tasks: [{ id: 1, title: "one" }] });
    staged = {};
    act = ({ db }) => db.notes.create({ body: "x" });
  });

  test.each(each)("%s, where nothing is heard from the start", async (_, write) => {
    const before = await look();
    way?.freeze();
    const reply = await service.send(sentBy(write));
    const code = write[2] === undefined ? "AUTH_UNAVAILABLE" : "HTTP_ERROR";
    expect([outcome(reply), reply.headers["retry-after"]]).toEqual([`503 ${code}`, "5"]);
    way?.mend();
    expect((await look()).rows).toEqual(before.rows);
  });

  test.each(each)("%s, where the database is away", async (_, write) => {
    const before = await look();
    way?.cut();
    const reply = await service.send(sentBy(write));
    const told = write[2] === undefined ? ["503 AUTH_UNAVAILABLE", "5"] : ["500 DATABASE_ERROR", undefined];
    expect([outcome(reply), reply.headers["retry-after"]]).toEqual(told);
    way?.mend();
    expect((await look()).rows).toEqual(before.rows);
  });

  test.each(each)("%s, where no connection is free", async (_, write) => {
    const before = await look();
    const release = await holdAll(service);
    const reply = await service.send(sentBy(write));
    const code = write[2] === undefined ? "AUTH_UNAVAILABLE" : "HTTP_ERROR";
    expect([outcome(reply), reply.headers["retry-after"]]).toEqual([`503 ${code}`, "5"]);
    await release();
    expect((await look()).rows).toEqual(before.rows);
  });

  for (const lost of ["stall", "cut"] as const)
    test.each(each)(`%s, where its answer is lost: ${lost}`, async (_, write) => {
      loss = lost;
      const reply = await service.send(sentBy(write));
      expect([outcome(reply), reply.headers["retry-after"]]).toEqual(["503 HTTP_ERROR", undefined]);
    });

  test("one that was carried out, but for its answer", async () => {
    await service.query("BEGIN; LOCK TABLE notes");
    const writing = service.send(sentBy(["POST /notes/create", record]));
    const waiting = `SELECT FROM pg_locks WHERE NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND relation = 'notes'::regclass`;
    await eventually(async () => expect(await service.query(waiting)).toHaveLength(1));
    way?.stall();
    await service.query("COMMIT");
    const reply = await writing;
    expect([outcome(reply), reply.headers["retry-after"]]).toEqual(["503 HTTP_ERROR", undefined]);
    expect(await countRows(service, "notes")).toBe(1);
  });

  test("a handler that reads after it has written", async () => {
    act = async ({ db }) => {
      await db.notes.create({ body: "x" });
      way?.stall();
      await db.notes.count();
    };
    const reply = await service.send(sentBy(["POST /act", undefined]));
    expect([outcome(reply), reply.headers["retry-after"]]).toEqual(["503 HTTP_ERROR", undefined]);
    expect(await countRows(service, "notes")).toBe(1);
  });

  test("a handler that finds too many passwords in the queue after it has written", async () => {
    act = async ({ db }) => {
      await db.notes.create({ body: "x" });
      await Promise.all(
        Array.from({ length: 20 }, (_, at) => db.people.create({ name: `n${at}`, secret: password })),
      );
    };
    const reply = await service.send(sentBy(["POST /act", undefined]));
    expect([outcome(reply), reply.headers["retry-after"]]).toEqual(["503 HTTP_ERROR", undefined]);
    expect(await countRows(service, "notes")).toBe(1);
  });

  test.each([
    ["itself", 'createNotes(input: { body: "x" }) { id }'],
    ["and the mutation", 'createFolders(input: { name: "x" }) { id }'],
  ])("before_graphql that has written: %s", async (_, field) => {
    beforeGraphql = async (_, { db }) => {
      await db.notes.create({ body: "x" });
      way?.stall();
      if (field.includes("Notes")) await db.things.count();
    };
    const reply = await service.send({ ...graphql(`mutation { ${field} }`), headers });
    expect([outcome(reply), reply.headers["retry-after"]]).toEqual(["503 HTTP_ERROR", undefined]);
    expect(await countRows(service, "notes")).toBe(1);
  });

  test("after_graphql of a mutation, and of a query", async () => {
    afterGraphql = async (_, { db }) => {
      way?.stall();
      await db.things.count();
    };
    const mutation = 'mutation { createNotes(input: { body: "x" }) { id } }';
    const replies = [mutation, "{ things { id } }"].map((query) => ({ ...graphql(query), headers }));
    const told: unknown[] = [];
    for (const sent of replies) {
      const reply = await service.send(sent);
      told.push([outcome(reply), reply.headers["retry-after"]]);
    }
    expect(told).toEqual([
      ["503 HTTP_ERROR", undefined],
      ["503 HTTP_ERROR", "5"],
    ]);
    expect(await countRows(service, "notes")).toBe(1);
  });
});

const creating = { method: "POST", path: "/folders/create", body: { data: { name: "x" } } };
const fetching = { method: "GET", path: "/folders/fetch" };

// biome-ignore format: one case a line
test.each<[string, Parameters<typeof service.send>[0], AnyHooks]>([
  [
    "of its transaction",
    creating,
    { async before_create(_, { transaction }) {
        await transaction.raw("SELECT 1");
        way?.stall();
        await transaction.raw("SELECT 2");
      },
    },
  ],
  ["of sql in a mutation", creating, { before_create: (_, { sql }) => asking(() => sql`select 1`) }],
  ["of db in a mutation", creating, { before_create: (_, { db }) => asking(() => db.things.count()) }],
  ["of db in a read", fetching, { before_fetch: (_, { db }) => asking(() => db.things.fetch()) }],
  ["of a transaction in a read", fetching, { before_fetch: (_, { db }) => asking(() => db.transaction(async ({ sql }) => sql`select 1`)) }],
])("so is a caller who waits for what a hook asks %s", async (_, sent, hooks) => {
  staged = hooks;
  const reply = await service.send(sent, "admin");
  expect([outcome(reply), reply.headers["retry-after"]]).toEqual(["503 HTTP_ERROR", "5"]);
});

/** Asks once with an answer, and once without. */
async function asking(ask: () => Promise<unknown>): Promise<void> {
  await ask();
  way?.stall();
  await ask();
}
