import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ServiceError } from "#runtime/core/errors/index";
import { dataOf, sendAs, signIn } from "../../../support/account-requests.ts";
import { account, accounts, apiKey, countRows, session, storedReset } from "../../../support/accounts.ts";
import { testClock } from "../../../support/clock.ts";
import { claimsIn, mailing, resetToken } from "../../../support/links.ts";
import type { Sent } from "../../../support/request.ts";
import { outcome } from "../../../support/scenarios.ts";
import { testService } from "../../../support/service.ts";
import { tokenOf } from "../../../support/service-token.ts";
import { testSmtp } from "../../../support/smtp.ts";
import { stage } from "../../fixture/stage.ts";

const smtp = await testSmtp();
const clock = testClock();
/** Of fifty requests that take turns, the last one waits long on a busy machine. */
const patient = { acquireTimeoutMs: 60_000, answerTimeoutMs: 60_000 };
const settings = { ...mailing(smtp), social: { placeholderDomain: "placeholder.example" } };
const auth = { securityNotices: true, emailVerificationRequired: false };
const service = await testService({ ...settings, auth }, { now: clock.now, connecting: patient });

const [admin, root, system, user, other] = [1, 2, 3, 4, 5];
const key = apiKey(user);
const refresh = session(user);
const given = accounts(
  [
    account(admin, { role: "admin" }),
    account(root, { role: "superadmin" }),
    account(system, { role: "system" }),
    account(user, { first_name: "Ann" }),
    account(other, { role: "admin" }),
    account(6, { role: "superadmin" }),
  ],
  [refresh.row, key.row, storedReset(user, resetToken(user))],
);
let token = "";
const patch = (id: number | string, body: Sent["body"], as = token) =>
  sendAs(service, `PATCH /admin/users/${id}`, as, body);
const isNow = (id: number, condition: string) => countRows(service, "users", `id = ${id} AND ${condition}`);
const events = () => service.log.filter(({ msg }) => msg === "account event");
const mails = async () => {
  await service.settled();
  return smtp.mails.slice(before).map(({ to, subject, text }) => ({ to: to[0], subject, text }));
};

let before = 0;
beforeEach(async () => {
  await service.settled();
  await service.store(given);
  token = await signIn(service, admin);
  service.log.length = 0;
  before = smtp.mails.length;
});
afterEach(() => {
  Object.assign(stage, { hooks: {}, fired: [] });
});

describe("PATCH /admin/users/{id}", () => {
  test("changes the account, answers as GET, and records who did it", async () => {
    const body = { first_name: null, last_name: "Lee", is_verified: false };
    const data = dataOf(await patch(user, body));
    expect(data).toMatchObject({ user_id: user, ...body, role: "user", sign_in: { password: true } });
    expect(data).toEqual(dataOf(await sendAs(service, `GET /admin/users/${user}`, token)));
    expect(events()).toMatchObject([
      {
        event: "user.updated",
        user_id: String(user),
        actor: "admin",
        actor_id: String(admin),
        level: 40,
        session_id: String(claimsIn(token)["jti"]).slice(0, 36),
        changes: ["is_verified", "first_name", "last_name"],
      },
    ]);
    expect(await mails()).toEqual([]);
  });

  test("writes the app's columns that the role can write, and shows those that it can read", async () => {
    const data = dataOf(await patch(user, { level: 5, budget: "10.50", last_name: "Lee" }));
    expect(data).toMatchObject({ last_name: "Lee", handle: null, points: 10 });
    expect(Object.keys(data)).not.toEqual(expect.arrayContaining(["level"]));
    for (const column of ["budget", "settings", "pin", "badge"]) expect(data).not.toHaveProperty(column);
    expect(await isNow(user, "level = 5 AND budget = 10.5 AND last_name = 'Lee'")).toBe(1);
    expect(events()).toMatchObject([{ changes: ["last_name", "level", "budget"] }]);
  });

  test.each([
    ["a column of another role", { badge: "gold" }, "403 PERMISSION_DENIED"],
    ["a column that no role writes", { points: 50 }, "403 PERMISSION_DENIED"],
    ["a column of the owner", { settings: {} }, "403 PERMISSION_DENIED"],
    ["a value that its validator refuses", { level: "high" }, "400 VALIDATION_ERROR level"],
    ["a text that is too long", { nickname: "n".repeat(21) }, "400 VALIDATION_ERROR nickname"],
  ])("refuses %s, and writes nothing", async (_, body, expected) => {
    expect(outcome(await patch(user, { last_name: "Lee", ...body }))).toBe(expected);
    expect(await isNow(user, "last_name IS NULL")).toBe(1);
    expect(events()).toEqual([]);
  });

  test("of values that the account has already changes nothing", async () => {
    const own = await signIn(service, user);
    expect(
      dataOf(await patch(user, { is_active: true, role: "user", email: "USER4@example.com" })),
    ).toMatchObject({ user_id: user });
    expect(events()).toEqual([]);
    expect(stage.fired.filter(({ hook }) => hook.endsWith("_account"))).toEqual([]);
    expect(outcome(await sendAs(service, "GET /auth/me", own))).toBe("200");
  });

  // biome-ignore format: one case a line
  test.each<[string, Sent["body"], string]>([
    ["nothing", {}, "400 VALIDATION_ERROR role"], ["a password", { password: "x" }, "400 VALIDATION_ERROR password"],
    ["a phone number", { phone_number: "+12025550123" }, "400 VALIDATION_ERROR phone_number"], ["an unknown key", { user_id: 7 }, "400 VALIDATION_ERROR user_id"],
    ["a role that is no text", { role: 7 }, "400 VALIDATION_ERROR role"], ["an empty role", { role: "" }, "400 VALIDATION_ERROR role"],
    ["a null role", { role: null }, "400 VALIDATION_ERROR role"], ["guests", { role: "guest" }, "400 VALIDATION_ERROR role"],
    ["everyone", { role: "*" }, "400 VALIDATION_ERROR role"], ["a group", { role: "signed_in" }, "400 VALIDATION_ERROR role"],
    ["the owner", { role: "self" }, "400 VALIDATION_ERROR role"], ["no flag", { is_active: "no" }, "400 VALIDATION_ERROR is_active"],
    ["no address", { email: "x" }, "400 VALIDATION_ERROR email"], ["no e-mail", { email: null }, "400 VALIDATION_ERROR email"],
    ["a placeholder", { email: "x@placeholder.example" }, "400 VALIDATION_ERROR email"],
    ["a verified new address", { email: "new@example.com", is_verified: true }, "400 VALIDATION_ERROR is_verified"],
    ["a line break", { first_name: "a\nb" }, "400 VALIDATION_ERROR first_name"], ["a long name", { last_name: "x".repeat(256) }, "400 VALIDATION_ERROR last_name"],
    ["a taken address", { email: "user5@example.com" }, "409 EMAIL_ALREADY_EXISTS email"],
  ])("refuses %s", async (_, body, refusal) => {
    expect(outcome(await patch(user, body))).toBe(refusal);
    expect(await isNow(user, "role = 'user' AND is_active AND is_verified AND email = 'user4@example.com'")).toBe(1);
    expect(events()).toEqual([]);
  });

  test("names the nearest role for an unknown one", async () => {
    const reply = await patch(user, { role: "stafff" });
    expect(reply.envelope.message).toMatch(/did you mean "staff"\?/);
  });

  test.each(["x", "0", "99", "%2e"])("of the id %s is 404", async (id) => {
    expect(outcome(await patch(id, { is_active: false }))).toBe("404 NOT_FOUND");
  });

  test("needs a recent sign-in, an access token and an administrator", async () => {
    const request = { method: "PATCH", path: `/admin/users/${user}`, body: { is_active: false } };
    const key = apiKey(admin);
    await service.store({ ...given, auth_tokens: [key.row] });
    expect(outcome(await service.send({ ...request, headers: { "x-api-key": key.key } }))).toBe(
      "401 MISSING_TOKEN",
    );
    expect(outcome(await service.send(request))).toBe("401 MISSING_TOKEN");
    expect(outcome(await service.send(request, { role: "admin", sub: String(admin) }))).toBe(
      "403 REAUTHENTICATION_REQUIRED",
    );
    expect(outcome(await patch(user, { is_active: false }, await signIn(service, user)))).toBe(
      "403 PERMISSION_DENIED",
    );
    const late = await signIn(service, admin);
    clock.pass(601);
    expect(outcome(await patch(user, { is_active: false }, late))).toBe("403 REAUTHENTICATION_REQUIRED");
    expect(await isNow(user, "is_active")).toBe(1);
  });
});

describe("ranks", () => {
  // biome-ignore format: one case a line
  test.each<[string, number, number, Sent["body"], string]>([
    ["an admin and a user", admin, user, { role: "staff" }, "200"], ["an admin and an admin", admin, other, { role: "user" }, "200"],
    ["an admin gives admin", admin, user, { role: "admin" }, "200"], ["an admin gives system", admin, user, { role: "system" }, "403 PERMISSION_DENIED"],
    ["an admin gives superadmin", admin, user, { role: "superadmin" }, "403 PERMISSION_DENIED"],
    ["an admin and a system account", admin, system, { first_name: "x" }, "403 PERMISSION_DENIED"],
    ["an admin and a superadmin", admin, root, { is_active: false }, "403 PERMISSION_DENIED"],
    ["system and an admin", system, admin, { is_active: false }, "200"], ["system and a superadmin", system, root, { first_name: "x" }, "403 PERMISSION_DENIED"],
    ["system gives system", system, user, { role: "system" }, "403 PERMISSION_DENIED"],
    ["a superadmin and a superadmin", root, 6, { role: "user" }, "200"], ["a superadmin gives superadmin", root, user, { role: "superadmin" }, "200"],
    ["a superadmin and a system account", root, system, { role: "admin" }, "200"],
    ["an admin and the own account", admin, admin, { first_name: "x" }, "403 PERMISSION_DENIED"],
    ["a superadmin and the own account", root, root, { role: "user" }, "403 PERMISSION_DENIED"],
  ])("%s", async (_, actor, target, body, expected) => {
    expect(outcome(await patch(target, body, await signIn(service, actor)))).toBe(expected);
  });

  test("are those of the caller's row, not of the token", async () => {
    await service.query(`UPDATE users SET role = 'user' WHERE id = ${admin}`);
    expect(outcome(await patch(user, { first_name: "x" }))).toBe("403 PERMISSION_DENIED");
    const asRoot = await signIn(service, root);
    await service.query(`UPDATE users SET role = 'admin' WHERE id = ${root}`);
    expect(outcome(await patch(6, { first_name: "x" }, asRoot))).toBe("403 PERMISSION_DENIED");
    expect(outcome(await patch(user, { role: "system" }, asRoot))).toBe("403 PERMISSION_DENIED");
  });

  // biome-ignore format: one case a line
  test.each([
    ["POST", "/sign-out"], ["POST", "/invite"], ["DELETE", ""], ["DELETE", "/mfa"],
  ])("hold for %s /admin/users/{id}%s", async (method, path) => {
    for (const id of [root, system, admin])
      expect(outcome(await sendAs(service, `${method} /admin/users/${id}${path}`, token))).toBe("403 PERMISSION_DENIED");
    expect(outcome(await sendAs(service, `${method} /admin/users/99${path}`, token))).toBe("404 NOT_FOUND");
    const old = tokenOf({ role: "admin", sub: String(admin) });
    expect(outcome(await sendAs(service, `${method} /admin/users/${user}${path}`, old))).toBe("403 REAUTHENTICATION_REQUIRED");
    expect(outcome(await sendAs(service, `${method} /admin/users/${user}${path}`, await signIn(service, user)))).toBe("403 PERMISSION_DENIED");
  });
});

describe("at once", () => {
  const me = (as: string) => sendAs(service, "GET /auth/me", as);
  const renew = () => sendAs(service, "POST /auth/refresh-token", undefined, { refreshToken: refresh.token });

  test("another role revokes access tokens, and a refresh has the new role", async () => {
    const own = await signIn(service, user);
    dataOf(await patch(user, { role: "staff" }));
    expect(outcome(await me(own))).toBe("401 TOKEN_REVOKED");
    const { accessToken } = dataOf(await renew());
    expect(claimsIn(accessToken)["role"]).toBe("staff");
    expect(outcome(await me(accessToken))).toBe("200");
    expect(events()[0]).toMatchObject({ changes: ["role from user to staff"] });
    expect(await mails()).toMatchObject([
      { to: "user4@example.com", subject: "An administrator changed your role at scenarios" },
    ]);
    expect((await mails())[0]?.text).not.toContain("127.0.0.1");
  });

  test("a deactivation ends all sessions", async () => {
    const own = await signIn(service, user);
    dataOf(await patch(user, { is_active: false }));
    expect(outcome(await me(own))).toBe("401 TOKEN_REVOKED");
    expect(outcome(await renew())).toBe("401 INVALID_TOKEN");
    expect(await countRows(service, "auth_tokens", `user_id = ${user} AND token_type <> 'api_key'`)).toBe(0);
    expect(await countRows(service, "auth_sessions", `user_id = ${user}`)).toBe(0);
    dataOf(await patch(user, { is_active: true }));
    expect(outcome(await me(own))).toBe("401 TOKEN_REVOKED");
    expect(outcome(await me(await signIn(service, user)))).toBe("200");
  });

  test("another e-mail ends all sessions, is not verified, and is mailed a link; the old address gets a notice", async () => {
    const own = await signIn(service, user);
    await service.query(
      `INSERT INTO auth_pending_changes (user_id, kind, target, expires_at) VALUES (${user}, 'email', 'x', now() + interval '1 day')`,
    );
    const data = dataOf(await patch(user, { email: " NEW@example.com" }));
    expect(data).toMatchObject({ email: "new@example.com", is_verified: false, sign_in: { sessions: 0 } });
    expect(outcome(await me(own))).toBe("401 TOKEN_REVOKED");
    expect(await countRows(service, "auth_pending_changes")).toBe(0);
    const sent = await mails();
    expect(sent.map(({ to }) => to).sort()).toEqual(["new@example.com", "user4@example.com"]);
    const [link, notice] = [
      sent.find(({ to }) => to === "new@example.com"),
      sent.find(({ to }) => to === "user4@example.com"),
    ];
    expect(link?.text).toMatch(/verify-email\?token=/);
    expect(notice?.text).toMatch(/an administrator/);
    expect(notice?.text).not.toMatch(/token=|new@example\.com/);
    expect(JSON.stringify(events())).not.toContain("new@example.com");
  });

  test("the verified owner gets both notices, if the address and the role change", async () => {
    dataOf(await patch(user, { email: "new@example.com", role: "staff" }));
    const told = (await mails()).filter(({ to }) => to === "user4@example.com");
    expect(told.map(({ subject }) => subject).sort()).toEqual([
      "An administrator changed your role at scenarios",
      "Your e-mail address was changed at scenarios",
    ]);
  });

  test("names leave sessions as they are", async () => {
    const own = await signIn(service, user);
    dataOf(await patch(user, { first_name: "Bo", is_verified: false }));
    expect(outcome(await me(own))).toBe("200");
  });

  test("a blacklist that cannot be written is 503, and nothing has changed", async () => {
    await service.query(
      "ALTER TABLE auth_token_blacklist ADD CONSTRAINT broken CHECK (jti NOT LIKE 'user:%')",
    );
    try {
      expect(outcome(await patch(user, { is_active: false }))).toBe("503 AUTH_UNAVAILABLE");
      expect(outcome(await sendAs(service, `DELETE /admin/users/${user}`, token))).toBe(
        "503 AUTH_UNAVAILABLE",
      );
    } finally {
      await service.query("ALTER TABLE auth_token_blacklist DROP CONSTRAINT broken");
    }
    expect(await isNow(user, "is_active")).toBe(1);
  });
});

describe("the last administrator", () => {
  test("cannot be demoted or deactivated", async () => {
    await service.store(accounts([account(1, { role: "system" }), account(2, { role: "admin" })]));
    const asSystem = await signIn(service, 1);
    for (const body of [{ role: "user" }, { is_active: false }])
      expect(outcome(await patch(2, body, asSystem))).toBe("409 LAST_ADMINISTRATOR");
    expect(outcome(await sendAs(service, "DELETE /admin/users/2", asSystem))).toBe("409 LAST_ADMINISTRATOR");
    expect(outcome(await patch(2, { first_name: "x" }, asSystem))).toBe("200");
  });

  test.each([
    ["two who demote each other", { 1: 2, 2: 1 }],
    ["two who are demoted by others", { 3: 1, 4: 2 }],
  ])("of %s at once exactly one is demoted", async (_, pairs) => {
    const roles = ["admin", "admin", "system", "system"];
    await service.store(accounts(roles.map((role, index) => account(index + 1, { role }))));
    const acts = await Promise.all(
      Object.entries(pairs).map(
        async ([actor, target]) => [target, await signIn(service, Number(actor))] as const,
      ),
    );
    const replies = acts.map(([target, as]) => patch(target, { role: "user" }, as));
    const [won, lost] = (await Promise.all(replies)).map(outcome).sort();
    expect(won).toBe("200");
    expect(["401 TOKEN_REVOKED", "403 PERMISSION_DENIED", "409 LAST_ADMINISTRATOR"]).toContain(lost);
    expect(await countRows(service, "users", "role = 'admin'")).toBe(1);
  });

  test("of many administrators who demote each other at once one remains", async () => {
    const ids = Array.from({ length: 10 }, (_, index) => index + 1);
    await service.store(accounts(ids.map((id) => account(id, { role: "admin" }))));
    const tokens = await Promise.all(ids.map((id) => signIn(service, id)));
    const pairs = ids.flatMap((actor) =>
      ids.filter((target) => target !== actor).map((target) => [actor, target] as const),
    );
    const replies = await Promise.all(
      pairs.slice(0, 50).map(([actor, target]) => patch(target, { role: "user" }, tokens[actor - 1])),
    );
    for (const reply of replies)
      expect(["200", "403 PERMISSION_DENIED", "401 TOKEN_REVOKED", "409 LAST_ADMINISTRATOR"]).toContain(
        outcome(reply),
      );
    expect(await countRows(service, "users", "role = 'admin'")).toBeGreaterThan(0);
  });
});

describe("hooks", () => {
  const principal = { user_id: String(admin), role: "admin", email: "user1@example.com" };

  test("run with the administrator, and can change the changes", async () => {
    stage.hooks = {
      before_update_account: (value) => ({ ...value, changes: { ...value.changes, last_name: "Hooked" } }),
    };
    expect(dataOf(await patch(user, { first_name: "Bo" }))).toMatchObject({
      first_name: "Bo",
      last_name: "Hooked",
    });
    const fired = stage.fired.filter(({ hook }) => hook.endsWith("_account"));
    expect(fired.map(({ hook, value, context }) => [hook, value, context.principal])).toEqual([
      ["before_update_account", { user_id: user, changes: { first_name: "Bo" } }, principal],
      [
        "after_update_account",
        { user_id: user, changes: { first_name: "Bo", last_name: "Hooked" } },
        principal,
      ],
    ]);
  });

  // biome-ignore format: one case a line
  test.each([
    [{ role: "*" }, "400 VALIDATION_ERROR role"], [{ role: "self" }, "400 VALIDATION_ERROR role"], [{ password: "x" }, "400 VALIDATION_ERROR password"],
    [{ phone_number: "x" }, "400 VALIDATION_ERROR phone_number"], [{ email: "x" }, "400 VALIDATION_ERROR email"], [{ first_name: "a\nb" }, "400 VALIDATION_ERROR first_name"],
  ])("cannot add %j", async (changes, refusal) => {
    stage.hooks = { before_update_account: (value) => ({ ...value, changes }) };
    expect(outcome(await patch(user, { first_name: "Bo" }))).toBe(refusal);
    expect(await isNow(user, "first_name = 'Ann'")).toBe(1);
  });

  test.each(["before_update_account", "after_update_account"] as const)(
    "a throw of %s refuses",
    async (hook) => {
      const own = await signIn(service, user);
      stage.hooks = { [hook]: () => Promise.reject(new ServiceError("PERMISSION_DENIED", "Not now.")) };
      expect(outcome(await patch(user, { is_active: false }))).toBe("403 PERMISSION_DENIED");
      expect(outcome(await sendAs(service, "GET /auth/me", own))).toBe("200");
    },
  );
});

describe("POST /admin/users/{id}/sign-out", () => {
  test("ends all sessions, and keeps API keys unless it is asked", async () => {
    const own = await signIn(service, user);
    const line = `POST /admin/users/${user}/sign-out`;
    expect(dataOf(await sendAs(service, line, token, {}))).toEqual({
      ended_sessions: 2,
      deleted_api_keys: 0,
    });
    expect(outcome(await sendAs(service, "GET /auth/me", own))).toBe("401 TOKEN_REVOKED");
    expect(await countRows(service, "auth_tokens", `user_id = ${user}`)).toBe(1);
    expect(dataOf(await sendAs(service, line, token, { api_keys: true }))).toEqual({
      ended_sessions: 0,
      deleted_api_keys: 1,
    });
    const withKey = { method: "GET", path: "/things/fetch", headers: { "x-api-key": key.key } };
    expect(outcome(await service.send(withKey))).toBe("401 INVALID_API_KEY");
    expect(events()[0]).toMatchObject({
      event: "user.signed_out",
      user_id: String(user),
      actor: "admin",
      level: 40,
    });
    expect((await mails())[0]).toMatchObject({
      subject: "An administrator ended all of your sessions at scenarios",
    });
    expect(outcome(await sendAs(service, line, token, { api_keys: 1 }))).toBe(
      "400 VALIDATION_ERROR api_keys",
    );
  });
});

test("DELETE /admin/users/{id}/mfa removes second factor and passkeys, ends sessions, and mails the user", async () => {
  const own = await signIn(service, user);
  await service.query(`
    INSERT INTO auth_mfa (user_id, secret, backup_codes, enabled) VALUES (${user}, 'x', '[]', true);
    INSERT INTO auth_passkeys (user_id, credential_id, public_key, counter, user_handle, transports, device_type, backed_up, aaguid, name)
      SELECT id, id, '', 0, '', '{}', 'singleDevice', false, gen_random_uuid(), 'x' FROM users`);
  const line = `DELETE /admin/users/${user}/mfa`;
  expect(dataOf(await sendAs(service, line, token))).toEqual({ mfa: true, passkeys: 1 });
  expect(outcome(await sendAs(service, "GET /auth/me", own))).toBe("401 TOKEN_REVOKED");
  expect([await countRows(service, "auth_mfa"), await countRows(service, "auth_passkeys")]).toEqual([0, 5]);
  expect(await mails()).toMatchObject([
    { to: "user4@example.com", subject: expect.stringContaining("removed your second factor") },
  ]);
  expect(events()[0]).toMatchObject({ event: "user.mfa_reset", actor: "admin" });
  expect(dataOf(await sendAs(service, line, token))).toEqual({ mfa: false, passkeys: 0 });
});

test("DELETE /admin/users/{id} deletes the account as its owner would", async () => {
  const own = await signIn(service, user);
  expect(dataOf(await sendAs(service, `DELETE /admin/users/${user}`, token))).toEqual({ user_id: user });
  expect(await isNow(user, "true")).toBe(0);
  expect(outcome(await sendAs(service, "GET /auth/me", own))).toBe("401 TOKEN_REVOKED");
  const fired = stage.fired.filter(({ hook }) => hook.endsWith("delete_account"));
  expect(fired.map(({ context }) => context.principal.user_id)).toEqual([String(admin), String(admin)]);
  expect(events()).toMatchObject([
    { event: "user.deleted", user_id: String(user), actor: "admin", actor_id: String(admin) },
  ]);
  expect(await mails()).toMatchObject([
    { to: "user4@example.com", subject: "Your account was deleted at scenarios" },
  ]);
  expect(outcome(await sendAs(service, `DELETE /admin/users/${user}`, token))).toBe("404 NOT_FOUND");
});
