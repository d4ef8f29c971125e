import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TestDatabase } from "../../../support/database.ts";
import { eventually } from "../../../support/eventually.ts";
import { proxyTo, type TestProxy } from "../../../support/proxy.ts";
import { hasRedis, type TestRedis, testRedis } from "../../../support/redis.ts";
import { blacklistDatabase, claims, token } from "./blacklist-table.ts";
import { type Process, startProcess } from "./service-process.ts";

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
    redis = await testRedis();
    proxy = await proxyTo(table.url);
    one = await startProcess(redis.url, proxy.url);
    two = await startProcess(redis.url, proxy.url);
  });

  beforeEach(() => table.query("TRUNCATE auth_token_blacklist"));

  test("knows in each process what was added in one, and nothing else", async () => {
    await one.blacklist.add(token("gone"));
    expect(await settled(one, "gone")).toBe(true);
    expect(await settled(two, "gone")).toBe(true);
    expect(await settled(two, "good")).toBe(false);
    expect(await table.query("SELECT jti FROM auth_token_blacklist")).toEqual([{ jti: "gone" }]);
  });

  test("keeps a key for as long as its token is good", async () => {
    await one.blacklist.add(token("short", 100));
    expect(await redis.run("PTTL", "kirak:blacklist:short")).toSatisfy((ms) => ms > 98_000 && ms <= 100_000);
    await one.blacklist.add(token("late", 0));
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

  test("in a transaction that is undone the token stays revoked in Redis alone", async () => {
    const undone = one.database.transaction(async (transaction) => {
      await one.blacklist.add(token("undone"), transaction);
      throw new Error("changed my mind");
    });
    await expect(undone).rejects.toThrow("changed my mind");
    expect(await settled(one, "undone")).toBe(true);
    expect(await table.query("SELECT jti FROM auth_token_blacklist")).toEqual([]);
  });

  test("Redis killed: nobody is let through; started again empty, it is filled before it is asked", async () => {
    await one.blacklist.add(token("gone"));
    await redis.kill();
    await expect(one.blacklist.has(claims("gone"))).rejects.toMatchObject(unavailable);
    await expect(one.blacklist.has(claims("good"))).rejects.toMatchObject(unavailable);
    await expect(one.blacklist.add(token("other"))).rejects.toMatchObject(unavailable);
    await redis.start();
    expect(await Promise.all([settled(one, "gone"), settled(two, "gone")])).toEqual([true, true]);
    expect(await settled(one, "good")).toBe(false);
    // It was refused, but the table has it.
    expect(await one.blacklist.has(claims("other"))).toBe(true);
  });

  test("Redis started again with an old snapshot: what is newer is not forgotten", async () => {
    await settled(one, "good");
    await redis.run("SAVE");
    await one.blacklist.add(token("newer"));
    await redis.kill();
    await redis.start();
    expect(await redis.run("EXISTS", "kirak:blacklist:ready")).toBe(1);
    expect(await settled(one, "newer")).toBe(true);
    expect(await settled(two, "newer")).toBe(true);
  });

  test("Redis slow: answers come in time, and are right when it goes on", async () => {
    await one.blacklist.add(token("gone"));
    // What is not there is known only when Redis was filled.
    await settled(one, "good");
    redis.pause();
    const begin = performance.now();
    await expect(one.blacklist.has(claims("gone"))).rejects.toMatchObject(unavailable);
    await expect(one.blacklist.add(token("slow"))).rejects.toMatchObject(unavailable);
    expect(performance.now() - begin).toBeLessThan(5_000);
    redis.resume();
    expect(await settled(one, "gone")).toBe(true);
    expect(await settled(one, "good")).toBe(false);
  });

  test("PostgreSQL down: a filled Redis still tells, nothing can be added, an empty one is not believed", async () => {
    await one.blacklist.add(token("gone"));
    // What is not there is known only when Redis was filled.
    await settled(one, "good");
    proxy.cut();
    expect(await one.blacklist.has(claims("gone"))).toBe(true);
    expect(await one.blacklist.has(claims("good"))).toBe(false);
    await expect(one.blacklist.add(token("unwritten"))).rejects.toMatchObject(unavailable);
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

  test("a Redis that makes room by dropping keys is warned of", async () => {
    await redis.run("CONFIG", "SET", "maxmemory", "100mb", "maxmemory-policy", "volatile-lru");
    const third = await startProcess(redis.url, table.url);
    await settled(third, "any");
    expect(third.log).toContainEqual(expect.stringMatching(/^Redis may evict revoked tokens/));
    expect(one.log).not.toContainEqual(expect.stringMatching(/evict/));
    await third.close();
  });
});

beforeAll(async () => {
  table = await blacklistDatabase();
});

afterAll(async () => {
  await one?.close();
  await two?.close();
});
