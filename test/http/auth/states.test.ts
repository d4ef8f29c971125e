import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Cache, connectCache } from "#runtime/core/cache/index";
import { account, accounts, countRows, password } from "../../support/accounts.ts";
import { testClock } from "../../support/clock.ts";
import { claimsIn, mailing, tokenIn } from "../../support/links.ts";
import { setUp } from "../../support/mfa.ts";
import { hasRedis, testRedis } from "../../support/redis.ts";
import type { Reply } from "../../support/request.ts";
import { expectRows, firedHooks, outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import type { Caller } from "../../support/service-token.ts";
import { silent } from "../../support/silent-log.ts";
import { testSmtp } from "../../support/smtp.ts";
import { stage } from "../fixture/stage.ts";

const smtp = await testSmtp();
const email = "ann@example.com";
const nextPassword = "Another-Horse-2?";
const confirmed = { new_password: nextPassword, confirm_password: nextPassword };

interface Pair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

async function redisCache(): Promise<Cache> {
  const cache = await connectCache((await testRedis()).url, silent);
  afterAll(() => cache.close());
  return cache;
}

/**
 * The table "States and transitions" of the contract, one test a row, in its order. Everything goes over HTTP; what only
 * operators do, and what time does, is done to the rows and to the clock.
 */
describe.each<[store: string, isThere: boolean, connect: () => Promise<Cache | null>]>([
  ["without Redis", true, () => Promise.resolve(null)],
  ["with Redis", hasRedis, redisCache],
])("states and transitions %s", async (_, isThere, connect) => {
  if (!isThere) return test.skip("needs redis-server");
  const clock = testClock();
  const service = await testService(mailing(smtp), { cache: await connect(), now: clock.now });

  type Body = Record<string, string | number>;
  const send = (method: string, path: string, body?: Body, credential: string | Caller = null) => {
    const isToken = typeof credential === "string" && credential.startsWith("eyJ");
    const sent = { method, path, ...(body !== undefined && { body }) };
    return isToken
      ? service.send({ ...sent, headers: { authorization: `Bearer ${credential}` } })
      : service.send(sent, credential);
  };
  const post = (route: string, body: Body, credential: string | Caller = null) =>
    send("POST", `/auth/${route}`, body, credential);
  const login = (rest: Body = {}) => post("login", { email, password, ...rest });
  const refresh = (refreshToken: string) => post("refresh-token", { refreshToken });
  const me = async (token: string) => outcome(await send("GET", "/auth/me", undefined, token));
  const withKey = async (key: string) =>
    outcome(await service.send({ method: "GET", path: "/tasks/fetch", headers: { "x-api-key": key } }));

  function dataOf<Data>(reply: Reply): Data {
    expect(outcome(reply), reply.text).toBe("200");
    return reply.envelope.data as Data;
  }
  const pairOf = (reply: Reply) => dataOf<Pair>(reply);
  const makeKey = async (body: Body = {}) =>
    dataOf<{ id: number; api_key: string }>(await post("api-keys/create", body, "user"));
  const page = (link: string) => {
    const { pathname, search } = new URL(link);
    return send("GET", pathname + search);
  };
  /** A link that only just came by mail. */
  const resetLink = async () => {
    dataOf(await post("request-reset-password", { email }));
    return tokenIn((await smtp.next(email)).link);
  };
  const reset = async (token: string) => outcome(await post("reset-password", { token, ...confirmed }));
  const sessions = () => countRows(service, "auth_tokens", "user_id = 1 AND token_type = 'refresh'");

  beforeEach(async () => {
    Object.assign(stage, { hooks: {}, fired: [] });
    await service.store(accounts([account(1, { email }), account(2)]));
  });
  afterEach(() => void vi.restoreAllMocks());

  describe("user", () => {
    let count = 0;
    let newcomer = "";
    const register = () => post("register", { email: newcomer, password, role: "admin" });
    beforeEach(() => {
      newcomer = `new${++count}@example.com`;
    });

    test("(none), register: exists, unverified, role user; hooks around the INSERT; a mail is sent", async () => {
      const rowsSeen: number[] = [];
      stage.hooks = {
        before_register: async () => void rowsSeen.push(await countRows(service, "users")),
        after_register: async (_, { transaction }) => {
          const found = await transaction("users").where({ email: newcomer });
          rowsSeen.push(found.length);
        },
      };
      const data = dataOf<Record<string, unknown>>(await register());
      expect(Object.keys(data)).toEqual(["user", "verification_email_sent"]);
      expect(data["verification_email_sent"]).toBe(true);
      expect(firedHooks()).toEqual(["before_register", "after_register"]);
      expect(rowsSeen).toEqual([2, 1]);
      const made = { email: newcomer, is_verified: false, is_active: true, role: "user" };
      await expectRows(service, "users", [{}, {}, made]);
      expect((await smtp.next(newcomer)).to).toEqual([newcomer]);
      expect(outcome(await register())).toBe("409 EMAIL_ALREADY_EXISTS email");
    });

    test("unverified, verify-email: verified; again: already verified; after 24 hours: not at all", async () => {
      await register();
      const { link } = await smtp.next(newcomer);
      const opened = await page(link);
      expect([opened.status, opened.text]).toEqual([200, expect.stringContaining("is confirmed")]);
      await expectRows(service, "users", [{}, {}, { is_verified: true }]);
      expect((await page(link)).text).toContain("is already confirmed");
      await service.query("UPDATE users SET is_verified = false");
      clock.pass(24 * 60 * 60 - 60);
      expect((await page(link)).status).toBe(200);
      clock.pass(61);
      expect((await page(link)).status).toBe(400);
    });

    test("any, login: last_login_at is updated, a refresh token stored", async () => {
      const { user } = dataOf<{ user: { last_login_at: string } }>(await login());
      expect(Math.abs(Date.parse(user.last_login_at) - Date.now())).toBeLessThan(60_000);
      const recent = "id = 1 AND last_login_at > now() - interval '1 minute'";
      expect([await countRows(service, "users", recent), await sessions()]).toEqual([1, 1]);
    });

    test.each([
      ["deactivated", "UPDATE users SET is_active = false", "403 ACCOUNT_INACTIVE", "200"],
      ["deleted", "DELETE FROM users", "401 INVALID_TOKEN", "404 NOT_FOUND"],
    ])("active, %s: holds from the next refresh on", async (_, statement, refused, own) => {
      const { accessToken, refreshToken } = pairOf(await login());
      await service.query(`${statement} WHERE id = 1`);
      expect(outcome(await refresh(refreshToken))).toBe(refused);
      // The claims of the old access token are good until it expires; only /auth/me reads the row.
      expect(outcome(await send("GET", "/tasks/fetch", undefined, accessToken))).toBe("200");
      expect(await me(accessToken)).toBe(own);
      expect(outcome(await login())).toBe(own === "200" ? "403 ACCOUNT_INACTIVE" : "401 INVALID_CREDENTIALS");
    });

    test("deleted: with everything that is theirs, and nothing of others", async () => {
      const { refreshToken } = pairOf(await login());
      await login({ email: "user2@example.com" });
      await makeKey();
      await resetLink();
      await setUp(service, "user");
      await service.query(
        "INSERT INTO auth_social (user_id, provider, uid) VALUES (1, 'x', '1'), (2, 'x', '2')",
      );
      await service.query("DELETE FROM users WHERE id = 1");
      for (const [table, left] of Object.entries({ auth_tokens: 1, auth_mfa: 0, auth_social: 1 }))
        expect([table, await countRows(service, table)]).toEqual([table, left]);
      expect(outcome(await refresh(refreshToken))).toBe("401 INVALID_TOKEN");
    });

    test("another role: the old access token keeps its own, the next refresh gives the new one", async () => {
      const { accessToken, refreshToken } = pairOf(await login());
      await service.query("UPDATE users SET role = 'admin' WHERE id = 1");
      await service.query(`INSERT INTO tasks (title, "user") VALUES ('of another user', 2)`);
      const seen = async (token: string) =>
        dataOf<object[]>(await send("GET", "/tasks/fetch", undefined, token)).length;
      expect(await seen(accessToken)).toBe(0);
      const renewed = pairOf(await refresh(refreshToken)).accessToken;
      expect(claimsIn(renewed)["role"]).toBe("admin");
      expect(await seen(renewed)).toBe(1);
    });
  });

  describe("refresh token", () => {
    test("issued, refresh-token: rotated, and the new pair works", async () => {
      const first = pairOf(await login());
      const [before] = await service.query("SELECT id, token_hash FROM auth_tokens");
      const second = pairOf(await refresh(first.refreshToken));
      expect(second.refreshToken).not.toBe(first.refreshToken);
      const after = await service.query("SELECT id, token_hash FROM auth_tokens");
      expect(after).toHaveLength(1);
      expect(after[0]?.["id"]).not.toBe(before?.["id"]);
      expect([await me(first.accessToken), await me(second.accessToken)]).toEqual(["200", "200"]);
      expect(outcome(await refresh(second.refreshToken))).toBe("200");
    });

    test("issued, refresh with a rotated, revoked or expired one: 401, unchanged", async () => {
      const { refreshToken: rotated } = pairOf(await login());
      pairOf(await refresh(rotated));
      expect(outcome(await refresh(rotated))).toBe("401 INVALID_TOKEN");
      const { refreshToken: revoked } = pairOf(await login());
      dataOf(await post("logout", { token: revoked }));
      expect(outcome(await refresh(revoked))).toBe("401 INVALID_TOKEN");
      const { refreshToken: late } = pairOf(await login());
      expect(await sessions()).toBe(2);
      clock.pass(14 * 86_400);
      expect(outcome(await refresh(late))).toBe("401 TOKEN_EXPIRED");
      expect(await sessions()).toBe(2);
    });

    test.each<[type: string, deleted: number, presented: string, other: string]>([
      ["single", 1, "401 INVALID_TOKEN", "200"],
      ["all", 2, "401 INVALID_TOKEN", "401 INVALID_TOKEN"],
      ["others", 1, "200", "401 INVALID_TOKEN"],
    ])("issued, logout %s", async (logout_type, deleted, presented, other) => {
      const { api_key } = await makeKey();
      const pairs = [pairOf(await login()), pairOf(await login())] as const;
      const [mine, theirs] = pairs;
      const reply = await post("logout", { token: mine.refreshToken, logout_type });
      expect(dataOf(reply)).toEqual({ deleted_tokens: deleted, logout_type });
      expect(outcome(await refresh(mine.refreshToken))).toBe(presented);
      expect(outcome(await refresh(theirs.refreshToken))).toBe(other);
      // Without a header no access token is revoked, and a logout never ends API keys.
      expect(await me(mine.accessToken)).toBe("200");
      expect(await withKey(api_key)).toBe("200");
    });

    test("issued, change-password: all are revoked; API keys stay", async () => {
      const { api_key } = await makeKey();
      const pairs = [pairOf(await login()), pairOf(await login())];
      dataOf(
        await post("change-password", { current_password: password, ...confirmed }, pairs[0]?.accessToken),
      );
      for (const { refreshToken } of pairs)
        expect(outcome(await refresh(refreshToken))).toBe("401 INVALID_TOKEN");
      expect([await sessions(), await withKey(api_key)]).toEqual([0, "200"]);
    });

    test("refresh tokens and API keys, reset-password: every auth_tokens row of the user is deleted", async () => {
      const { api_key } = await makeKey();
      const { accessToken, refreshToken } = pairOf(await login());
      const others = pairOf(await login({ email: "user2@example.com" }));
      const [token, older] = [await resetLink(), await resetLink()];
      expect(await reset(token)).toBe("200");
      expect(await countRows(service, "auth_tokens", "user_id = 1")).toBe(0);
      expect(outcome(await refresh(refreshToken))).toBe("401 INVALID_TOKEN");
      expect(await withKey(api_key)).toBe("401 INVALID_API_KEY");
      expect(await reset(older)).toBe("400 INVALID_RESET_TOKEN");
      expect(await me(accessToken)).toBe("200");
      expect(outcome(await refresh(others.refreshToken))).toBe("200");
    });
  });

  describe("access token", () => {
    test("valid, logout with it in the header: blacklisted; others of the user stay valid", async () => {
      const [mine, other] = [pairOf(await login()), pairOf(await login())];
      dataOf(await post("logout", { token: mine.refreshToken }, mine.accessToken));
      expect(await me(mine.accessToken)).toBe("401 TOKEN_REVOKED");
      expect(outcome(await send("GET", "/things/fetch", undefined, mine.accessToken))).toBe(
        "401 TOKEN_REVOKED",
      );
      expect(await me(other.accessToken)).toBe("200");
      await expectRows(service, "auth_token_blacklist", [{ jti: claimsIn(mine.accessToken)["jti"] }]);
    });

    test("valid, logout where the blacklist cannot be written: 503, and nothing is deleted", async () => {
      const { accessToken, refreshToken } = pairOf(await login());
      await refuseRevocations(async () => {
        const reply = await post("logout", { token: refreshToken, logout_type: "all" }, accessToken);
        expect(outcome(reply)).toBe("503 AUTH_UNAVAILABLE");
      });
      expect([await sessions(), await me(accessToken)]).toEqual([1, "200"]);
    });

    test("valid, change-password: blacklisted; another stays valid", async () => {
      const [mine, other] = [pairOf(await login()), pairOf(await login())];
      dataOf(await post("change-password", { current_password: password, ...confirmed }, mine.accessToken));
      expect(await me(mine.accessToken)).toBe("401 TOKEN_REVOKED");
      expect(await me(other.accessToken)).toBe("200");
    });

    test("valid, change-password where the blacklist cannot be written: the change succeeds", async () => {
      const { accessToken } = pairOf(await login());
      await refuseRevocations(async () => {
        const body = { current_password: password, ...confirmed };
        dataOf(await post("change-password", body, accessToken));
      });
      expect(outcome(await login({ password: nextPassword }))).toBe("200");
    });

    test("valid, its lifetime elapses: 401 TOKEN_EXPIRED", async () => {
      const { accessToken } = pairOf(await login());
      const exp = Number(claimsIn(accessToken)["exp"]) * 1000;
      const present = vi.spyOn(Date, "now").mockReturnValue(exp - 1);
      expect(await me(accessToken)).toBe("200");
      present.mockReturnValue(exp);
      expect(await me(accessToken)).toBe("401 TOKEN_EXPIRED");
      expect(outcome(await send("GET", "/things/fetch", undefined, accessToken))).toBe("401 TOKEN_EXPIRED");
    });

    async function refuseRevocations(work: () => Promise<void>): Promise<void> {
      await service.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
        CREATE TRIGGER refuse BEFORE INSERT ON auth_token_blacklist FOR EACH ROW EXECUTE FUNCTION refuse()`);
      try {
        await work();
      } finally {
        await service.query("DROP FUNCTION refuse CASCADE");
      }
    }
  });

  describe("password-reset token", () => {
    test("issued, reset-password: consumed; the second use is 400", async () => {
      const token = await resetLink();
      expect(await reset(token)).toBe("200");
      expect(await reset(token)).toBe("400 INVALID_RESET_TOKEN");
      expect(outcome(await login())).toBe("401 INVALID_CREDENTIALS");
      expect(outcome(await login({ password: nextPassword }))).toBe("200");
    });

    test("issued, an hour later: 400", async () => {
      const [token, late] = [await resetLink(), await resetLink()];
      clock.pass(60 * 60 - 60);
      expect(await reset(token)).toBe("200");
      const another = await resetLink();
      clock.pass(60 * 60 + 1);
      for (const one of [late, another]) expect(await reset(one)).toBe("400 INVALID_RESET_TOKEN");
    });
  });

  describe("API key", () => {
    test.each<[string, Caller, string]>([
      ["its owner", { role: "user", sub: "1" }, "200"],
      ["an admin", { role: "admin", sub: "2" }, "200"],
      ["a system", { role: "system", sub: "2" }, "200"],
      ["a superadmin", { role: "superadmin", sub: "2" }, "200"],
      ["another user", { role: "user", sub: "2" }, "404 NOT_FOUND"],
    ])("active, revoked by %s", async (_, caller, expected) => {
      const { id, api_key } = await makeKey();
      expect(await withKey(api_key)).toBe("200");
      expect(outcome(await send("DELETE", "/auth/api-keys/revoke", { id }, caller))).toBe(expected);
      // At once, though the contract allows for 60 seconds with a cache.
      expect(await withKey(api_key)).toBe(expected === "200" ? "401 INVALID_API_KEY" : "200");
    });
  });
});
