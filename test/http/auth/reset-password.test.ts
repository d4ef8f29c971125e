import bcrypt from "bcrypt";
import { describe, expect, test } from "vitest";
import {
  account,
  accounts,
  apiKey,
  countRows,
  password,
  session,
  storedReset,
} from "../../support/accounts.ts";
import { resetToken, signing, verificationToken } from "../../support/links.ts";
import { outcome, type Scenario, scenarios } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { claimsOf, jwtSecret, signed } from "../../support/service-token.ts";

const service = await testService(signing);

const next = "Another-Horse-2!";
const path = "/auth/reset-password";
const users = [account(1), account(2), account(3, { is_active: false })];

const good = resetToken(1);
const foreign = resetToken(2);
const idle = resetToken(3);
const late = resetToken(1);
const gone = resetToken(9);
const refresh = session(1);
const key = apiKey(1);
const given = accounts(users, [
  storedReset(1, good),
  storedReset(2, foreign),
  storedReset(3, idle),
  storedReset(1, late, { expires_at: "2020-01-01" }),
  refresh.row,
  key.row,
]);

const body = (token: unknown, changes: object = {}) =>
  JSON.parse(JSON.stringify({ token, new_password: next, confirm_password: next, ...changes }));
const reset = (
  name: string,
  token: unknown,
  rest: Partial<Scenario> = {},
  changes: object = {},
): Scenario => ({ name, given, send: `POST ${path}`, body: body(token, changes), ...rest });
const send = (token: string) => service.send({ method: "POST", path, body: body(token) });
const invalid = { fails: "400 INVALID_RESET_TOKEN", rows: { auth_tokens: Array(6).fill({}) } };
const weak = { new_password: "short", confirm_password: "short" };
const iat = Math.floor(Date.now() / 1000);
/** Forged or not, its hash is stored. */
const stored = (token: string) => accounts(users, [storedReset(1, token)]);
const storedInvalid = (name: string, token: string) =>
  reset(name, token, { given: stored(token), fails: "400 INVALID_RESET_TOKEN", rows: { auth_tokens: [{}] } });

describe("POST /auth/reset-password", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    reset("sets the password and deletes every token of the user", good, { data: {},
      rows: { auth_tokens: [{ user_id: 2 }, { user_id: 3 }], users: [{}, {}, {}] },
    }),
    reset("whatever the Authorization header says", good, { headers: { authorization: "Bearer stale" } }),
    reset("no token", undefined, { fails: "400 VALIDATION_ERROR token" }),
    reset("an empty token", "", { fails: "400 VALIDATION_ERROR token" }),
    reset("a token that is no text", { $ne: "" }, { fails: "400 VALIDATION_ERROR token" }),
    reset("no password", good, { fails: "400 VALIDATION_ERROR new_password" }, { new_password: undefined }),
    reset("no confirmation", good, { fails: "400 VALIDATION_ERROR confirm_password" }, { confirm_password: undefined }),
    reset("another confirmation", good, { ...invalid, fails: "400 VALIDATION_ERROR confirm_password" }, { confirm_password: "x" }),
    reset("a weak password", good, { ...invalid, fails: "400 WEAK_PASSWORD new_password" }, weak),
    reset("a weak password with a bad token", "x", { fails: "400 WEAK_PASSWORD new_password" }, weak),
    reset("an unknown key", good, { fails: "400 VALIDATION_ERROR user_id" }, { user_id: 1 }),
    reset("one that was never stored", resetToken(1), invalid),
    reset("one that has expired in the table", late, invalid),
    reset("one of a user who is gone", gone, invalid),
    reset("an inactive account", idle, { ...invalid, fails: "403 ACCOUNT_INACTIVE" }),
    reset("garbage", "x.y.z", invalid),
    reset("a refresh token", refresh.token, invalid),
    reset("an API key", key.key, invalid),
    { send: `GET ${path}`, fails: "405 HTTP_ERROR" },
  ]);

  describe("a token that is no reset token, though its hash is stored", () => {
    const { jti: _, ...withoutJti } = JSON.parse(atob(good.split(".")[1] ?? ""));
    const [header, payload, signature] = good.split(".");
    // biome-ignore format: one case a line
    scenarios(service, [
      storedInvalid("of another key", resetToken(1, {}, jwtSecret)),
      storedInvalid("expired", resetToken(1, { exp: iat - 1 })),
      storedInvalid("of verification", verificationToken(1, "user1@example.com")),
      storedInvalid("of type refresh", resetToken(1, { type: "refresh" })),
      storedInvalid("an access token", signed(claimsOf("user"))),
      storedInvalid("without an id", signed(withoutJti, {}, "signs links in tests, 32 bytes at least")),
      storedInvalid("with a claim more", resetToken(1, { role: "admin" })),
      storedInvalid("of another user than the row's", resetToken(2)),
      storedInvalid("of a user that is no id", resetToken(1, { sub: "1 OR 1=1" })),
      storedInvalid("cut", `${header}.${payload}.`),
      storedInvalid("with another subject", `${header}.${btoa(JSON.stringify({ ...withoutJti, sub: "2" }))}.${signature}`),
      storedInvalid("alg none", `${btoa('{"alg":"none","typ":"JWT"}').replace(/=+$/, "")}.${payload}.`),
    ]);
  });

  test("the old password, sessions and keys are dead, the new password works, the link does not", async () => {
    await service.store(given);
    expect(outcome(await send(good))).toBe("200");
    const [row] = await service.query(
      "SELECT password, updated_at > now() - interval '1 minute' AS touched FROM users WHERE id = 1",
    );
    expect(await bcrypt.compare(next, String(row?.["password"]))).toBe(true);
    expect(row?.["touched"]).toBe(true);
    const login = (attempt: string) =>
      service.send({
        method: "POST",
        path: "/auth/login",
        body: { email: "user1@example.com", password: attempt },
      });
    expect(outcome(await login(password))).toBe("401 INVALID_CREDENTIALS");
    expect(outcome(await login(next))).toBe("200");
    expect(outcome(await send(good))).toBe("400 INVALID_RESET_TOKEN");
    const refreshed = { method: "POST", path: "/auth/refresh-token", body: { refreshToken: refresh.token } };
    expect(outcome(await service.send(refreshed))).toBe("401 INVALID_TOKEN");
    const fetched = { method: "GET", path: "/things/fetch", headers: { "x-api-key": key.key } };
    expect(outcome(await service.send(fetched))).toBe("401 INVALID_API_KEY");
  });

  test("of ten at once with one token one wins", async () => {
    await service.store(given);
    const outcomes = (await Promise.all(Array.from({ length: 10 }, () => send(good)))).map(outcome).sort();
    expect(outcomes).toEqual(["200", ...Array(9).fill("400 INVALID_RESET_TOKEN")]);
  });

  test("no refresh or login that is in flight survives it", async () => {
    const sessions = Array.from({ length: 10 }, () => session(1));
    await service.store(accounts(users, [storedReset(1, good), ...sessions.map(({ row }) => row)]));
    await Promise.all([
      ...sessions.map(({ token }) =>
        service.send({ method: "POST", path: "/auth/refresh-token", body: { refreshToken: token } }),
      ),
      send(good),
      service.send({ method: "POST", path: "/auth/login", body: { email: "user1@example.com", password } }),
    ]);
    expect(await countRows(service, "auth_tokens")).toBe(0);
  });
});

test("without a key no token is good", async () => {
  const keyless = await testService();
  await keyless.store(given);
  const reply = await keyless.send({ method: "POST", path, body: body(good) });
  expect(outcome(reply)).toBe("400 INVALID_RESET_TOKEN");
});

describe("links to accounts elsewhere", () => {
  test.each([
    ["go where nobody had verified the address: a stranger may have made the account", false, 0],
    ["stay where it was verified", true, 1],
  ])("%s", async (_, is_verified, left) => {
    await service.store({
      ...accounts([account(1, { is_verified })], [storedReset(1, good)]),
      auth_social: [{ user_id: 1, provider: "github", uid: "7" }],
    });
    expect(outcome(await send(good))).toBe("200");
    expect(await countRows(service, "auth_social")).toBe(left);
    expect(await countRows(service, "users", "password is not null")).toBe(1);
  });
});
