import { beforeEach, describe, expect, test } from "vitest";
import { account, accounts, countRows } from "../../support/accounts.ts";
import { eventually } from "../../support/eventually.ts";
import { mailing, verificationToken } from "../../support/links.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { testSms } from "../../support/sms.ts";
import { testSmtp } from "../../support/smtp.ts";
import { inTurn } from "../../support/turns.ts";

const smtp = await testSmtp();
const sms = await testSms();
const service = await testService({ ...mailing(smtp), sms: sms.settings });

const email = "user1@example.com";
const phone = "+12025550123";
const post = (path: string, body: Record<string, string>) =>
  service.send({ method: "POST", path: `/auth/${path}`, body });

beforeEach(() => service.store(accounts([account(1, { is_verified: false, phone_number: phone })])));

/** Until nothing is under way in the database: what goes on behind an answer is done there. */
const quiet = () =>
  eventually(async () => {
    const active = "datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()";
    expect(await countRows(service, "pg_stat_activity", active)).toBe(0);
  });

const changes = {
  "gets another address": "UPDATE users SET email = 'new@example.com'",
  "is deactivated": "UPDATE users SET is_active = false",
  "is deleted": "DELETE FROM users",
} as const;

describe("an account that an operator changes while somebody waits for it", () => {
  test.each(Object.entries(changes))("%s: no reset link is made for it, and none mailed", async (_, text) => {
    const replies = await inTurn(service, text, () => post("request-reset-password", { email }));
    expect(replies.map(outcome)).toEqual(["200"]);
    await quiet();
    expect(await countRows(service, "auth_tokens")).toBe(0);
    expect(smtp.mails).toEqual([]);
  });

  const { "is deactivated": deactivated, ...others } = changes;

  test.each(Object.entries(others))("%s: a link does not verify it", async (_, text) => {
    const path = `/auth/verify-email?token=${verificationToken(1, email)}`;
    const [page] = await inTurn(service, text, () => service.send({ method: "GET", path }));
    expect(page?.status).toBe(400);
    expect(await countRows(service, "users", "is_verified")).toBe(0);
  });

  test("is deactivated: a one-time code does not sign in, and stays good", async () => {
    await post("request-otp", { phone_number: phone });
    const verify = () => post("verify-otp", { phone_number: phone, otp: sms.codeOf(phone) });
    expect((await inTurn(service, deactivated, verify)).map(outcome)).toEqual(["403 ACCOUNT_INACTIVE"]);
    await service.query("UPDATE users SET is_active = true");
    expect(outcome(await verify())).toBe("200");
  });

  test("loses its number: a one-time code makes another account", async () => {
    await post("request-otp", { phone_number: phone });
    const verify = () => post("verify-otp", { phone_number: phone, otp: sms.codeOf(phone) });
    const [reply] = await inTurn(service, "UPDATE users SET phone_number = NULL", verify);
    expect(reply && outcome(reply)).toBe("200");
    expect(await countRows(service, "users", `phone_number = '${phone}' AND id <> 1`)).toBe(1);
    expect(await countRows(service, "auth_tokens", "user_id = 1")).toBe(0);
  });
});

describe("a one-time code", () => {
  const code = "SELECT FROM auth_otp FOR UPDATE";
  const ask = () => post("request-otp", { phone_number: phone });

  test("is void behind a request for another", async () => {
    await ask();
    const otp = sms.codeOf(phone);
    const verify = () => post("verify-otp", { phone_number: phone, otp });
    expect((await inTurn(service, code, ask, verify)).map(outcome)).toEqual(["200", "401 INVALID_OTP"]);
    expect(await countRows(service, "auth_tokens")).toBe(0);
  });

  test("is used up before the next is made, which is good", async () => {
    await ask();
    const verify = () => post("verify-otp", { phone_number: phone, otp: sms.codeOf(phone) });
    expect((await inTurn(service, code, verify, ask)).map(outcome)).toEqual(["200", "200"]);
    expect(outcome(await verify())).toBe("200");
  });
});
