import { afterEach, beforeEach, expect, test } from "vitest";
import type { AnyHooks } from "../../runtime/hooks/index.ts";
import { account, accounts, apiKey, password, session } from "../support/accounts.ts";
import { eventually } from "../support/eventually.ts";
import { proxyTo, type TestProxy } from "../support/proxy.ts";
import { outcome } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";
import { tokenOf } from "../support/service-token.ts";
import { service as fixture } from "./fixture/generated/index.ts";

let way: TestProxy | undefined;
let staged: AnyHooks = {};
const hooks: AnyHooks = {
  before_fetch: (value, context) => staged.before_fetch?.(value, context),
  after_fetch: (value, context) => staged.after_fetch?.(value, context),
  before_create: (value, context) => staged.before_create?.(value, context),
};
const service = await testService(
  {},
  {
    served: {
      ...fixture,
      models: fixture.models.map((entry) => (entry.model.key === "folders" ? { ...entry, hooks } : entry)),
    },
    connecting: { answerTimeoutMs: 300, acquireTimeoutMs: 300 },
    async reach(url) {
      way = await proxyTo(url);
      return way.url;
    },
  },
);

const headers = { authorization: `Bearer ${tokenOf({ role: "admin", sub: "1" })}` };
const mine = session(1);
const rows = accounts([account(1)], [mine.row]);
const fetchThings = { method: "GET", path: "/things/fetch" };

beforeEach(async () => {
  await service.store(rows);
  expect(outcome(await service.send(fetchThings))).toBe("200");
});

afterEach(() => way?.mend());

const graphql = (query: string) => ({ method: "POST", path: "/graphql", body: { query } });

// A write is sent by a guest too: a credential is looked up first, and that is what would be missed.
test.each([
  ["a read", fetchThings, "503 HTTP_ERROR"],
  ["a count", { method: "GET", path: "/things/count" }, "503 HTTP_ERROR"],
  ["a query", graphql("{ things { id } }"), "503 HTTP_ERROR"],
  ["an aggregate", graphql("{ things_aggregate { count } }"), "503 HTTP_ERROR"],
  [
    "a login",
    { method: "POST", path: "/auth/login", body: { email: "user1@example.com", password } },
    "503 HTTP_ERROR",
  ],
  [
    "a refresh",
    { method: "POST", path: "/auth/refresh-token", body: { refreshToken: mine.token } },
    "503 HTTP_ERROR",
  ],
  ["a token", { ...fetchThings, headers }, "503 AUTH_UNAVAILABLE"],
  ["an API key", { ...fetchThings, headers: { "x-api-key": apiKey(1).key } }, "503 AUTH_UNAVAILABLE"],
])("%s is told to come back, and finds everything as before", async (_, sent, expected) => {
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

test.each([
  // Its statement carried the question of the credential, of which nothing was heard either.
  ["one record", { data: { body: "x" } }, "503 AUTH_UNAVAILABLE"],
  ["several", { data: [{ body: "x" }, { body: "y" }] }, "503 HTTP_ERROR"],
])("a write of %s that began before is told the same, and nobody is told more", async (_, body, expected) => {
  await service.query("BEGIN; LOCK TABLE notes");
  const writing = service.send({ method: "POST", path: "/notes/create", body }, "admin");
  const waiting = `SELECT FROM pg_locks WHERE NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND relation = 'notes'::regclass`;
  await eventually(async () => expect(await service.query(waiting)).toHaveLength(1));
  way?.stall();
  await service.query("COMMIT");
  const reply = await writing;
  expect([outcome(reply), reply.headers["retry-after"]]).toEqual([expected, "5"]);
});

const creating = { method: "POST", path: "/folders/create", body: { data: { name: "x" } } };
const fetching = { method: "GET", path: "/folders/fetch" };

test.each<[string, Parameters<typeof service.send>[0], AnyHooks]>([
  [
    "of its transaction",
    creating,
    {
      async before_create(_, { transaction }) {
        await transaction.raw("SELECT 1");
        way?.stall();
        await transaction.raw("SELECT 2");
      },
    },
  ],
  ["of sql in a mutation", creating, { before_create: (_, { sql }) => asking(() => sql`select 1`) }],
  ["of db in a mutation", creating, { before_create: (_, { db }) => asking(() => db.things.count()) }],
  ["of sql in a read", fetching, { before_fetch: (_, { sql }) => asking(() => sql`select 1`) }],
  ["of db in a read", fetching, { before_fetch: (_, { db }) => asking(() => db.things.fetch()) }],
  [
    "of db in a read, and writes",
    fetching,
    { after_fetch: (_, { db }) => asking(() => db.notes.create({ body: "x" })) },
  ],
  [
    "of a transaction in a read",
    fetching,
    { before_fetch: (_, { db }) => asking(() => db.transaction(async ({ sql }) => sql`select 1`)) },
  ],
])("so is whoever waits for what a hook asks %s", async (_, sent, hooks) => {
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
