import { createHmac, createSecretKey } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { connectCache } from "#runtime/core/cache/index";
import { ApiKeyCache } from "#runtime/modules/auth/api-keys/api-key-cache";
import { account, accounts, apiKey, countRows } from "../support/accounts.ts";
import { eventually } from "../support/eventually.ts";
import { hasRedis, testRedis } from "../support/redis.ts";
import { outcome, type Scenario, scenarios } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";
import { tokenOf } from "../support/service-token.ts";
import { silent } from "../support/silent-log.ts";

const service = await testService({ auth: { cookieName: "session" } });

const mine = apiKey(1, { id: 11 });
const expired = apiKey(1, { expires_at: new Date(Date.now() - 1000).toISOString() });
const idle = apiKey(2);
const boss = apiKey(3);
const refresh = apiKey(1, { token_type: "refresh" });
const foreign = apiKey(1, {}, "the secret of another service, not of this");
// biome-ignore format: several rows a line
const given = {
  ...accounts(
    [account(1), account(2, { is_active: false }), account(3, { role: "admin", email: null })],
    [mine, expired, idle, boss, refresh, foreign].map(({ row }) => row),
  ),
  tasks: [{ id: 1, title: "a", user: 1 }, { id: 2, title: "b", user: 3 }],
};
const path = "/tasks/fetch?select_fields=id";
const own = [{ id: 1 }];
const all = [{ id: 1 }, { id: 2 }];

const using = (
  name: string,
  headers: NonNullable<Scenario["headers"]>,
  expected: Partial<Scenario>,
): Scenario => ({ name, given, send: `GET ${path}`, headers, ...expected });
const refused = { fails: "401 INVALID_API_KEY" };
const fetching = (key: string) => service.send({ method: "GET", path, headers: { "x-api-key": key } });

describe("an API key on a model route", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    using("in X-API-Key", { "x-api-key": mine.key }, { data: own }),
    using("as a Bearer value", { authorization: `Bearer ${mine.key}` }, { data: own }),
    using("of an administrator without an e-mail", { "x-api-key": boss.key }, { data: all }),
    using("an unknown one", { "x-api-key": apiKey(1).key }, refused),
    using("an expired one", { "x-api-key": expired.key }, refused),
    using("of an inactive user", { "x-api-key": idle.key }, refused),
    using("the hash of another kind of token", { "x-api-key": refresh.key }, refused),
    using("hashed with another secret", { "x-api-key": foreign.key }, refused),
    using("the stored hash", { "x-api-key": mine.hash }, refused),
    using("in capitals", { "x-api-key": mine.key.toUpperCase() }, refused),
    using("with a blank inside", { "x-api-key": mine.key.replace("_", "_ ") }, refused),
    using("twice", { "x-api-key": [mine.key, mine.key] }, refused),
    using("empty", { "x-api-key": "" }, refused),
    using("the Bearer token wins", { authorization: `Bearer ${tokenOf("admin")}`, "x-api-key": mine.key }, { data: all }),
    using("a broken Bearer token wins as well", { authorization: "Bearer x", "x-api-key": mine.key }, { fails: "401 INVALID_TOKEN" }),
    using("over the cookie", { cookie: `session=${tokenOf("admin")}`, "x-api-key": mine.key }, { data: own }),
    using("a broken one over the cookie", { cookie: `session=${tokenOf("admin")}`, "x-api-key": "kk_" }, refused),
    using("in the cookie it is no key", { cookie: `session=${mine.key}` }, { fails: "401 INVALID_TOKEN" }),
  ]);

  test("acts with the role of now, and not at all once its user is gone", async () => {
    await service.store(given);
    await service.query("UPDATE users SET role = 'admin' WHERE id = 1");
    expect((await fetching(mine.key)).envelope.data).toEqual(all);
    await service.query("DELETE FROM users WHERE id = 1");
    expect(outcome(await fetching(mine.key))).toBe("401 INVALID_API_KEY");
  });

  test("notes its use once a minute", async () => {
    await service.store(given);
    const used = async () =>
      (await service.query("SELECT last_used_at::text AS at FROM auth_tokens WHERE id = 11"))[0]?.["at"];
    await Promise.all(Array.from({ length: 20 }, () => fetching(mine.key)));
    const first = await used();
    expect(first).not.toBeNull();
    await fetching(mine.key);
    expect(await used()).toBe(first);
    await service.query("UPDATE auth_tokens SET last_used_at = now() - interval '61 seconds' WHERE id = 11");
    await fetching(mine.key);
    expect(await countRows(service, "auth_tokens", "id = 11 AND last_used_at > now() - interval '5 s'")).toBe(
      1,
    );
  });

  test("waits neither for a login of its user nor for a lock on its row", async () => {
    await service.store(given);
    await service.pool.transaction(async (transaction) => {
      const hold = (text: string) => transaction.run({ name: null, text }, []);
      await hold("SELECT 1 FROM users WHERE id = 1 FOR NO KEY UPDATE");
      await hold("SELECT 1 FROM auth_tokens WHERE id = 11 FOR UPDATE");
      expect((await fetching(mine.key)).envelope.data).toEqual(own);
    });
  });

  test("stops no change of the user's sessions, and is stopped by none", async () => {
    await service.store(given);
    const password = "Correct-Horse-1!";
    const login = () =>
      service.send({ method: "POST", path: "/auth/login", body: { email: "user1@example.com", password } });
    await service.query("UPDATE auth_tokens SET last_used_at = NULL");
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, index) => (index % 2 === 0 ? fetching(mine.key) : login())),
    );
    expect(replies.map(outcome)).toEqual(Array(16).fill("200"));
  });

  test("without the table every key is refused", async () => {
    await service.store(given);
    await service.query("ALTER TABLE auth_tokens RENAME TO gone");
    try {
      expect(outcome(await fetching(mine.key))).toBe("503 AUTH_UNAVAILABLE");
      // Of another form: it needs no look-up.
      expect(outcome(await fetching("kk_x"))).toBe("401 INVALID_API_KEY");
    } finally {
      await service.query("ALTER TABLE gone RENAME TO auth_tokens");
    }
    expect(outcome(await fetching(mine.key))).toBe("200");
  });

  test("neither the key nor its hash is in the log", () => {
    const log = JSON.stringify(service.log);
    for (const { key, hash } of [mine, idle, expired]) {
      expect(log).not.toContain(key);
      expect(log).not.toContain(hash);
    }
  });
});

describe("an API key on a session route", () => {
  const routes = ["GET /auth/me", "POST /auth/get-current-user", "GET /auth/api-keys/list"];
  scenarios(
    service,
    routes.flatMap((send) => [
      {
        name: `${send} in X-API-Key`,
        given,
        send,
        headers: { "x-api-key": mine.key },
        fails: "401 MISSING_TOKEN",
      },
      {
        name: `${send} as a Bearer value`,
        given,
        send,
        headers: { authorization: `Bearer ${mine.key}` },
        fails: "401 MISSING_TOKEN",
      },
    ]),
  );
});

describe("with a secret for API keys", async () => {
  const secret = "a secret for API keys, 32 bytes at least";
  const keyed = await testService({ secrets: { apiKey: [createSecretKey(Buffer.from(secret))] } });
  const newer = apiKey(1, {}, secret);
  const rows = { ...given, auth_tokens: [mine.row, newer.row, foreign.row] };
  scenarios(keyed, [
    using("a key that was made before it was set", { "x-api-key": mine.key }, { given: rows, data: own }),
    using("a key that was made since", { "x-api-key": newer.key }, { given: rows, data: own }),
    using("any other", { "x-api-key": foreign.key }, { given: rows, ...refused }),
  ]);

  test("new keys are hashed with it", async () => {
    await keyed.store(rows);
    const body = {};
    const made = await keyed.send({ method: "POST", path: "/auth/api-keys/create", body }, "user");
    const key = (made.envelope.data as { api_key: string }).api_key;
    const hash = createHmac("sha256", secret).update(key).digest("hex");
    expect(await countRows(keyed, "auth_tokens", `token_hash = '${hash}'`)).toBe(1);
    expect((await keyed.send({ method: "GET", path, headers: { "x-api-key": key } })).envelope.data).toEqual(
      own,
    );
  });
});

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
    await keys.remember({ principal, hash: mine.hash, hashedWith: null, lifetimeMs: 60_000 });
    expect(await keys.find([{ hash: mine.hash, mark: "", isPrevious: false }])).toBeNull();
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
  ])("an invalid cache entry is ignored: %s", async (_, value) => {
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
