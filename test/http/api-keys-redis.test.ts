import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiKeyCache } from "#runtime/auth/api-keys/api-keys";
import { connectCache } from "#runtime/cache/index";
import { account, accounts, apiKey } from "../support/accounts.ts";
import { eventually } from "../support/eventually.ts";
import { hasRedis, testRedis } from "../support/redis.ts";
import { outcome } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";
import { silent } from "../support/silent-log.ts";

describe.skipIf(!hasRedis)("API keys with Redis", async () => {
  const redis = hasRedis ? await testRedis() : null;
  if (redis === null) return;
  const cache = await connectCache(redis.url, silent);
  afterAll(() => cache.close());
  const service = await testService({}, { cache });

  const mine = apiKey(1, { id: 11 });
  const short = apiKey(1, { expires_at: new Date(Date.now() + 30_000).toISOString() });
  const path = "/tasks/fetch?select_fields=id";
  const own = [{ id: 1 }];
  const all = [{ id: 1 }, { id: 2 }];
  const entry = (hash: string) => `kirak:api-key:${hash}`;
  const fetching = (key = mine.key) => service.send({ method: "GET", path, headers: { "x-api-key": key } });
  const revoke = () =>
    service.send({ method: "DELETE", path: "/auth/api-keys/revoke", body: { id: 11 } }, "user");
  const lookUp = async (hash: string) => {
    const value = await redis.run("GET", entry(hash));
    expect(value).not.toBeNull();
    return JSON.parse(String(value));
  };
  const cached = (hash: string) => eventually(() => lookUp(hash));
  /** Until the service asks Redis again. */
  const caching = () =>
    eventually(async () => {
      await fetching();
      await lookUp(mine.hash);
    });
  const deactivate = () => service.query("UPDATE users SET is_active = false");

  beforeAll(async () => {
    await service.store(given());
    await caching();
  });
  beforeEach(async () => {
    await redis.run("FLUSHALL");
    await service.store(given());
  });

  function given() {
    const rows = [mine.row, short.row];
    const tasks = [
      { id: 1, title: "a", user: 1 },
      { id: 2, title: "b", user: 2 },
    ];
    return { ...accounts([account(1)], rows), tasks };
  }

  test("the owner is kept for a minute, and nothing of the key", async () => {
    expect((await fetching()).envelope.data).toEqual(own);
    expect(await cached(mine.hash)).toEqual({ user_id: "1", role: "user", email: "user1@example.com" });
    expect(await redis.run("PTTL", entry(mine.hash))).toSatisfy((ms) => ms > 55_000 && ms <= 60_000);
    expect(JSON.stringify(await redis.run("KEYS", "*"))).not.toContain(mine.key.slice(3));
    await deactivate();
    expect((await fetching()).envelope.data).toEqual(own);
  });

  test("never beyond its expiry", async () => {
    await fetching(short.key);
    await cached(short.hash);
    expect(await redis.run("PTTL", entry(short.hash))).toSatisfy((ms) => ms > 0 && ms <= 30_000);
  });

  test("what is refused is not kept", async () => {
    await deactivate();
    expect(outcome(await fetching())).toBe("401 INVALID_API_KEY");
    await service.query("UPDATE users SET is_active = true");
    expect(outcome(await fetching())).toBe("200");
  });

  test("a revoked key is forgotten", async () => {
    await fetching();
    await cached(mine.hash);
    expect(outcome(await revoke())).toBe("200");
    expect(outcome(await fetching())).toBe("401 INVALID_API_KEY");
  });

  test("a revoked key is not kept for who looked it up just before", async () => {
    const principal = { user_id: "1", role: "user", email: "" };
    const keys = new ApiKeyCache(cache.client, silent);
    await keys.forget(mine.hash);
    await keys.remember({ principal, hash: mine.hash, lifetimeMs: 60_000 });
    expect(await keys.find([mine.hash])).toBeNull();
  });

  test.each([
    ["no JSON", "{"],
    ["null", "null"],
    ["a list", "[]"],
    ["empty", ""],
    ["no id", JSON.stringify({ role: "admin", email: "" })],
    ["another id", JSON.stringify({ user_id: "1 OR 1=1", role: "admin", email: "" })],
    ["a number", JSON.stringify({ user_id: 1, role: "admin", email: "" })],
    ["no role", JSON.stringify({ user_id: "1", role: "", email: "" })],
    ["no e-mail", JSON.stringify({ user_id: "1", role: "admin", email: null })],
  ])("an entry that is not one of ours is not believed: %s", async (_, value) => {
    await redis.run("SET", entry(mine.hash), value);
    expect((await fetching()).envelope.data).toEqual(own);
  });

  test("an entry of another type", async () => {
    await redis.run("LPUSH", entry(mine.hash), "x");
    expect((await fetching()).envelope.data).toEqual(own);
    await redis.run("DEL", entry(mine.hash));
  });

  test("a Redis that was emptied is asked in vain, once", async () => {
    await fetching();
    await cached(mine.hash);
    await service.query("UPDATE users SET role = 'admin'");
    await redis.run("FLUSHALL");
    expect((await fetching()).envelope.data).toEqual(all);
    await cached(mine.hash);
  });

  test("a Redis that is gone: PostgreSQL answers; it is used again when it is back", async () => {
    await redis.kill();
    try {
      const replies = await Promise.all(Array.from({ length: 10 }, () => fetching()));
      expect(replies.map(outcome)).toEqual(Array(10).fill("200"));
      await deactivate();
      expect(outcome(await fetching())).toBe("401 INVALID_API_KEY");
    } finally {
      await redis.start();
    }
    await service.store(given());
    await caching();
  }, 30_000);

  test("a Redis that does not answer: one request waits for it, those after it do not", async () => {
    redis.pause();
    try {
      expect(outcome(await fetching())).toBe("200");
      const asked = vi.spyOn(cache.client, "mget");
      for (let count = 0; count < 10; count++) expect(outcome(await fetching())).toBe("200");
      expect(asked).not.toHaveBeenCalled();
      await deactivate();
      expect(outcome(await fetching())).toBe("401 INVALID_API_KEY");
    } finally {
      redis.resume();
    }
    await service.store(given());
    await caching();
  }, 30_000);

  test("an outage is logged once, and nothing of the key", async () => {
    const warnings = service.log.filter(({ msg }) => String(msg).includes("API keys"));
    expect(warnings.length).toBeGreaterThanOrEqual(2);
    expect(warnings.length).toBeLessThanOrEqual(4);
    expect(JSON.stringify(service.log)).not.toContain(mine.hash);
    expect(JSON.stringify(service.log)).not.toContain(mine.key);
  });
});
