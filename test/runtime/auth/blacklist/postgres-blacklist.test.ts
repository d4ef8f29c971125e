import { afterAll, beforeAll, expect, test } from "vitest";
import { PostgresBlacklist } from "#runtime/auth/blacklist/blacklist";
import { createDatabase, type Database } from "#runtime/database/index";
import type { TestDatabase } from "../../../support/database.ts";
import { proxyTo, type TestProxy } from "../../../support/proxy.ts";
import { silent } from "../../../support/silent-log.ts";
import { blacklistDatabase, claims, isCurrent, token } from "./blacklist-table.ts";

let own: TestDatabase;
let proxy: TestProxy;
let database: Database;
let blacklist: PostgresBlacklist;

beforeAll(async () => {
  own = await blacklistDatabase();
  proxy = await proxyTo(own.url);
  database = createDatabase({ url: proxy.url, maxConnections: 4, log: silent });
  blacklist = new PostgresBlacklist(database, isCurrent);
});

afterAll(() => database.close());

const rowsOf = (jti: string) => own.query("SELECT * FROM auth_token_blacklist WHERE jti = $1", [jti]);

test("knows what was added, and nothing else", async () => {
  await blacklist.add(token("gone"));
  expect(await blacklist.has(claims("gone"))).toBe(true);
  expect(await blacklist.has(claims("good"))).toBe(false);
});

test("stores the moment at which the token expires", async () => {
  await blacklist.add({ jti: "dated", exp: 4_102_444_800 });
  expect(await rowsOf("dated")).toMatchObject([{ expires_at: new Date("2100-01-01T00:00:00.000Z") }]);
});

test("takes the same token any number of times, also at once", async () => {
  await Promise.all(Array.from({ length: 8 }, () => blacklist.add(token("often"))));
  await blacklist.add(token("often"));
  expect(await rowsOf("often")).toHaveLength(1);
});

test("skips rows that have expired", async () => {
  await own.query(
    "INSERT INTO auth_token_blacklist (jti, expires_at) VALUES ('old', now() - interval '1 ms')",
  );
  expect(await blacklist.has(claims("old"))).toBe(false);
});

test("does not write a token that has expired", async () => {
  await blacklist.add(token("late", -1));
  expect(await rowsOf("late")).toEqual([]);
});

test("writes in the transaction that it is given", async () => {
  const undone = database.transaction(async (transaction) => {
    await blacklist.add(token("undone"), transaction);
    throw new Error("changed my mind");
  });
  await expect(undone).rejects.toThrow("changed my mind");
  expect(await blacklist.has(claims("undone"))).toBe(false);
  await database.transaction((transaction) => blacklist.add(token("done"), transaction));
  expect(await blacklist.has(claims("done"))).toBe(true);
});

test("is unavailable while the database is, and recovers by itself", async () => {
  await blacklist.add(token("kept"));
  const failure = { code: "AUTH_UNAVAILABLE", status: 503, cause: expect.any(Error) };
  proxy.cut();
  await expect(blacklist.has(claims("kept"))).rejects.toMatchObject(failure);
  await expect(blacklist.add(token("other"))).rejects.toMatchObject(failure);
  proxy.mend();
  expect(await blacklist.has(claims("kept"))).toBe(true);
});

test("is unavailable when a statement is cancelled", async () => {
  await own.query("BEGIN; LOCK TABLE auth_token_blacklist");
  // The rejection may come before anybody polls again.
  const refused = expect(blacklist.has(claims("kept"))).rejects.toMatchObject({
    code: "AUTH_UNAVAILABLE",
    cause: { code: "57014" },
  });
  const waiting = `SELECT pg_cancel_backend(pid) FROM pg_locks
    WHERE NOT granted AND relation = 'auth_token_blacklist'::regclass
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  await expect.poll(() => own.query(waiting)).toHaveLength(1);
  await refused;
  await own.query("ROLLBACK");
});
