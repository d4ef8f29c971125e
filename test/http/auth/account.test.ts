import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ServiceError } from "#runtime/core/errors/index";
import type { Json } from "#vocabulary/json";
import { account, accounts, countRows, password } from "../../support/accounts.ts";
import { testClock } from "../../support/clock.ts";
import { mailing } from "../../support/links.ts";
import { type Reply, requestOf, type Sent } from "../../support/request.ts";
import { outcome } from "../../support/scenarios.ts";
import { type TestService, testService } from "../../support/service.ts";
import { tokenOf } from "../../support/service-token.ts";
import { testSms } from "../../support/sms.ts";
import { testSmtp } from "../../support/smtp.ts";
import { socialSettings } from "../../support/social/sign-in.ts";
import { stage } from "../fixture/stage.ts";

const [smtp, sms] = [await testSmtp(), await testSms()];
const clock = testClock();
const settings = {
  ...mailing(smtp),
  sms: sms.settings,
  auth: { emailVerificationRequired: false, emailCodes: false },
};
const service = await testService(settings, { now: clock.now });

const email = "user1@example.com";
const phone = "+12025550123";
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);

const send = (line: string, body?: Sent["body"], token?: string, to: TestService = service) => {
  const [method = "", path = ""] = line.split(" ");
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return to.send({ method, path: `/auth/${path}`, headers, ...(body !== undefined && { body }) });
};
const dataOf = (reply: Reply) => {
  expect(outcome(reply), reply.text).toBe("200");
  return Object(reply.envelope.data);
};
const login = async (to: TestService = service): Promise<string> =>
  dataOf(await send("POST login", { email, password }, undefined, to)).accessToken;
const read = async (token: string, to: TestService = service) =>
  dataOf(await send("GET account", undefined, token, to));
const change = (token: string, changes: Json) => send("PATCH me", changes, token);
const events = () => service.log.filter(({ msg }) => msg === "account event");

beforeEach(async () => {
  Object.assign(stage, { hooks: {}, fired: [] });
  await service.store(accounts([account(1, { first_name: "Ann" }), account(2)]));
  service.log.length = 0;
});
afterEach(() => {
  Object.assign(stage, { hooks: {}, fired: [] });
});

describe("GET /auth/account", () => {
  test("has the user, the ways to sign in, what waits, and until when the sign-in is recent", async () => {
    await service.query(`UPDATE users SET phone_number = '${phone}' WHERE id = 1`);
    const token = await login();
    const begun = clock.now();
    const { recent_until, ...rest } = await read(token);
    expect(rest).toEqual({
      user: {
        ...{ user_id: 1, email, role: "user", first_name: "Ann", last_name: null },
        ...{ is_verified: true, is_active: true, created_at: moment, last_login_at: moment },
        ...{ phone_number: phone, handle: null, settings: null, nickname: null, budget: null },
      },
      sign_in: { password: true, phone: true, email_code: false, mfa: false, passkeys: 0, providers: [] },
      pending: { email: null, phone: null },
    });
    expect(Math.abs(Date.parse(recent_until) - begun - 600_000)).toBeLessThan(5_000);
  });

  test("is not recent any more after the time of the manifest, or without a session", async () => {
    const token = await login();
    clock.pass(600);
    expect((await read(token)).recent_until).toBeNull();
    expect((await read(tokenOf({ role: "user", sub: "1" }))).recent_until).toBeNull();
  });

  test("has the changes that wait, also those of a taken address and a taken number", async () => {
    await service.query(`UPDATE users SET phone_number = '${phone}' WHERE id = 2`);
    const token = await login();
    const asked = [
      await send("POST change-email", { new_email: "user2@example.com" }, token),
      await send("POST change-phone", { phone_number: phone }, token),
    ].map((reply) => dataOf(reply).expires_at);
    expect((await read(token)).pending).toEqual({
      email: { new_email: "user2@example.com", expires_at: asked[0] },
      phone: { phone_number: phone, expires_at: asked[1] },
    });
    await service.query("UPDATE auth_pending_changes SET expires_at = now()");
    expect((await read(token)).pending).toEqual({ email: null, phone: null });
  });

  test("counts only links to declared providers", async () => {
    const other = await testService({ ...settings, social: socialSettings({ github: {} }) });
    const link = { user_id: 1, extra_data: "{}" };
    await other.store({
      users: [account(1, { email: null, password: null })],
      auth_social: [
        { ...link, provider: "github", uid: "7" },
        // By sign-ins with one e-mail.
        { ...link, provider: "github", uid: "9" },
        { ...link, provider: "gone", uid: "8" },
      ],
      auth_mfa: [{ user_id: 1, secret: "x", backup_codes: "[]", enabled: true }],
    });
    const { sign_in } = await read(tokenOf({ role: "user", sub: "1" }), other);
    expect(sign_in).toEqual({
      ...{ password: false, phone: false, email_code: false, mfa: true, passkeys: 0, providers: ["github"] },
    });
  });

  test("is there without any part of self-service, and PATCH /auth/me is not", async () => {
    const other = await testService({ auth: { selfService: [], emailVerificationRequired: false } });
    await other.store(accounts([account(1)]));
    const as = { role: "user", sub: "1" };
    expect(outcome(await other.send(requestOf("GET /auth/account"), as))).toBe("200");
    expect(outcome(await other.send(requestOf("PATCH /auth/me", { first_name: "A" }), as))).toBe(
      "405 HTTP_ERROR",
    );
  });

  test("of a deleted account is 404; GET /auth/me keeps its nine fields", async () => {
    const token = await login();
    expect(Object.keys(dataOf(await send("GET me", undefined, token)))).toHaveLength(9);
    await service.query("DELETE FROM users");
    expect(outcome(await send("GET account", undefined, token))).toBe("404 NOT_FOUND");
  });
});

describe("PATCH /auth/me", () => {
  test("changes names, and answers the user of GET /auth/account", async () => {
    const token = tokenOf({ role: "user", sub: "1" });
    const user = dataOf(await change(token, { first_name: "Änn", last_name: "O'Neill" }));
    expect(user).toMatchObject({ first_name: "Änn", last_name: "O'Neill", phone_number: null });
    expect((await read(token)).user).toEqual(user);
    expect(events()).toMatchObject([
      { event: "profile.updated", user_id: "1", actor: "user", changes: ["first_name", "last_name"] },
    ]);
    expect(JSON.stringify(events())).not.toContain("Neill");
    // Only the sent field, and null empties it.
    expect(dataOf(await change(token, { first_name: null }))).toMatchObject({
      ...{ first_name: null, last_name: "O'Neill" },
    });
  });

  test.each<[Json, string]>([
    [{}, "first_name"],
    [{ first_name: "x".repeat(256) }, "first_name"],
    [{ first_name: 1 }, "first_name"],
    ...["\u0001", "\n", "\r", "\t", "\u0085", "\u2028", "\u2029", "\u007f"].map((sign): [Json, string] => [
      { last_name: `A${sign}B` },
      "last_name",
    ]),
    ...["role", "is_verified", "is_active", "email", "user_id", "id", "phone_number", "password"].map(
      (name): [Json, string] => [{ first_name: "Eve", [name]: "x" }, name],
    ),
    [{ first_name: "Eve", created_at: "2020-01-01T00:00:00Z" }, "created_at"],
    [{ first_name: "Eve", handle: "eve" }, "handle"],
    [{ first_name: "Eve", constructor: "x" }, "constructor"],
  ])("refuses %j", async (changes, field) => {
    expect(outcome(await change(await login(), changes))).toBe(`400 VALIDATION_ERROR ${field}`);
    expect(await countRows(service, "users", "id = 1 AND first_name = 'Ann' AND last_name IS NULL")).toBe(1);
    expect([events(), stage.fired.filter(({ hook }) => hook !== "after_login")]).toEqual([[], []]);
  });

  test.each<[string, string, string]>([
    [
      "a token from before a new password",
      "credentials_changed_at = now() + interval '1 s'",
      "401 TOKEN_REVOKED",
    ],
    ["an inactive account", "is_active = false", "403 ACCOUNT_INACTIVE"],
  ])("refuses %s", async (_, set, refusal) => {
    const token = await login();
    await service.query(`UPDATE users SET ${set}`);
    expect(outcome(await change(token, { first_name: "Eve" }))).toBe(refusal);
    expect(await countRows(service, "users", "first_name = 'Eve'")).toBe(0);
  });

  test("takes JSON only", async () => {
    expect(outcome(await send("PATCH me", "first_name=Eve", await login()))).toBe("415 HTTP_ERROR");
  });
});

describe("hooks of PATCH /auth/me", () => {
  const user = { role: "user", sub: "1" };
  const token = tokenOf(user);

  test("run in the transaction; the before-hook can change what is written", async () => {
    stage.hooks = {
      before_update_account: (value) => ({
        ...value,
        changes: { ...value.changes, last_name: "Hooked", role: "admin", handle: "ann" },
      }),
      after_update_account: async (_, { transaction }) => {
        await transaction("ledger").insert({ hooked_name: "a hook was here" });
      },
    };
    const shown = dataOf(await change(token, { first_name: "Bea" }));
    expect(shown).toMatchObject({ first_name: "Bea", last_name: "Hooked", role: "user", handle: "ann" });
    expect(stage.fired.map(({ hook, value, context }) => [hook, value, context.principal])).toEqual([
      [
        "before_update_account",
        { user_id: 1, changes: { first_name: "Bea" } },
        { user_id: "1", role: "user", email },
      ],
      [
        "after_update_account",
        { user_id: 1, changes: { first_name: "Bea", last_name: "Hooked", handle: "ann" } },
        { user_id: "1", role: "user", email },
      ],
    ]);
    expect(await countRows(service, "ledger")).toBe(1);
    expect(events()).toMatchObject([{ changes: ["first_name", "handle", "last_name"] }]);
  });

  test.each(["before_update_account", "after_update_account"] as const)(
    "%s refuses by a throw",
    async (hook) => {
      stage.hooks = {
        [hook]: () => {
          throw new ServiceError("PERMISSION_DENIED", "Ask your administrator.");
        },
      };
      expect(outcome(await change(token, { first_name: "Bea" }))).toBe("403 PERMISSION_DENIED");
      expect(await countRows(service, "users", "first_name = 'Ann'")).toBe(1);
      expect(events()).toEqual([]);
    },
  );

  test("a value of a hook is held to the validators", async () => {
    stage.hooks = { before_update_account: (value) => ({ ...value, changes: { handle: "NO" } }) };
    expect(outcome(await change(token, { first_name: "Bea" }))).toBe("400 VALIDATION_ERROR handle");
  });

  test("a hook can leave nothing to write, which is no event", async () => {
    stage.hooks = { before_update_account: (value) => ({ ...value, changes: {} }) };
    expect(dataOf(await change(token, { first_name: "Bea" }))).toMatchObject({ first_name: "Ann" });
    expect(events()).toEqual([]);
  });
});
