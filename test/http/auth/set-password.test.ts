import { beforeEach, describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { account, accounts, countRows, password, session, storedReset } from "../../support/accounts.ts";
import { testClock } from "../../support/clock.ts";
import { mailing, resetToken, tokenIn } from "../../support/links.ts";
import { type Reply, requestOf, type Sent } from "../../support/request.ts";
import { outcome } from "../../support/scenarios.ts";
import { type TestService, testService } from "../../support/service.ts";
import { tokenOf } from "../../support/service-token.ts";
import { testSms } from "../../support/sms.ts";
import { testSmtp } from "../../support/smtp.ts";

const [smtp, sms] = [await testSmtp(), await testSms()];
const clock = testClock();
const settings = {
  ...mailing(smtp),
  ...{ sms: sms.settings, auth: { emailCodes: false }, social: { placeholderDomain: "placeholder.example" } },
};
const service = await testService(settings, { now: clock.now });

const email = "user1@example.com";
const phone = "+12025550123";
const confirmed = { new_password: "Another-Horse-2?", confirm_password: "Another-Horse-2?" };
const [reset, old] = [resetToken(1), session(1)];

const send = (line: string, body?: Sent["body"], token?: string, to: TestService = service) => {
  const [method = "", path = ""] = line.split(" ");
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return to.send({ method, path: `/auth/${path}`, headers, ...(body !== undefined && { body }) });
};
const dataOf = (reply: Reply) => {
  expect(outcome(reply), reply.text).toBe("200");
  return Object(reply.envelope.data);
};
/** Signs in by phone. */
const begin = async (): Promise<{ accessToken: string; refreshToken: string }> => {
  dataOf(await send("POST request-otp", { phone_number: phone }));
  return dataOf(await send("POST verify-otp", { phone_number: phone, otp: sms.codeOf(phone) }));
};
const login = (secret: string) => send("POST login", { email, password: secret });
const set = (token: string, body: Json = confirmed) => send("POST set-password", body, token);
const remove = (token: string) => send("DELETE password", undefined, token);
const refresh = (refreshToken: string) => send("POST refresh-token", { refreshToken });
const store = (columns = {}) =>
  service.store(
    accounts([account(1, { phone_number: phone, ...columns })], [old.row, storedReset(1, reset)]),
  );
const hasPassword = (condition = "IS NOT NULL") => countRows(service, "users", `password ${condition}`);
const events = () => service.log.filter(({ msg }) => msg === "account event").map(({ event }) => event);
const notices = async () => {
  await service.settled();
  return smtp.mails.slice(earlier).map(({ to, subject }) => [to[0], subject]);
};

let earlier = 0;
beforeEach(async () => {
  await service.settled();
  await store();
  service.log.length = 0;
  earlier = smtp.mails.length;
});

describe("POST /auth/set-password", () => {
  beforeEach(() => store({ password: null }));

  test("gives an account its first password; all sessions and reset links stay", async () => {
    const [one, other] = [await begin(), await begin()];
    expect(dataOf(await set(one.accessToken))).toEqual({});
    expect(outcome(await login(confirmed.new_password))).toBe("200");
    expect(events()).toEqual(["password.set"]);
    expect(await notices()).toEqual([[email, "A password was set at scenarios"]]);
    for (const { accessToken, refreshToken } of [one, other]) {
      // It locks the account, and refuses tokens from before a new password.
      expect(outcome(await send("PATCH me", { first_name: "A" }, accessToken))).toBe("200");
      expect(outcome(await refresh(refreshToken))).toBe("200");
    }
    expect(await countRows(service, "auth_tokens", "token_type = 'password_reset'")).toBe(1);
  });

  test.each<[string, Json, string]>([
    [
      "another confirmation",
      { ...confirmed, confirm_password: "x" },
      "400 VALIDATION_ERROR confirm_password",
    ],
    ["a weak one", { new_password: "short", confirm_password: "short" }, "400 WEAK_PASSWORD new_password"],
    ["no confirmation", { new_password: "Another-Horse-2?" }, "400 VALIDATION_ERROR confirm_password"],
    ["another key", { ...confirmed, user_id: 2 }, "400 VALIDATION_ERROR user_id"],
  ])("refuses %s", async (_, body, refusal) => {
    expect(outcome(await set((await begin()).accessToken, body))).toBe(refusal);
    expect(await hasPassword()).toBe(0);
    expect(events()).toEqual([]);
  });

  test.each<[string, string, string]>([
    ["an account that has one", "password = 'x'", "400 VALIDATION_ERROR"],
    ["an account without an e-mail", "email = NULL", "400 VALIDATION_ERROR"],
    ["a placeholder", "email = 'instagram_7@placeholder.example'", "400 VALIDATION_ERROR"],
    ["an inactive account", "is_active = false", "403 ACCOUNT_INACTIVE"],
    ["an older token", "credentials_changed_at = now() + interval '1 s'", "401 TOKEN_REVOKED"],
  ])("refuses %s", async (_, change, refusal) => {
    const { accessToken } = await begin();
    await service.query(`UPDATE users SET ${change}`);
    expect(outcome(await set(accessToken))).toBe(refusal);
    expect(await hasPassword("LIKE '$2%'")).toBe(0);
  });

  test("needs a recent sign-in", async () => {
    const { accessToken } = await begin();
    clock.pass(600);
    for (const token of [accessToken, tokenOf({ role: "user", sub: "1" })])
      expect(outcome(await set(token))).toBe("403 REAUTHENTICATION_REQUIRED");
    expect(await hasPassword()).toBe(0);
  });

  test("of several at once sets one", async () => {
    const { accessToken } = await begin();
    const replies = await Promise.all(Array.from({ length: 5 }, () => set(accessToken)));
    expect(replies.map(outcome).sort()).toEqual(["200", ...Array(4).fill("400 VALIDATION_ERROR")]);
    expect(events()).toEqual(["password.set"]);
  });
});

describe("DELETE /auth/password", () => {
  test("removes it, ends all other sessions at once, and voids reset links and pending changes", async () => {
    const [current, other] = [await begin(), await begin()];
    dataOf(await send("POST change-email", { new_email: "new@example.com" }, current.accessToken));
    await service.settled();
    const link = tokenIn(smtp.mails.at(-1)?.link ?? "");
    expect(dataOf(await remove(current.accessToken))).toEqual({});
    expect(await hasPassword("IS NULL")).toBe(1);
    expect(outcome(await login(password))).toBe("401 INVALID_CREDENTIALS");
    expect(outcome(await send("GET me", undefined, other.accessToken))).toBe("401 TOKEN_REVOKED");
    expect(outcome(await refresh(other.refreshToken))).toBe("401 INVALID_TOKEN");
    // From before version 0.2.
    expect(outcome(await refresh(old.token))).toBe("401 INVALID_TOKEN");
    expect(outcome(await send("POST reset-password", { token: reset, ...confirmed }))).toBe(
      "400 INVALID_RESET_TOKEN",
    );
    expect(outcome(await send("POST change-email/confirm", { token: link }))).toBe("400 INVALID_LINK");
    expect(outcome(await send("PATCH me", { first_name: "A" }, current.accessToken))).toBe("200");
    expect(outcome(await refresh(current.refreshToken))).toBe("200");
    expect(events().filter((event) => event === "password.removed")).toHaveLength(1);
    expect(await notices()).toContainEqual([email, "Your password was removed at scenarios"]);
  });

  test.each<[string, string, string]>([
    ["the last way in", "phone_number = NULL", "409 LAST_SIGN_IN_METHOD"],
    ["an account without one", "password = NULL", "404 NOT_FOUND"],
    ["an inactive account", "is_active = false", "403 ACCOUNT_INACTIVE"],
    ["an older token", "credentials_changed_at = now() + interval '1 s'", "401 TOKEN_REVOKED"],
  ])("refuses %s, and ends no session", async (_, change, refusal) => {
    const [current, other] = [await begin(), await begin()];
    await service.query(`UPDATE users SET ${change}`);
    expect(outcome(await remove(current.accessToken))).toBe(refusal);
    expect(await countRows(service, "auth_tokens", "token_type = 'refresh'")).toBe(3);
    expect(outcome(await send("GET me", undefined, other.accessToken))).toBe("200");
    expect(events()).toEqual([]);
  });

  test("needs a recent sign-in", async () => {
    const { accessToken } = await begin();
    clock.pass(600);
    const reply = await remove(accessToken);
    expect(outcome(reply)).toBe("403 REAUTHENTICATION_REQUIRED");
    expect(Object(reply.envelope.details).methods).toEqual(["password", "phone_code"]);
    expect(await hasPassword()).toBe(1);
  });

  test("of several at once removes it once", async () => {
    const { accessToken } = await begin();
    const replies = await Promise.all(Array.from({ length: 20 }, () => remove(accessToken)));
    expect(replies.map(outcome).sort()).toEqual(["200", ...Array(19).fill("404 NOT_FOUND")]);
  });

  test("and of the phone number at once: one way stays", async () => {
    const { accessToken } = await begin();
    const replies = await Promise.all([remove(accessToken), send("DELETE phone", undefined, accessToken)]);
    expect(replies.map(outcome).sort()).toEqual(["200", "409 LAST_SIGN_IN_METHOD"]);
  });

  test("changes nothing if the sessions cannot be revoked", async () => {
    const { accessToken } = await begin();
    await begin();
    await service.query(
      "ALTER TABLE auth_token_blacklist ADD CONSTRAINT no_entry CHECK (jti NOT LIKE 'session:%')",
    );
    try {
      expect(outcome(await remove(accessToken))).toBe("503 AUTH_UNAVAILABLE");
    } finally {
      await service.query("ALTER TABLE auth_token_blacklist DROP CONSTRAINT no_entry");
    }
    expect([await hasPassword(), await countRows(service, "auth_sessions")]).toEqual([1, 2]);
  });
});

test("without their part of self-service they do not exist", async () => {
  const other = await testService({ ...settings, auth: { selfService: ["profile"] } });
  const as = { role: "user", sub: "1" };
  for (const line of ["POST /auth/set-password", "DELETE /auth/password"])
    expect(outcome(await other.send(requestOf(line), as))).toBe("404 NOT_FOUND");
  const body = { current_password: password, ...confirmed };
  expect(outcome(await other.send(requestOf("POST /auth/change-password", body), as))).toBe("404 NOT_FOUND");
  expect(outcome(await other.send(requestOf("POST /auth/change-password", body)))).toBe("401 MISSING_TOKEN");
});
