import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ServiceError } from "#runtime/core/errors/index";
import { dataOf, sendAs, signIn } from "../../../support/account-requests.ts";
import { account, accounts, apiKey, countRows, password, session } from "../../../support/accounts.ts";
import { testClock } from "../../../support/clock.ts";
import { mailing, signing, tokenIn } from "../../../support/links.ts";
import type { Sent } from "../../../support/request.ts";
import { outcome } from "../../../support/scenarios.ts";
import { type TestService, testService } from "../../../support/service.ts";
import { testSms } from "../../../support/sms.ts";
import { testSmtp } from "../../../support/smtp.ts";
import { stage } from "../../fixture/stage.ts";

const [smtp, sms] = [await testSmtp(), await testSms()];
const clock = testClock();
/** Of fifty requests that take turns, the last one waits long on a busy machine. */
const patient = { acquireTimeoutMs: 60_000, answerTimeoutMs: 60_000 };
const social = { placeholderDomain: "placeholder.example" };
const auth = { securityNotices: true };
const service = await testService(
  { ...mailing(smtp), sms: sms.settings, social, auth },
  { now: clock.now, connecting: patient },
);
const mailless = await testService({ ...signing, social });

const email = "new@example.com";
const invalid = "400 INVALID_LINK";
const confirmed = { new_password: "Another-Horse-2?", confirm_password: "Another-Horse-2?" };
let token = "";
const create = (body: Sent["body"], as = token, to: TestService = service) =>
  sendAs(to, "POST /admin/users", as, body);
const invite = (id: number) => sendAs(service, `POST /admin/users/${id}/invite`, token, {});
const accept = (link: string, more: object = confirmed, to: TestService = service) =>
  sendAs(
    to,
    "POST /auth/accept-invitation",
    undefined,
    JSON.parse(JSON.stringify({ token: tokenIn(link), ...more })),
  );
const mailTo = async (address: string) => {
  await service.settled();
  const mail = smtp.mails.findLast(({ to }) => to.includes(address));
  if (mail === undefined) throw new Error(`there is no mail to ${address}`);
  return mail;
};
const isNow = (condition: string) => countRows(service, "users", `email = '${email}' AND ${condition}`);
const events = () => service.log.filter(({ msg }) => msg === "account event");
/** Invites a new user, and returns the id and the link. */
const invited = async () => {
  const { user } = dataOf(await create({ email }));
  return { id: Number(user.user_id), link: (await mailTo(email)).link };
};
const signInByPhone = async (phone_number: string) => {
  dataOf(await sendAs(service, "POST /auth/request-otp", undefined, { phone_number }));
  const body = { phone_number, otp: sms.codeOf(phone_number) };
  return String(dataOf(await sendAs(service, "POST /auth/verify-otp", undefined, body)).accessToken);
};
const given = accounts([account(1, { role: "admin" }), account(2), account(3, { role: "superadmin" })]);

beforeEach(async () => {
  await service.settled();
  await service.store(given);
  token = await signIn(service, 1);
  service.log.length = 0;
});
afterEach(() => {
  Object.assign(stage, { hooks: {}, fired: [] });
});

describe("POST /admin/users", () => {
  test("sets the app's columns that the role can write", async () => {
    dataOf(await create({ email, level: 7 }));
    expect(await isNow("level = 7")).toBe(1);
    expect(outcome(await create({ email: "other@example.com", badge: "gold" }))).toBe(
      "403 PERMISSION_DENIED",
    );
  });

  test("creates an active, unverified account without a password, and mails its owner a link", async () => {
    const body = { email: " NEW@example.com", role: "staff", first_name: "Ann", last_name: "Lee" };
    const data = dataOf(await create(body));
    expect(data).toEqual({
      user: expect.objectContaining({
        email,
        role: "staff",
        first_name: "Ann",
        last_name: "Lee",
        is_active: true,
        is_verified: false,
      }),
      invitation_sent: true,
    });
    expect(data.user).toEqual(dataOf(await sendAs(service, `GET /admin/users?email=${email}`, token))[0]);
    expect(await isNow("password IS NULL")).toBe(1);
    const mail = await mailTo(email);
    expect(mail.text).toMatch(/^Hello Ann,.*invited to scenarios.*7 days/s);
    expect(mail.link).toMatch(/^http:\/\/localhost:3000\/auth\/accept-invitation\?token=/);
    expect(events()).toMatchObject([
      { event: "user.created", user_id: String(data.user.user_id), actor: "admin", actor_id: "1", level: 40 },
    ]);
    expect(JSON.stringify(service.log)).not.toContain(tokenIn(mail.link));
  });

  test("gives the role user by default", async () => {
    expect(dataOf(await create({ email })).user).toMatchObject({ role: "user", first_name: null });
  });

  test("answers the link if no mail has it", async () => {
    await mailless.store(given);
    const as = await signIn(mailless, 1);
    const { invitation_link: link, ...rest } = dataOf(await create({ email }, as, mailless));
    expect(rest).toEqual({ user: expect.objectContaining({ email }), invitation_sent: false });
    expect(outcome(await accept(link, confirmed, mailless))).toBe("200");
    const before = smtp.mails.length;
    const data = dataOf(await create({ email, send_invitation: false }));
    expect(data).toMatchObject({
      invitation_sent: false,
      invitation_link: expect.stringContaining("token="),
    });
    await service.settled();
    expect(smtp.mails).toHaveLength(before);
  });

  // biome-ignore format: one case a line
  test.each<[string, Sent["body"], string]>([
    ["no address", {}, "400 VALIDATION_ERROR email"], ["no valid address", { email: "x" }, "400 VALIDATION_ERROR email"],
    ["a taken address", { email: "USER2@example.com" }, "409 EMAIL_ALREADY_EXISTS email"],
    ["a placeholder", { email: "x@placeholder.example" }, "400 VALIDATION_ERROR email"], ["a password", { email, password }, "400 VALIDATION_ERROR password"],
    ["a phone number", { email, phone_number: "+12025550123" }, "400 VALIDATION_ERROR phone_number"], ["an unknown role", { email, role: "king" }, "400 VALIDATION_ERROR role"],
    ["a group", { email, role: "*" }, "400 VALIDATION_ERROR role"], ["a role above the rank", { email, role: "superadmin" }, "403 PERMISSION_DENIED"],
    ["a line break", { email, first_name: "a\nb" }, "400 VALIDATION_ERROR first_name"], ["another key", { email, is_verified: true }, "400 VALIDATION_ERROR is_verified"],
  ])("refuses %s", async (_, body, refusal) => {
    expect(outcome(await create(body))).toBe(refusal);
    expect(await countRows(service, "users")).toBe(3);
  });

  test("lets superadmins create superadmins", async () => {
    expect(dataOf(await create({ email, role: "superadmin" }, await signIn(service, 3))).user).toMatchObject({
      role: "superadmin",
    });
  });

  test("needs a recent sign-in of an administrator with an access token", async () => {
    expect(
      outcome(await service.send({ method: "POST", path: "/admin/users", body: { email } }, "admin")),
    ).toBe("403 REAUTHENTICATION_REQUIRED");
    expect(outcome(await create({ email }, await signIn(service, 2)))).toBe("403 PERMISSION_DENIED");
    await service.query("UPDATE users SET role = 'user' WHERE id = 1");
    expect(outcome(await create({ email }))).toBe("403 PERMISSION_DENIED");
    const key = apiKey(3);
    await service.store({ ...given, auth_tokens: [key.row] });
    const reply = await service.send({
      method: "POST",
      path: "/admin/users",
      body: { email },
      headers: { "x-api-key": key.key },
    });
    expect(outcome(reply)).toBe("401 MISSING_TOKEN");
  });

  test("without SERVICE_AUTH_VERIFICATION_KEY is 503, and creates nothing", async () => {
    const other = await testService();
    await other.store(given);
    expect(outcome(await create({ email }, await signIn(other, 1), other))).toBe("503 HTTP_ERROR");
    expect(await countRows(other, "users")).toBe(3);
  });

  test("of fifty at once with one address one succeeds", async () => {
    const replies = await Promise.all(Array.from({ length: 50 }, () => create({ email })));
    expect(replies.map(outcome).sort()).toEqual(["200", ...Array(49).fill("409 EMAIL_ALREADY_EXISTS email")]);
  });

  test("runs the hooks of a registration as the administrator; the role stays", async () => {
    stage.hooks = { before_register: (value) => ({ ...value, last_name: "Hooked", role: "superadmin" }) };
    expect(dataOf(await create({ email, role: "staff" })).user).toMatchObject({
      role: "staff",
      last_name: "Hooked",
    });
    const principal = { user_id: "1", role: "admin", email: "user1@example.com" };
    const fired = stage.fired.filter(({ hook }) => hook.endsWith("_register"));
    expect(fired.map(({ hook, context }) => [hook, context.principal])).toEqual([
      ["before_register", principal],
      ["after_register", principal],
    ]);
    expect(fired[0]?.value).toMatchObject({ email, password: null });
    stage.hooks = { after_register: () => Promise.reject(new ServiceError("PERMISSION_DENIED", "Not now.")) };
    expect(outcome(await create({ email: "other@example.com" }))).toBe("403 PERMISSION_DENIED");
    expect(await countRows(service, "users")).toBe(4);
  });
});

describe("POST /auth/accept-invitation", () => {
  test("sets the password and verifies the address, once", async () => {
    const { id, link } = await invited();
    expect(dataOf(await accept(link))).toEqual({});
    expect(await isNow("is_verified AND password IS NOT NULL")).toBe(1);
    const login = await sendAs(service, "POST /auth/login", undefined, {
      email,
      password: confirmed.new_password,
    });
    expect(outcome(login)).toBe("200");
    expect(outcome(await accept(link))).toBe(invalid);
    expect(events().at(-1)).toMatchObject({
      event: "invitation.accepted",
      user_id: String(id),
      actor: "link",
      level: 30,
    });
  });

  test("of fifty at once one succeeds", async () => {
    const { link } = await invited();
    const replies = await Promise.all(Array.from({ length: 50 }, () => accept(link)));
    const outcomes = replies.map(outcome);
    expect(outcomes.filter((one) => one === "200")).toHaveLength(1);
    // The queue of passwords refuses many hashes for one account at once.
    for (const one of outcomes) expect(["200", invalid, "503 HTTP_ERROR"]).toContain(one);
  });

  // biome-ignore format: one case a line
  test.each([
    [{ new_password: "short", confirm_password: "short" }, "400 WEAK_PASSWORD new_password"],
    [{ ...confirmed, confirm_password: "x" }, "400 VALIDATION_ERROR confirm_password"], [{ new_password: "x" }, "400 VALIDATION_ERROR confirm_password"],
    [{ ...confirmed, x: 1 }, "400 VALIDATION_ERROR x"],
  ])("a refused password does not use the link up: %j", async (body, refusal) => {
    const { link } = await invited();
    expect(outcome(await accept(link, body))).toBe(refusal);
    expect(outcome(await accept(link))).toBe("200");
  });

  test.each<[string, string]>([
    ["of an inactive account", "UPDATE users SET is_active = false WHERE id > 3"],
    ["of an account that has a password by now", "UPDATE users SET password = 'x' WHERE id > 3"],
    ["of an account that is gone", "DELETE FROM users WHERE id > 3"],
    ["that has expired", "UPDATE auth_tokens SET expires_at = now() WHERE token_type = 'invitation'"],
  ])("refuses a link %s", async (_, sql) => {
    const { link } = await invited();
    await service.query(sql);
    expect(outcome(await accept(link))).toBe(invalid);
  });

  test("refuses a link after invitation_days, other tokens and garbage", async () => {
    const { link } = await invited();
    const { accessToken } = dataOf(
      await sendAs(service, "POST /auth/login", undefined, { email: "user2@example.com", password }),
    );
    for (const wrong of ["x", accessToken, `${tokenIn(link)}x`])
      expect(outcome(await accept(`http://x/?token=${wrong}`))).toBe(invalid);
    clock.pass(7 * 86_400 + 1);
    expect(outcome(await accept(link))).toBe(invalid);
    clock.pass(-7 * 86_400 - 1);
  });

  test("drops what a stranger may have left in the account", async () => {
    const { id, link } = await invited();
    const stranger = apiKey(id);
    await service.query(`
      INSERT INTO auth_social (user_id, provider, uid) VALUES (${id}, 'google', 'a');
      INSERT INTO auth_mfa (user_id, secret, backup_codes) VALUES (${id}, 'x', '[]');
      INSERT INTO auth_passkeys (user_id, credential_id, public_key, counter, user_handle, transports, device_type, backed_up, aaguid, name)
        VALUES (${id}, 'c', '', 0, '', '{}', 'singleDevice', false, gen_random_uuid(), 'x');
      INSERT INTO auth_pending_changes (user_id, kind, target, expires_at) VALUES (${id}, 'email', 'x', now() + interval '1 day');
      INSERT INTO auth_otp (email, code_hash, expires_at) VALUES ('${email}', 'x', now() + interval '1 minute');
      UPDATE users SET phone_number = '+12025550123' WHERE id = ${id};
      INSERT INTO auth_tokens (user_id, token_type, token_hash, expires_at) VALUES (${id}, 'api_key', '${stranger.hash}', now() + interval '1 day');
      INSERT INTO auth_tokens (user_id, token_type, token_hash, expires_at) VALUES (${id}, 'refresh', '${String(session(id).row["token_hash"])}', now() + interval '1 day')`);
    expect(outcome(await accept(link))).toBe("200");
    for (const table of ["auth_social", "auth_mfa", "auth_tokens", "auth_passkeys", "auth_pending_changes"])
      expect([table, await countRows(service, table, `user_id = ${id}`)]).toEqual([table, 0]);
    expect(await countRows(service, "auth_otp")).toBe(0);
    expect(await isNow("phone_number IS NULL")).toBe(1);
  });

  test("an owner who has proved the address gets a notice of the password, and keeps the second factor", async () => {
    const { id, link } = await invited();
    await service.query(`UPDATE users SET is_verified = true WHERE id = ${id};
      INSERT INTO auth_mfa (user_id, secret, backup_codes) VALUES (${id}, 'x', '[]')`);
    expect(outcome(await accept(link))).toBe("200");
    expect((await mailTo(email)).subject).toBe("A password was set at scenarios");
    expect(await countRows(service, "auth_mfa")).toBe(1);
  });

  test("a link is void once its owner has changed the address", async () => {
    const { id, link } = await invited();
    await service.query(
      `UPDATE users SET is_verified = true, phone_number = '+12025550123' WHERE id = ${id}`,
    );
    const own = await signInByPhone("+12025550123");
    dataOf(await sendAs(service, "POST /auth/change-email", own, { new_email: "own@example.com" }));
    const change = { token: tokenIn((await mailTo("own@example.com")).link) };
    dataOf(await sendAs(service, "POST /auth/change-email/confirm", undefined, change));
    expect(outcome(await accept(link))).toBe(invalid);
  });

  test.each(["GET", "HEAD"])("%s shows the page, and changes nothing", async (method) => {
    const { link } = await invited();
    const { pathname, search } = new URL(link);
    const reply = await service.send({ method, path: pathname + search });
    expect([reply.status, reply.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(reply.text).not.toContain(tokenIn(link));
    expect(outcome(await accept(link))).toBe("200");
  });

  test("the manifest can name another page and other days", async () => {
    const auth = { invitationPageUrl: "https://app.example/welcome?a=1#b" };
    const other = await testService({ ...signing, auth });
    await other.store(given);
    const { invitation_link: link } = dataOf(await create({ email }, await signIn(other, 1), other));
    expect(link).toMatch(/^https:\/\/app\.example\/welcome\?a=1&token=[^&]+#b$/);
  });
});

describe("POST /admin/users/{id}/invite", () => {
  test("mails another link, and voids the older one", async () => {
    const { id, link } = await invited();
    expect(dataOf(await invite(id))).toEqual({ invitation_sent: true });
    const { link: newer } = await mailTo(email);
    expect(newer).not.toBe(link);
    expect(outcome(await accept(link))).toBe(invalid);
    expect(outcome(await accept(newer))).toBe("200");
    expect(events().find(({ event }) => event === "user.invited")).toMatchObject({
      user_id: String(id),
      actor: "admin",
      level: 40,
    });
  });

  test("is 400 once the account is verified or can sign in, or has no address", async () => {
    const { id, link } = await invited();
    await service.query(`UPDATE users SET is_verified = true WHERE id = ${id}`);
    expect(outcome(await invite(id))).toBe("400 VALIDATION_ERROR");
    await service.query(`UPDATE users SET is_verified = false, email = NULL WHERE id = ${id}`);
    expect(outcome(await invite(id))).toBe("400 VALIDATION_ERROR email");
    expect(outcome(await invite(2))).toBe("400 VALIDATION_ERROR");
    expect(outcome(await accept(link))).toBe("200");
  });

  test("a corrected address voids the link that the former one got", async () => {
    const { id, link } = await invited();
    dataOf(await sendAs(service, `PATCH /admin/users/${id}`, token, { email: "newer@example.com" }));
    expect(outcome(await accept(link))).toBe(invalid);
    expect(dataOf(await invite(id))).toEqual({ invitation_sent: true });
    expect(outcome(await accept((await mailTo("newer@example.com")).link))).toBe("200");
  });
});
