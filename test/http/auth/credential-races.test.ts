import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { connectCache } from "#runtime/core/cache/index";
import type { Json } from "#vocabulary/json";
import { account, accounts, countRows, password, session, storedReset } from "../../support/accounts.ts";
import { testClock } from "../../support/clock.ts";
import { resetToken, signing } from "../../support/links.ts";
import { enrol, setUp, totp } from "../../support/mfa.ts";
import { hasRedis, testRedis } from "../../support/redis.ts";
import { type Reply, requestOf } from "../../support/request.ts";
import { expectRows, outcome } from "../../support/scenarios.ts";
import { type TestService, testService } from "../../support/service.ts";
import { silent } from "../../support/silent-log.ts";
import { inTurn } from "../../support/turns.ts";

// It stands still: all that happens, happens in one millisecond.
const clock = testClock();
const service = await testService(signing, { now: clock.now });

const [mine, other] = [session(1), session(1)];
const link = resetToken(1);
const next = "Another-Horse-2!";
const confirmed = { new_password: next, confirm_password: next };
const locked = "SELECT FROM users WHERE id = 1 FOR UPDATE";

type Send = () => Promise<Reply>;

const post = (path: string, body: Json, token?: string, to: TestService = service) =>
  to.send({
    ...requestOf(`POST /auth/${path}`, body),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });

async function signIn(email = "user1@example.com", to: TestService = service): Promise<string> {
  const { envelope } = await post("login", { email, password }, undefined, to);
  return (envelope.data as { accessToken: string }).accessToken;
}

/** The access token of an administrator, user 1, who has proved the password. */
let token: string;

beforeEach(async () => {
  const users = [account(1, { role: "admin" }), account(2, { role: "admin" })];
  await service.store(accounts(users, [mine.row, other.row, storedReset(1, link)]));
  token = await signIn();
});

const linkFor2 = (type: string) => ({ user_id: 2, email: "user2@example.com", type });

/** What a session makes that outlives it. Codes are looked at last: any will do to be refused. */
const ofSession: Readonly<Record<string, Send>> = {
  "an API key": () => post("api-keys/create", {}, token),
  "an API key for another user": () => post("api-keys/create", { user_id: 2 }, token),
  "a link that verifies": () => post("generate-verification-link", linkFor2("email_verification"), token),
  "a link that resets": () => post("generate-verification-link", linkFor2("password_reset"), token),
  "a second factor": () => post("setup-mfa", {}, token),
  "its activation": () => post("verify-mfa", { code: "111111", action: "activate" }, token),
  "its check": () => post("verify-mfa", { code: "111111" }, token),
  "its removal": () => post("disable-mfa", { code: "111111" }, token),
};

/** What something else makes: a password, or a refresh token. */
const login: Send = () => post("login", { email: "user1@example.com", password });
const refresh: Send = () => post("refresh-token", { refreshToken: other.token });
const change: Send = () => post("change-password", { current_password: password, ...confirmed }, token);

const reset: Send = () => post("reset-password", { token: link, ...confirmed });
const logout = (body: Record<string, string>, as?: string) => () =>
  post("logout", { token: mine.token, ...body }, as);

const revoked = "401 TOKEN_REVOKED";
const used = "401 INVALID_TOKEN";
const wrong = "401 INVALID_CREDENTIALS";
const wrongHere = "401 INVALID_CREDENTIALS current_password";

/** Requests that lock out a stolen token, and the result of other sign-ins that follow at once. */
// biome-ignore format: one case a line
const takeBack: readonly { readonly name: string;
  readonly take: Send;
  readonly behind: readonly [login: string, refresh: string, change: string];
}[] = [
  { name: "a reset of the password", take: reset, behind: [wrong, used, wrongHere] },
  { name: "a change of the password", take: change, behind: [wrong, used, wrongHere] },
  // The password is still the right one.
  { name: "a logout of all sessions", take: logout({ logout_type: "all" }), behind: ["200", used, "200"] },
  { name: "a logout of the others", take: logout({ logout_type: "others" }), behind: ["200", used, "200"] },
  { name: "a logout of this session", take: () => logout({}, token)(), behind: ["200", "200", revoked] },
];

const madeKeys = () => countRows(service, "auth_tokens", "token_type = 'api_key'");

async function expectNothingMade(): Promise<void> {
  expect(await madeKeys()).toBe(0);
  expect(await countRows(service, "auth_tokens", "user_id = 2")).toBe(0);
  expect(await countRows(service, "auth_mfa")).toBe(0);
}

describe.each(takeBack.map((one) => [one.name, one] as const))(
  "right behind %s, in the same millisecond",
  (_, { take, behind }) => {
    test.each(Object.entries(ofSession))("%s: nothing is made", async (_, make) => {
      expect((await inTurn(service, locked, take, make)).map(outcome)).toEqual(["200", revoked]);
      await expectNothingMade();
      // And later neither.
      expect(outcome(await make())).toBe(revoked);
    });

    test.each([
      ["a login", login, behind[0]],
      ["a refresh", refresh, behind[1]],
      ["a change of the password", change, behind[2]],
    ])("%s", async (_, make, expected) => {
      expect((await inTurn(service, locked, take, make)).map(outcome)).toEqual(["200", expected]);
    });
  },
);

describe("an account that is deactivated while a request waits for it", () => {
  const deactivate = "UPDATE users SET is_active = false WHERE id = 1";
  const all = { ...ofSession, "a login": login, "a refresh": refresh, "a change of the password": change };

  test.each(Object.entries(all))("%s", async (_, make) => {
    expect((await inTurn(service, deactivate, make)).map(outcome)).toEqual(["403 ACCOUNT_INACTIVE"]);
    await expectNothingMade();
    await expectRows(service, "users", [{ id: 1, last_login_at: expect.anything() }, { id: 2 }]);
    const stored = await service.query("SELECT password FROM users ORDER BY id");
    expect(stored[0]).toEqual(stored[1]);
  });
});

describe("a reset of the password right behind", () => {
  test.each(Object.entries(ofSession).slice(0, 5))("%s: what is the user's own is gone", async (_, make) => {
    const replies = await inTurn(service, locked, make, reset);
    expect(replies.map(outcome)).toEqual(["200", "200"]);
    expect(await countRows(service, "auth_tokens", "user_id = 1")).toBe(0);
  });

  test("two resets with one link: one sets its password", async () => {
    const replies = await inTurn(service, locked, reset, reset);
    expect(replies.map(outcome)).toEqual(["200", "400 INVALID_RESET_TOKEN"]);
  });
});

describe("a second factor that is there", () => {
  const user = { role: "user", sub: "1" };

  test("a reset keeps a session from switching it off", async () => {
    const { secret } = await enrol(service, clock, user);
    const disable = () => post("disable-mfa", { code: totp(secret, clock) }, token);
    const replies = await inTurn(service, locked, reset, disable);
    expect(replies.map(outcome)).toEqual(["200", revoked]);
    await expectRows(service, "auth_mfa", [{ user_id: 1, enabled: true }]);
  });

  test("and from switching it on", async () => {
    const { secret } = await setUp(service, user);
    const activate = () => post("verify-mfa", { code: totp(secret, clock), action: "activate" }, token);
    const replies = await inTurn(service, locked, reset, activate);
    expect(replies.map(outcome)).toEqual(["200", revoked]);
    await expectRows(service, "auth_mfa", [{ user_id: 1, enabled: false }]);
  });

  test("a login that waits while it is switched on needs a code", async () => {
    const { secret } = await setUp(service, user);
    const activate = () => post("verify-mfa", { code: totp(secret, clock), action: "activate" }, token);
    expect((await inTurn(service, locked, activate, login)).map(outcome)).toEqual([
      "200",
      "403 MFA_REQUIRED",
    ]);
  });
});

test("of two changes in one millisecond, a token from between is of neither", async () => {
  expect(outcome(await reset())).toBe("200");
  const reply = await post("login", { email: "user1@example.com", password: next });
  const { accessToken, refreshToken } = reply.envelope.data as Record<"accessToken" | "refreshToken", string>;
  expect(outcome(await post("api-keys/create", {}, accessToken))).toBe("200");
  expect(outcome(await post("logout", { token: refreshToken, logout_type: "all" }))).toBe("200");
  expect(outcome(await post("api-keys/create", {}, accessToken))).toBe(revoked);
});

test("a change that a slower clock dates before the token counts all the same", async () => {
  await service.query("UPDATE users SET credentials_changed_at = now() - interval '1 day' WHERE id = 1");
  expect(outcome(await post("api-keys/create", {}, token))).toBe(revoked);
});

describe("two administrators who make keys for each other", () => {
  test("lock both rows in one order, and nothing while they wait for the first", async () => {
    const second = await signIn("user2@example.com");
    const [one, two] = [
      () => post("api-keys/create", { user_id: 2 }, token),
      () => post("api-keys/create", { user_id: 1 }, second),
    ];
    const free: Send = async () => {
      await service.query("SELECT FROM users WHERE id = 2 FOR UPDATE NOWAIT");
      return one();
    };
    expect((await inTurn(service, locked, two, free)).map(outcome)).toEqual(["200", "200"]);
    expect(await madeKeys()).toBe(2);
  });

  test("a reset of the one who makes it refuses the key for the other", async () => {
    const make = ofSession["an API key for another user"] ?? expect.fail();
    const free: Send = async () => {
      await service.query("SELECT FROM users WHERE id = 2 FOR UPDATE NOWAIT");
      return make();
    };
    const replies = await inTurn(service, locked, reset, free);
    expect(replies.map(outcome)).toEqual(["200", revoked]);
  });
});

test("of 25 keys that are made while a reset is under way none survives", async () => {
  const make = () => post("api-keys/create", {}, token);
  for (let round = 0; round < 4; round++) {
    await service.store(accounts([account(1)], [storedReset(1, link)]));
    token = await signIn();
    const before = Array.from({ length: round * 6 }, make);
    const taken = reset();
    const after = Array.from({ length: 25 - before.length }, make);
    expect(outcome(await taken)).toBe("200");
    const replies = (await Promise.all([...before, ...after])).map(outcome);
    expect(replies.filter((reply) => reply !== "200" && reply !== revoked)).toEqual([]);
    expect(await countRows(service, "auth_tokens")).toBe(0);
  }
});

describe.skipIf(!hasRedis)("with Redis", async () => {
  if (!hasRedis) return;
  const cache = await connectCache((await testRedis()).url, silent);
  afterAll(() => cache.close());
  const shared = await testService(signing, { now: clock.now, cache });

  test("a token that is revoked while it waits makes nothing", async () => {
    await shared.store(accounts([account(1)], [mine.row]));
    const stolen = await signIn("user1@example.com", shared);
    const end = () => post("logout", { token: mine.token }, stolen, shared);
    const make = () => post("api-keys/create", {}, stolen, shared);
    expect((await inTurn(shared, locked, end, make)).map(outcome)).toEqual(["200", revoked]);
    expect(await countRows(shared, "auth_tokens", "token_type = 'api_key'")).toBe(0);
  });
});
