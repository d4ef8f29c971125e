import { once } from "node:events";
import express, { type Response } from "express";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Database, Queryable } from "#runtime/core/database/index";
import { createHttpServer, createServer } from "#runtime/index";
import { listen } from "#runtime/process/http-lifecycle";
import {
  bearer,
  given,
  requestOf,
  requests,
  tokenPair,
  tracesIn,
} from "../../support/credential-requests.ts";
import { eventually, passesBefore } from "../../support/eventually.ts";
import { proxyTo, type TestProxy } from "../../support/proxy.ts";
import { type Reply, sendRequest } from "../../support/request.ts";
import { expectEnvelope, outcome } from "../../support/scenarios.ts";
import { type FixturePeers, testService } from "../../support/service.ts";
import { silent } from "../../support/silent-log.ts";
import { holdAll } from "../../support/turns.ts";
import { service as fixture } from "../fixture/generated/index.ts";
import { stage } from "../fixture/stage.ts";

/** Where no hook of GraphQL asks for the caller beforehand. */
const served = { ...fixture, graphql: { ...fixture.graphql, hooks: {} } };
const unavailable = "503 AUTH_UNAVAILABLE";

let way: TestProxy | undefined;
/** The names of what is asked, in its order. */
const asked: string[] = [];
/** Those that failed: operators alert on errors in PostgreSQL's log. */
const failed: string[] = [];
const noting =
  ({ run }: Queryable): Queryable["run"] =>
  (statement, values) => {
    const name = statement.name ?? statement.text;
    asked.push(name);
    return run(statement, values).catch((error: unknown) => {
      failed.push(name);
      throw error;
    });
  };
const watch = (database: Database): Database => ({
  ...database,
  run: noting(database),
  readsOf: (caller) => ({ run: noting(database.readsOf(caller)) }),
});
const peers: FixturePeers = {
  served,
  connecting: { answerTimeoutMs: 300, acquireTimeoutMs: 1_000 },
  watch,
  async reach(url) {
    way = await proxyTo(url);
    return way.url;
  },
};
const service = await testService({}, peers);
const traces = await tracesIn(service);

/** One that may not read the table, as another role than the owner of all. */
const unread = await testService(
  {},
  {
    served,
    async reach(url) {
      const client = new pg.Client(url);
      await client.connect();
      await client.query("GRANT ALL ON ALL TABLES IN SCHEMA public TO pg_monitor");
      await client.query("GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO pg_monitor");
      await client.query("REVOKE ALL ON auth_token_blacklist FROM pg_monitor");
      await client.end();
      return `${url}?options=-c%20role%3Dpg_monitor`;
    },
  },
);

beforeEach(() => Object.assign(stage, { hooks: {}, fired: [] }));
afterEach(async () => {
  way?.mend();
  await service.query("ROLLBACK");
  Object.assign(stage, { hooks: {}, fired: [] });
});

const guests = { method: "GET", path: "/things/fetch" };

function expectUnavailable(reply: Reply): void {
  expectEnvelope(reply);
  expect([outcome(reply), reply.headers["retry-after"]]).toEqual([unavailable, "5"]);
  expect(reply.headers["cache-control"]).toBeUndefined();
  // Not whose token it was, nor where it was not found.
  expect(reply.text).not.toMatch(/blacklist|table|connection|user/i);
}

/** Those that wait for the look-up, and those whose reads travel with it. */
// biome-ignore format: many a line
const someRequests = [
  "tasks, admin: fetch", "tasks, admin: create", "tasks, admin: bulk create", "hooked, admin: fetch", "a password: create", "GraphQL: a list",
  "GraphQL: __typename", "GraphQL: create",
];

// biome-ignore format: one case a line
describe.each([
  ["that is missing", service, "ALTER TABLE auth_token_blacklist RENAME TO elsewhere", "ALTER TABLE elsewhere RENAME TO auth_token_blacklist",
    requests],
  ["that may not be read", unread, "REVOKE ALL ON auth_token_blacklist FROM pg_monitor", "GRANT ALL ON auth_token_blacklist TO pg_monitor",
    someRequests.map(requestOf)],
])("a table of revoked tokens %s", async (_, { send, query, store, log }, away, back, asking) => {
  const look = await tracesIn({ query });

  test("until it is back, requests with tokens fail without effects, and guests are served", async () => {
    for (const { name, as, sent } of asking) {
      const pair = tokenPair(as);
      await store({ ...given, auth_token_blacklist: [pair.row] });
      const before = await look();
      await query(away);
      for (const token of [pair.good, pair.revoked])
        expectUnavailable(await send({ ...sent, headers: bearer(token) }));
      expect(outcome(await send(guests))).toBe("200");
      await query(back);
      expect(await look(), name).toEqual(before);
      expect(outcome(await send({ ...sent, headers: bearer(pair.revoked) })), name).toBe("401 TOKEN_REVOKED");
      expect(outcome(await send({ ...sent, headers: bearer(pair.good) })), name).toBe("200");
      stage.fired = [];
    }
    const failures = log.filter(({ status }) => status === 503);
    expect(failures).toHaveLength(2 * asking.length);
    for (const line of failures) {
      expect(line).toMatchObject({ error: "AUTH_UNAVAILABLE", err: { type: "DatabaseError" } });
      expect(line).not.toHaveProperty("user_id");
    }
  });
});

/**
 * Locks a table, and waits until the request waits for it; a connection that was lost before is found out by the first one that
 * uses it. Gives the process that waits too.
 */
async function waiterFor(table: string, send: () => Promise<Reply>) {
  await service.query(`BEGIN; LOCK TABLE ${table}`);
  const text = `SELECT pid FROM pg_locks WHERE NOT granted AND relation = '${table}'::regclass`;
  const waiters = async () => (await service.query(text)).map(({ pid }) => Number(pid));
  for (;;) {
    const known = await waiters();
    const found = { pid: 0 };
    const reply = send();
    const isWaiting = await passesBefore(reply, async () => {
      found.pid = (await waiters()).find((pid) => !known.includes(pid)) ?? 0;
      expect(found.pid).not.toBe(0);
    });
    if (isWaiting) return { reply, pid: found.pid };
  }
}

describe("a connection that is lost while the question is out", () => {
  const asks = "auth_token_blacklist";

  test.each(someRequests)(
    "%s: told to come back, nothing is done, and all is well afterwards",
    async (name) => {
      const { as, sent } = requestOf(name);
      await service.store(given);
      const before = await traces();
      const send = () => service.send(sent, as);
      for (const loss of ["cut", "stall"] as const) {
        const { reply } = await waiterFor(asks, send);
        way?.[loss]();
        await service.query("COMMIT");
        expectUnavailable(await reply);
        way?.mend();
        expect(await traces()).toEqual(before);
      }
      await eventually(async () => expect(outcome(await send())).toBe("200"));
      expect(service.pool.connections().used).toBe(0);
    },
  );

  test.each(["pg_cancel_backend", "pg_terminate_backend"])("%s: it writes nothing", async (end) => {
    const { as, sent } = requestOf("tasks, admin: create");
    await service.store(given);
    const before = await traces();
    const { reply, pid } = await waiterFor(asks, () => service.send(sent, as));
    await service.query(`SELECT ${end}($1)`, [pid]);
    expectUnavailable(await reply);
    await service.query("COMMIT");
    expect(await traces()).toEqual(before);
  });
});

describe("a statement that is lost once the question was answered", () => {
  const ends = ["pg_cancel_backend", "pg_terminate_backend"];

  test.each(ends)("%s: it is the database that failed, and the caller is known", async (end) => {
    const { as, sent } = requestOf("tasks, admin: create");
    await service.store(given);
    const before = await traces();
    const { reply, pid } = await waiterFor("tasks", () => service.send(sent, as));
    await service.query(`SELECT ${end}($1)`, [pid]);
    const told = await reply;
    await service.query("COMMIT");
    expect(outcome(told)).toBe("500 DATABASE_ERROR");
    expect(told.headers["cache-control"]).toBe("no-store");
    expect(await traces()).toEqual(before);
    await eventually(() => expect(service.log.at(-1)).toMatchObject({ status: 500, user_id: "1" }));
  });
});

describe("each request queries it once, for any outcome, since a second query would wait again", () => {
  const lookUp = "kirak_auth_blacklist_has";
  const both = [lookUp, expect.not.stringContaining("blacklist")];

  async function toldAndAsked(name: string, token: string): Promise<readonly [string, readonly string[]]> {
    asked.length = 0;
    failed.length = 0;
    const reply = await service.send({ ...requestOf(name).sent, headers: bearer(token) });
    return [outcome(reply), [...asked]];
  }

  test.each(["tasks, admin: fetch", "GraphQL: a list", "GraphQL: an aggregate"])(
    "a read is sent along with it: %s",
    async (name) => {
      const pair = tokenPair(requestOf(name).as);
      await service.store({ ...given, auth_token_blacklist: [pair.row] });
      expect(await toldAndAsked(name, pair.revoked)).toEqual(["401 TOKEN_REVOKED", both]);
      expect(failed).toEqual([]);
      expect(await toldAndAsked(name, pair.good)).toEqual(["200", both]);
      await service.query("ALTER TABLE auth_token_blacklist RENAME TO elsewhere");
      expect(await toldAndAsked(name, pair.good)).toEqual([unavailable, both]);
      await service.query("ALTER TABLE elsewhere RENAME TO auth_token_blacklist");
    },
  );

  // biome-ignore format: many a line
  test.each([
    "tasks, admin: create", "tasks, admin: bulk create", "hooked, admin: fetch", "GraphQL: create", "GraphQL: __typename",
  ])("all else waits for it: %s", async (name) => {
    const pair = tokenPair(requestOf(name).as);
    const itself = [lookUp];
    await service.store({ ...given, auth_token_blacklist: [pair.row] });
    expect(await toldAndAsked(name, pair.revoked)).toEqual(["401 TOKEN_REVOKED", itself]);
    expect(failed).toEqual([]);
    const [told, questions] = await toldAndAsked(name, pair.good);
    expect(told).toBe("200");
    expect(questions.filter((names) => names.includes("blacklist"))).toEqual(itself);
    await service.query("ALTER TABLE auth_token_blacklist RENAME TO elsewhere");
    expect(await toldAndAsked(name, pair.good)).toEqual([unavailable, itself]);
    await service.query("ALTER TABLE elsewhere RENAME TO auth_token_blacklist");
  });

  test("a token known to be revoked is not looked up again, by any route", async () => {
    const known = [tokenPair("admin"), tokenPair("admin")];
    const [create, fetch, fresh] = [
      "tasks, admin: bulk create",
      "tasks, admin: fetch",
      tokenPair("admin"),
    ] as const;
    await service.store({ ...given, auth_token_blacklist: [...known, fresh].map(({ row }) => row) });
    for (const [index, name] of [create, fetch].entries())
      expect(await toldAndAsked(name, known[index]?.revoked ?? "")).toEqual([
        "401 TOKEN_REVOKED",
        name === fetch ? both : [lookUp],
      ]);
    await service.query("ALTER TABLE auth_token_blacklist RENAME TO elsewhere");
    for (const { revoked } of known)
      for (const { name } of requests)
        expect(await toldAndAsked(name, revoked), name).toEqual(["401 TOKEN_REVOKED", []]);
    // Of all others that says nothing.
    for (const token of [fresh.revoked, fresh.good])
      expect(await toldAndAsked(fetch, token)).toEqual([unavailable, both]);
    await service.query("ALTER TABLE elsewhere RENAME TO auth_token_blacklist");
    expect(await toldAndAsked(fetch, fresh.good)).toEqual(["200", both]);
    expect(await toldAndAsked(fetch, fresh.revoked)).toEqual(["401 TOKEN_REVOKED", both]);
  });

  test("where all connections are taken, and where nothing is heard", async () => {
    const [name, { good }] = ["tasks, admin: fetch", tokenPair("admin")];
    await service.store(given);
    const release = await holdAll(service);
    expect(await toldAndAsked(name, good)).toEqual([unavailable, both]);
    await release();
    expect(await toldAndAsked(name, good)).toEqual(["200", both]);
    way?.freeze();
    expect(await toldAndAsked(name, good)).toEqual([unavailable, both]);
    way?.mend();
    await eventually(async () => expect(await toldAndAsked(name, good)).toEqual(["200", both]));
  });
});

test("middleware around the service can respond before the result is known", async () => {
  const before: Response[] = [];
  const app = express()
    .use((_, response, next) => {
      before.push(response);
      next();
    })
    .use(createServer(served, { config: service.config, database: service.pool, log: silent }));
  const server = createHttpServer(app);
  const origin = await listen(server, 0, "127.0.0.1");
  const { as, sent } = requestOf("tasks, admin: create");
  await service.store(given);
  expect((await sendRequest(origin, guests)).status).toBe(200);
  const { reply, pid } = await waiterFor("tasks", () =>
    sendRequest(origin, { ...sent, headers: bearer(tokenPair(as).good) }),
  );
  before.at(-1)?.status(504).json({ statusCode: 504 });
  expect((await reply).status).toBe(504);
  await service.query("COMMIT");
  // The connection is given back as it was, and the process goes on.
  await eventually(() => expect(service.pool.connections().used).toBe(0));
  const same = { name: null, text: "SELECT pg_backend_pid()" };
  expect(await service.pool.run(same, [])).toEqual([[String(pid)]]);
  expect((await sendRequest(origin, guests)).status).toBe(200);
  server.close();
  server.closeAllConnections();
  await once(server, "close");
});
