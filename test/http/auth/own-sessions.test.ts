import { beforeEach, describe, expect, test } from "vitest";
import { connectCache } from "#runtime/core/cache/index";
import {
  account,
  accounts,
  apiKey,
  countRows,
  password,
  session,
  storedReset,
} from "../../support/accounts.ts";
import { hasRedis, type TestRedis, testRedis } from "../../support/redis.ts";
import type { Reply } from "../../support/request.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { claimsOf, signed } from "../../support/service-token.ts";
import { silent } from "../../support/silent-log.ts";

interface Pair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

type Listed = Readonly<Record<string, unknown>> & { readonly id: string };

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const noSuchSession = "00000000-0000-4000-8000-000000000000";

describe.each<[store: string, connect: () => Promise<TestRedis | null>]>([
  ["without Redis", () => Promise.resolve(null)],
  ["with Redis", () => testRedis()],
])("own sessions %s", async (store, connect) => {
  if (store === "with Redis" && !hasRedis) return test.skip("needs redis-server");
  const redis = await connect();
  const service = await testService({}, { cache: redis && (await connectCache(redis.url, silent)) });

  const send = (method: string, path: string, token?: string, body?: object, headers: object = {}) =>
    service.send({
      ...{ method, path: `/auth/${path}` },
      ...(body !== undefined && { body: { ...body } }),
      headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    });
  const dataOf = <Data>(reply: Reply): Data => {
    expect(outcome(reply), reply.text).toBe("200");
    return reply.envelope.data as Data;
  };
  const login = async (email = "user1@example.com", headers: object = {}) =>
    dataOf<Pair>(await send("POST", "login", undefined, { email, password }, headers));
  const list = async (token: string) =>
    dataOf<{ sessions: Listed[] }>(await send("GET", "sessions", token)).sessions;
  const me = async (token: string) => outcome(await send("GET", "me", token));
  const refresh = (refreshToken: string) => send("POST", "refresh-token", undefined, { refreshToken });
  /** The blacklist can be read, and refuses new entries. */
  const refuseEntries = async () => {
    const [refuse, accept] =
      redis === null
        ? [
            () =>
              service.query(
                "ALTER TABLE auth_token_blacklist ADD CONSTRAINT no_entry CHECK (jti NOT LIKE 'session:%') NOT VALID",
              ),
            () => service.query("ALTER TABLE auth_token_blacklist DROP CONSTRAINT no_entry"),
          ]
        : [
            () => redis.run("CONFIG", "SET", "maxmemory", "1"),
            () => redis.run("CONFIG", "SET", "maxmemory", "0"),
          ];
    await refuse();
    return { end: accept };
  };

  beforeEach(() => service.store(accounts([account(1), account(2), account(3, { is_active: false })])));

  test("are listed with device, address and way in, the last used one first", async () => {
    const phone = await login(undefined, { "user-agent": `Phone\tTwo${"x".repeat(600)}` });
    const desk = await login(undefined, { "user-agent": "Desk" });
    await login("user2@example.com");
    const renewed = dataOf<Pair>(await refresh(phone.refreshToken));
    const sessions = await list(desk.accessToken);
    const shown = {
      ...{ id: uuid, created_at: time, last_used_at: time, expires_at: time },
      ...{ signed_in_with: ["password"], address: "127.0.0.1" },
    };
    expect(sessions).toEqual([
      { ...shown, current: false, user_agent: `PhoneTwo${"x".repeat(504)}` },
      { ...shown, current: true, user_agent: "Desk" },
    ]);
    expect((await list(renewed.accessToken)).map(({ current }) => current)).toEqual([true, false]);
    const times = (key: string) => sessions.map((row) => String(row[key]));
    expect(times("created_at")).toEqual(times("created_at").sort());
    expect(times("last_used_at")).toEqual(times("last_used_at").sort().reverse());
  });

  test("a token names its session, and no other claim is new", async () => {
    const { accessToken } = await login();
    const { jti, ...claims } = JSON.parse(
      Buffer.from(accessToken.split(".")[1] ?? "", "base64url").toString(),
    );
    const [own] = await list(accessToken);
    expect(String(jti).startsWith(`${own?.id}.`)).toBe(true);
    expect(Object.keys(claims).sort()).toEqual(["email", "exp", "iat", "role", "sub", "type"]);
  });

  test("one ends at once, also for tokens from before a refresh", async () => {
    const [mine, other] = [await login(), await login()];
    const renewed = dataOf<Pair>(await refresh(other.refreshToken));
    const ended = (await list(mine.accessToken)).find(({ current }) => current === false);
    const reply = await send("DELETE", `sessions/${ended?.id}`, mine.accessToken);
    expect(dataOf(reply)).toEqual({ ended_sessions: 1 });
    expect(await me(other.accessToken)).toBe("401 TOKEN_REVOKED");
    expect(await me(renewed.accessToken)).toBe("401 TOKEN_REVOKED");
    expect(outcome(await refresh(renewed.refreshToken))).toBe("401 INVALID_TOKEN");
    expect(await me(mine.accessToken)).toBe("200");
    expect(await list(mine.accessToken)).toHaveLength(1);
    expect(await countRows(service, "auth_sessions")).toBe(1);
    expect(outcome(await send("DELETE", `sessions/${ended?.id}`, mine.accessToken))).toBe("404 NOT_FOUND");
  });

  test("all others end; all, for a token without a session", async () => {
    const [mine, other] = [await login(), await login()];
    const foreign = await login("user2@example.com");
    expect(dataOf(await send("DELETE", "sessions", mine.accessToken))).toEqual({ ended_sessions: 1 });
    expect([await me(mine.accessToken), await me(other.accessToken)]).toEqual(["200", "401 TOKEN_REVOKED"]);
    const outside = signed(claimsOf({ role: "user", sub: "1" }));
    expect(dataOf(await send("DELETE", "sessions", outside))).toEqual({ ended_sessions: 1 });
    expect([await me(mine.accessToken), await me(outside)]).toEqual(["401 TOKEN_REVOKED", "200"]);
    expect(await me(foreign.accessToken)).toBe("200");
  });

  test("all others end, also refresh tokens from before sessions", async () => {
    const [old, expired, foreign, reset] = [session(1), session(1, -5), session(2), storedReset(1, "x")];
    await service.store(accounts([account(1), account(2)], [old.row, expired.row, foreign.row, reset]));
    const mine = await login();
    const [own] = await list(mine.accessToken);
    // One session does not name them.
    const ended = await send("DELETE", `sessions/${noSuchSession}`, mine.accessToken);
    expect(outcome(ended)).toBe("404 NOT_FOUND");
    expect(dataOf(await send("DELETE", "sessions", mine.accessToken))).toEqual({ ended_sessions: 1 });
    expect(outcome(await refresh(old.token))).toBe("401 INVALID_TOKEN");
    expect(outcome(await refresh(foreign.token))).toBe("200");
    expect(await list(mine.accessToken)).toMatchObject([{ id: own?.id, current: true }]);
    expect(await countRows(service, "auth_tokens", "token_type = 'password_reset'")).toBe(1);
  });

  test.each([
    ["a foreign session", (foreign: string) => foreign],
    ["an unknown session", () => noSuchSession],
    ["no id of a session", () => "1"],
    ["an id in capitals", (foreign: string) => foreign.toUpperCase()],
  ])("%s is not found", async (_, choose) => {
    const [mine, foreign] = [await login(), await login("user2@example.com")];
    const [row] = await list(foreign.accessToken);
    const reply = await send("DELETE", `sessions/${choose(row?.id ?? "")}`, mine.accessToken);
    expect(outcome(reply)).toBe("404 NOT_FOUND");
    expect(await me(foreign.accessToken)).toBe("200");
  });

  test("an expired refresh token has ended its session", async () => {
    const [mine, expired] = [await login(), await login()];
    const id = (await list(mine.accessToken)).find(({ current }) => current === false)?.id;
    await service.query(`UPDATE auth_tokens SET expires_at = now() WHERE session_id = '${id}'`);
    expect(await list(mine.accessToken)).toHaveLength(1);
    expect(outcome(await send("DELETE", `sessions/${id}`, mine.accessToken))).toBe("404 NOT_FOUND");
    // A refused request changes nothing.
    expect(await me(expired.accessToken)).toBe("200");
    expect(await countRows(service, "auth_sessions")).toBe(2);
    expect(dataOf(await send("DELETE", "sessions", mine.accessToken))).toEqual({ ended_sessions: 0 });
    expect(await me(expired.accessToken)).toBe("401 TOKEN_REVOKED");
    expect(await countRows(service, "auth_sessions")).toBe(1);
  });

  test("its end reaches an access token that lives longer than the last one", async () => {
    const [mine, other] = [await login(), await login()];
    // As if the manifest had shortened the lifetime before the refresh.
    await service.query("UPDATE auth_sessions SET access_expires_at = now() + interval '1 day'");
    dataOf(await refresh(other.refreshToken));
    dataOf(await send("DELETE", "sessions", mine.accessToken));
    const entry = "jti LIKE 'session:%' AND expires_at > now() + interval '23 hours'";
    expect(await countRows(service, "auth_token_blacklist", entry)).toBe(1);
  });

  test("a sign-in neither ends nor continues the session whose tokens are sent along", async () => {
    const mine = await login();
    const again = await login(undefined, { authorization: `Bearer ${mine.accessToken}` });
    const sessions = await list(again.accessToken);
    expect(sessions.map(({ current }) => current)).toEqual([true, false]);
    expect([await me(mine.accessToken), outcome(await refresh(mine.refreshToken))]).toEqual(["200", "200"]);
    const chosen = { email: "user1@example.com", password, session_id: sessions[1]?.id };
    expect(outcome(await send("POST", "login", undefined, chosen))).toBe("400 VALIDATION_ERROR session_id");
  });

  test("nothing ends if the access tokens cannot be revoked", async () => {
    const [mine, other] = [await login(), await login()];
    const id = (await list(mine.accessToken)).find(({ current }) => current === false)?.id;
    const deny = await refuseEntries();
    for (const path of ["sessions", `sessions/${id}`])
      expect(outcome(await send("DELETE", path, mine.accessToken))).toBe("503 AUTH_UNAVAILABLE");
    await deny.end();
    expect(await list(mine.accessToken)).toHaveLength(2);
    expect(await me(other.accessToken)).toBe("200");
    expect(outcome(await refresh(other.refreshToken))).toBe("200");
  });

  test("of fifty endings of one session at once, one succeeds", async () => {
    const [mine] = [await login(), await login()];
    const ended = (await list(mine.accessToken)).find(({ current }) => current === false);
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => send("DELETE", `sessions/${ended?.id}`, mine.accessToken)),
    );
    expect(replies.map(outcome).sort()).toEqual(["200", ...Array(49).fill("404 NOT_FOUND")]);
  });

  test("a refresh token from before sessions gets one at its next use", async () => {
    const old = session(1);
    await service.store(accounts([account(1)], [{ ...old.row, created_at: "2026-01-02T03:04:05.000Z" }]));
    const { accessToken } = dataOf<Pair>(await refresh(old.token));
    expect(await list(accessToken)).toMatchObject([
      { current: true, created_at: "2026-01-02T03:04:05.000Z", signed_in_with: [] },
    ]);
  });

  test.each([
    [
      "a password from before the change",
      "401 TOKEN_REVOKED",
      "UPDATE users SET credentials_changed_at = now() + interval '1 second'",
    ],
    ["an inactive account", "403 ACCOUNT_INACTIVE", "UPDATE users SET is_active = false"],
    ["a deleted account", "404 NOT_FOUND", "DELETE FROM users"],
  ])("%s ends nothing", async (_, refusal, change) => {
    const [mine] = [await login(), await login()];
    await service.query(change);
    expect(outcome(await send("DELETE", "sessions", mine.accessToken))).toBe(refusal);
  });

  test("an API key and a guest are refused", async () => {
    const key = apiKey(1);
    await service.store(accounts([account(1)], [key.row]));
    for (const [method, path] of [
      ["GET", "sessions"],
      ["DELETE", "sessions"],
      ["DELETE", `sessions/${noSuchSession}`],
    ] as const) {
      expect(outcome(await send(method, path))).toBe("401 MISSING_TOKEN");
      expect(outcome(await send(method, path, undefined, undefined, { "x-api-key": key.key }))).toBe(
        "401 MISSING_TOKEN",
      );
    }
  });
});
