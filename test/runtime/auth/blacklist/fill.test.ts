import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TestDatabase } from "../../../support/database.ts";
import { eventually } from "../../../support/eventually.ts";
import { hasRedis, type TestRedis, testRedis } from "../../../support/redis.ts";
import { blacklistDatabase, claims, token } from "./blacklist-table.ts";
import { type Process, startProcess } from "./service-process.ts";

const unavailable = { code: "AUTH_UNAVAILABLE", status: 503 };

let table: TestDatabase;
let redis: TestRedis;
let one: Process;
let two: Process;
/** What happens before a statement of `one`. */
let before: (name: string | null) => Promise<void>;

const settled = (process: Process, jti: string) => eventually(() => process.blacklist.has(claims(jti)));

/** Several to a moment, and expired ones before them, which nobody has purged. */
const store = (count: number) =>
  table.query(
    `INSERT INTO auth_token_blacklist (jti, expires_at)
     SELECT 'token ' || i, now() + interval '1 h' + i / 700 * interval '1 s' FROM generate_series(1, $1::int) i
     UNION ALL SELECT 'old ' || i, now() - i / 700 * interval '1 s' FROM generate_series(1, $1::int) i`,
    [count],
  );

describe.skipIf(!hasRedis)("filling Redis from the table", () => {
  beforeAll(async () => {
    redis = await testRedis();
    one = await startProcess(redis.url, table.url, (name) => before(name));
    two = await startProcess(redis.url, table.url);
  });

  beforeEach(async () => {
    before = async () => {};
    await table.query("TRUNCATE auth_token_blacklist");
    await redis.run("FLUSHALL");
  });

  test("10,000 tokens, by two processes at once: each with its time to live, and none that has expired", async () => {
    await store(10_000);
    const both = [settled(one, "token 10000"), settled(two, "token 1")];
    expect(await Promise.all(both)).toEqual([true, true]);
    // The sentinel, and perhaps the mark of the one that is not done.
    await eventually(async () => expect(await redis.run("DBSIZE")).toBe(10_001));
    expect(await redis.run("KEYS", "*old*")).toEqual([]);
    expect(await redis.run("PTTL", "kirak:blacklist:token 10000")).toSatisfy(
      (ms) => ms > 3_600_000 && ms < 3_615_000,
    );
    const lasting = "return #redis.call('KEYS', '*token*') - #redis.call('KEYS', '*')";
    expect(await redis.run("EVAL", lasting, 0)).toBe(-1);
    expect(await one.blacklist.has(claims("token"))).toBe(false);
  });

  test("many requests at once cause one fill, wait for it a short time, and not for ever", async () => {
    await store(1);
    await table.query("BEGIN; LOCK TABLE auth_token_blacklist");
    const statements: (string | null)[] = [];
    before = async (name) => void statements.push(name);
    const begin = performance.now();
    const all = await Promise.allSettled(
      Array.from({ length: 20 }, () => one.blacklist.has(claims("token 1"))),
    );
    expect(performance.now() - begin).toBeLessThan(900);
    expect(all).toEqual(
      all.map(() => ({ status: "rejected", reason: expect.objectContaining(unavailable) })),
    );
    expect(statements).toEqual([null, "kirak_auth_blacklist_fill"]);
    await table.query("COMMIT");
    expect(await settled(one, "token 1")).toBe(true);
  });

  test("flushed in the middle, it begins again", async () => {
    await store(1_200);
    let batches = 0;
    before = async (name) => {
      if (name === "kirak_auth_blacklist_fill" && ++batches === 3) await redis.run("FLUSHALL");
    };
    expect(await settled(one, "token 1")).toBe(true);
    expect(batches).toBe(3 + 4);
    expect(await redis.run("DBSIZE")).toBe(1_201);
  });

  test("flushed at its end, it begins again; and gives up where that goes on", async () => {
    await store(100);
    let batches = 0;
    let flushes = 1;
    before = async (name) => {
      if (name !== "kirak_auth_blacklist_fill" || ++batches % 2 === 1 || flushes-- <= 0) return;
      await redis.run("FLUSHALL");
    };
    expect(await settled(one, "token 1")).toBe(true);
    expect(batches).toBe(4);
    await redis.run("FLUSHALL");
    flushes = 3;
    await expect(one.blacklist.has(claims("token 1"))).rejects.toMatchObject({
      ...unavailable,
      cause: { message: expect.stringMatching(/emptied again and again/) },
    });
    expect(await settled(one, "token 1")).toBe(true);
  });

  test("a token that is being revoked in an open transaction is not missed", async () => {
    const asked = await two.database.transaction(async (transaction) => {
      await two.blacklist.add(token("open"), transaction);
      // The key of the token is gone, and nobody else can see its row.
      await redis.run("FLUSHALL");
      return one.blacklist.has(claims("open")).catch((error: unknown) => error);
    });
    expect(asked).toMatchObject(unavailable);
    expect(await settled(one, "open")).toBe(true);
    expect(await settled(two, "open")).toBe(true);
  });

  test("whatever is flushed meanwhile, no token is good again after it was revoked", async () => {
    let flushing = true;
    const flushes = (async () => {
      while (flushing) {
        await redis.run("FLUSHALL");
        await settled(one, "any");
      }
    })();
    const revoke = async (index: number) => {
      const [writer, reader] = index % 2 === 0 ? [one, two] : [two, one];
      const jti = `revoked ${index}`;
      if (index % 3 === 0) await writer.blacklist.add(token(jti));
      else await writer.database.transaction((transaction) => writer.blacklist.add(token(jti), transaction));
      for (let times = 0; times < 5; times++) expect(await settled(reader, jti)).toBe(true);
    };
    for (let round = 0; round < 20; round++)
      await Promise.all(Array.from({ length: 6 }, (_, index) => revoke(round * 6 + index)));
    flushing = false;
    await flushes;
  });
});

beforeAll(async () => {
  table = await blacklistDatabase();
});

afterAll(async () => {
  await one?.close();
  await two?.close();
});
