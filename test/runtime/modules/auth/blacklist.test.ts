import pino from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connectCache, type Redis } from "#runtime/core/cache/index";
import { createDatabase, type Database } from "#runtime/core/database/index";
import {
  type IsCurrent,
  PostgresBlacklist,
  type TokenLookupClaims,
} from "#runtime/modules/auth/blacklist/blacklist";
import { RedisBlacklist } from "#runtime/modules/auth/blacklist/redis-blacklist";
import { service } from "../../../http/fixture/generated/index.ts";
import { serviceDatabase, type TestDatabase } from "../../../support/database.ts";
import { eventually } from "../../../support/eventually.ts";
import { proxyTo, type TestProxy } from "../../../support/proxy.ts";
import { hasRedis, type TestRedis, testRedis } from "../../../support/redis.ts";
import { silent } from "../../../support/silent-log.ts";

/** A database with the tables of the fixture, accounts included. */
async function blacklistDatabase(): Promise<TestDatabase> {
  return serviceDatabase(service);
}

/** A token of which a test wants nothing but that it can be revoked. */
function token(jti: string, secondsLeft = 3600): { jti: string; exp: number } {
  return { jti, exp: Math.floor(Date.now() / 1000) + secondsLeft };
}

/** The claims of a token that the blacklist looks at. */
function claims(jti: string, sub = "7", iat = Math.floor(Date.now() / 1000)): TokenLookupClaims {
  return { jti, sub, iat };
}

/** Of tokens that this service did not make: by their second. */
const isCurrent: IsCurrent = ({ iat }, { credentialsChangedAt: changed }) =>
  changed === null || iat > Math.floor(Date.parse(changed) / 1000);

/** One process of a service: its own connections, and its own blacklist on them. */
interface Process {
  readonly blacklist: RedisBlacklist;
  readonly redis: Redis;
  readonly database: Database;
  /** Messages so far. */
  readonly log: string[];
  close(): Promise<void>;
}

/** `watch` sees each statement of the blacklist before it runs. */
async function startProcess(
  redisUrl: string,
  databaseUrl: string,
  watch: (name: string | null) => Promise<void> = async () => {},
): Promise<Process> {
  const log: string[] = [];
  const write = (line: string) => void log.push(JSON.parse(line).msg);
  const cache = await connectCache(redisUrl, silent);
  const database = createDatabase({ url: databaseUrl, maxConnections: 8, log: silent });
  const watched: Database = {
    ...database,
    run: async (statement, values) => {
      await watch(statement.name);
      return database.run(statement, values);
    },
  };
  return {
    blacklist: new RedisBlacklist(cache.client, watched, isCurrent, pino({}, { write })),
    redis: cache.client,
    database,
    log,
    async close() {
      await cache.close();
      await database.close();
    },
  };
}

let own: TestDatabase;

let database: Database;

let blacklist: PostgresBlacklist;

const rowsOf = (jti: string) => own.query("SELECT * FROM auth_token_blacklist WHERE jti = $1", [jti]);

describe("a blacklist in PostgreSQL", () => {
  beforeAll(async () => {
    own = await blacklistDatabase();
    database = createDatabase({ url: own.url, maxConnections: 4, log: silent });
    blacklist = new PostgresBlacklist(database, isCurrent);
  });

  afterAll(() => database.close());

  test("stores the moment at which the token expires", async () => {
    await blacklist.add([{ jti: "dated", exp: 4_102_444_800 }]);
    expect(await rowsOf("dated")).toMatchObject([{ expires_at: new Date("2100-01-01T00:00:00.000Z") }]);
  });

  test("takes the same token any number of times, also at once", async () => {
    await Promise.all(Array.from({ length: 8 }, () => blacklist.add([token("often")])));
    await blacklist.add([token("often")]);
    expect(await rowsOf("often")).toHaveLength(1);
  });

  test("does not write a token that has expired", async () => {
    await blacklist.add([token("late", -1)]);
    expect(await rowsOf("late")).toEqual([]);
  });

  test("writes in the transaction that it is given", async () => {
    const undone = database.transaction(async (transaction) => {
      await blacklist.add([token("undone")], transaction);
      throw new Error("changed my mind");
    });
    await expect(undone).rejects.toThrow("changed my mind");
    expect(await blacklist.has(claims("undone"))).toBe(false);
    await database.transaction((transaction) => blacklist.add([token("done")], transaction));
    expect(await blacklist.has(claims("done"))).toBe(true);
  });
});

const unavailable = { code: "AUTH_UNAVAILABLE", status: 503, cause: expect.any(Error) };

let table: TestDatabase;
let proxy: TestProxy;
let redis: TestRedis;
let one: Process;
let two: Process;

/** Until the store can tell: then the answer must be right at once. */
const settled = (process: Process, jti: string) => eventually(() => process.blacklist.has(claims(jti)));

describe.skipIf(!hasRedis)("a blacklist in Redis", () => {
  beforeAll(async () => {
    table = await blacklistDatabase();
    redis = await testRedis();
    proxy = await proxyTo(table.url);
    one = await startProcess(redis.url, proxy.url);
    two = await startProcess(redis.url, proxy.url);
  });

  afterAll(async () => {
    await one?.close();
    await two?.close();
  });

  beforeEach(() => table.query("TRUNCATE auth_token_blacklist"));

  test("an entry that one process added is known to all, and nothing else is", async () => {
    await one.blacklist.add([token("gone")]);
    expect(await settled(one, "gone")).toBe(true);
    expect(await settled(two, "gone")).toBe(true);
    expect(await settled(two, "good")).toBe(false);
    expect(await table.query("SELECT jti FROM auth_token_blacklist")).toEqual([{ jti: "gone" }]);
  });

  test("keeps a key for as long as its token is good", async () => {
    await one.blacklist.add([token("short", 100)]);
    expect(await redis.run("PTTL", "kirak:blacklist:short")).toSatisfy((ms) => ms > 98_000 && ms <= 100_000);
    await one.blacklist.add([token("late", 0)]);
    expect(await redis.run("EXISTS", "kirak:blacklist:late")).toBe(0);
    expect(await table.query("SELECT jti FROM auth_token_blacklist")).toEqual([{ jti: "short" }]);
  });

  test("is asked in one round trip", async () => {
    await settled(one, "any");
    await redis.run("CONFIG", "RESETSTAT");
    await Promise.all(Array.from({ length: 10 }, (_, index) => one.blacklist.has(claims(`token ${index}`))));
    const stats = String(await redis.run("INFO", "commandstats"));
    expect(
      stats.match(/cmdstat_[a-z|]+:calls=\d+/g)?.filter((line) => !/client|config|info|hello/.test(line)),
    ).toEqual(["cmdstat_mget:calls=10"]);
  });

  test("if the transaction is rolled back, the token stays revoked only in Redis", async () => {
    const undone = one.database.transaction(async (transaction) => {
      await one.blacklist.add([token("undone")], transaction);
      throw new Error("changed my mind");
    });
    await expect(undone).rejects.toThrow("changed my mind");
    expect(await settled(one, "undone")).toBe(true);
    expect(await table.query("SELECT jti FROM auth_token_blacklist")).toEqual([]);
  });

  test("Redis killed: no token is accepted; after an empty restart it is filled before it is queried", async () => {
    await one.blacklist.add([token("gone")]);
    await redis.kill();
    await expect(one.blacklist.has(claims("gone"))).rejects.toMatchObject(unavailable);
    await expect(one.blacklist.has(claims("good"))).rejects.toMatchObject(unavailable);
    await expect(one.blacklist.add([token("other")])).rejects.toMatchObject(unavailable);
    await redis.start();
    expect(await Promise.all([settled(one, "gone"), settled(two, "gone")])).toEqual([true, true]);
    expect(await settled(one, "good")).toBe(false);
    // It was refused, but the table has it.
    expect(await one.blacklist.has(claims("other"))).toBe(true);
  });

  test("Redis restarted with an old snapshot: newer entries are not lost", async () => {
    await settled(one, "good");
    await redis.run("SAVE");
    await one.blacklist.add([token("newer")]);
    await redis.kill();
    await redis.start();
    expect(await redis.run("EXISTS", "kirak:blacklist:ready")).toBe(1);
    expect(await settled(one, "newer")).toBe(true);
    expect(await settled(two, "newer")).toBe(true);
  });

  test("Redis slow: answers come in time, and are right when it goes on", async () => {
    await one.blacklist.add([token("gone")]);
    // What is not there is known only when Redis was filled.
    await settled(one, "good");
    redis.pause();
    const begin = performance.now();
    await expect(one.blacklist.has(claims("gone"))).rejects.toMatchObject(unavailable);
    await expect(one.blacklist.add([token("slow")])).rejects.toMatchObject(unavailable);
    expect(performance.now() - begin).toBeLessThan(5_000);
    redis.resume();
    expect(await settled(one, "gone")).toBe(true);
    expect(await settled(one, "good")).toBe(false);
  });

  test("PostgreSQL down: a filled Redis still answers, nothing can be added, an empty one is not trusted", async () => {
    await one.blacklist.add([token("gone")]);
    // What is not there is known only when Redis was filled.
    await settled(one, "good");
    proxy.cut();
    expect(await one.blacklist.has(claims("gone"))).toBe(true);
    expect(await one.blacklist.has(claims("good"))).toBe(false);
    await expect(one.blacklist.add([token("unwritten")])).rejects.toMatchObject(unavailable);
    expect(await redis.run("EXISTS", "kirak:blacklist:unwritten")).toBe(0);
    await redis.run("FLUSHALL");
    one.log.length = 0;
    for (const jti of ["gone", "good", "good"])
      await expect(one.blacklist.has(claims(jti))).rejects.toMatchObject(unavailable);
    proxy.mend();
    expect(await settled(one, "gone")).toBe(true);
    expect(one.log).toEqual([
      "the blacklist of tokens cannot be copied to Redis",
      "the blacklist of tokens was copied to Redis",
    ]);
  });

  test("a Redis whose eviction policy drops keys causes a warning", async () => {
    await redis.run("CONFIG", "SET", "maxmemory", "100mb", "maxmemory-policy", "volatile-lru");
    const third = await startProcess(redis.url, table.url);
    await settled(third, "any");
    expect(third.log).toContainEqual(expect.stringMatching(/^Redis can evict revoked tokens/));
    expect(one.log).not.toContainEqual(expect.stringMatching(/evict/));
    await third.close();
  });
});

/** What happens before a statement of `one`. */
let before: (name: string | null) => Promise<void>;

/** Several per moment, after expired ones that no purge has removed. */
const store = (count: number) =>
  table.query(
    `INSERT INTO auth_token_blacklist (jti, expires_at)
     SELECT 'token ' || i, now() + interval '1 h' + i / 700 * interval '1 s' FROM generate_series(1, $1::int) i
     UNION ALL SELECT 'old ' || i, now() - i / 700 * interval '1 s' FROM generate_series(1, $1::int) i`,
    [count],
  );

describe.skipIf(!hasRedis)("filling Redis from the table", () => {
  beforeAll(async () => {
    table = await blacklistDatabase();
    redis = await testRedis();
    one = await startProcess(redis.url, table.url, (name) => before(name));
    two = await startProcess(redis.url, table.url);
  });

  afterAll(async () => {
    await one?.close();
    await two?.close();
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
      cause: { message: expect.stringMatching(/emptied repeatedly/) },
    });
    expect(await settled(one, "token 1")).toBe(true);
  });

  test("a token that is being revoked in an open transaction is not missed", async () => {
    const asked = await two.database.transaction(async (transaction) => {
      await two.blacklist.add([token("open")], transaction);
      // The key of the token is gone, and other connections cannot see its row.
      await redis.run("FLUSHALL");
      return one.blacklist.has(claims("open")).catch((error: unknown) => error);
    });
    expect(asked).toMatchObject(unavailable);
    expect(await settled(one, "open")).toBe(true);
    expect(await settled(two, "open")).toBe(true);
  });

  test("no flush makes a revoked token valid again", async () => {
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
      if (index % 3 === 0) await writer.blacklist.add([token(jti)]);
      else
        await writer.database.transaction((transaction) => writer.blacklist.add([token(jti)], transaction));
      for (let times = 0; times < 5; times++) expect(await settled(reader, jti)).toBe(true);
    };
    for (let round = 0; round < 20; round++)
      await Promise.all(Array.from({ length: 6 }, (_, index) => revoke(round * 6 + index)));
    flushing = false;
    await flushes;
  });
});
