import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { account, accounts, countRows, password, session, storedReset } from "../../support/accounts.ts";
import { eventually } from "../../support/eventually.ts";
import { mailing, resetToken, verificationToken } from "../../support/links.ts";
import type { Reply } from "../../support/request.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { testSms } from "../../support/sms.ts";
import { testSmtp } from "../../support/smtp.ts";
import { inTurn } from "../../support/turns.ts";

const sms = await testSms();

const smtp = await testSmtp();

const service = await testService({
  ...mailing(smtp),
  sms: sms.settings,
  auth: { emailVerificationRequired: false, securityNotices: false },
});

const phone = "+12025550123";

const [mine, other] = [session(1), session(1)];

const link = resetToken(1);

const confirmed = { new_password: "Another-Horse-2?", confirm_password: "Another-Horse-2?" };

const post = (route: string, body: Record<string, string>, as: string | null = null) =>
  service.send({ method: "POST", path: `/auth/${route}`, body }, as);

const email = "user1@example.com";

/** Requests that begin a session of user 1. */
const refresh = () => post("refresh-token", { refreshToken: mine.token });

const login = () => post("login", { email, password });

const beginnings: readonly (readonly [name: string, send: () => Promise<Reply>])[] = [
  ["a refresh", refresh],
  ["a login", login],
];

/** Requests that end all sessions of user 1, but for those that they are told to leave. */
const endings: readonly (readonly [name: string, send: () => Promise<Reply>])[] = [
  ["logout all", () => post("logout", { token: other.token, logout_type: "all" })],
  ["a changed password", () => post("change-password", { current_password: password, ...confirmed }, "user")],
  ["a reset password", () => post("reset-password", { token: link, ...confirmed })],
];

/** The gate that an INSERT of a refresh token must pass. */
const gate = "pg_advisory_xact_lock(4711)";

/** Stops the first request right before its new token is stored, until the second one waits as well. */
const overtake = async (first: () => Promise<Reply>, second: () => Promise<Reply>) =>
  (await inTurn(service, `SELECT ${gate}`, first, second)).map(outcome);

describe("what ends sessions", () => {
  beforeAll(() =>
    service.query(`
    CREATE FUNCTION pass_gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM ${gate}; RETURN NEW; END $$;
    CREATE TRIGGER pass_gate BEFORE INSERT ON auth_tokens FOR EACH ROW EXECUTE FUNCTION pass_gate();`),
  );

  beforeEach(() =>
    service.store(
      accounts([account(1, { phone_number: phone })], [mine.row, other.row, storedReset(1, link)]),
    ),
  );

  describe.each(endings)("%s ends what is in flight", (_, end) => {
    test.each(beginnings)("%s", async (_, begin) => {
      expect(await overtake(begin, end)).toEqual(["200", "200"]);
      expect(await countRows(service, "auth_tokens", "token_type = 'refresh'")).toBe(0);
    });
  });

  describe("an account that is changed by an operator while a request waits for it", () => {
    const change = () => post("change-password", { current_password: password, ...confirmed }, "user");
    const reset = () => post("reset-password", { token: link, ...confirmed });
    const remove = "DELETE FROM users WHERE id = 1";
    const deactivate = "UPDATE users SET is_active = false WHERE id = 1";

    test.each<[string, string, () => Promise<Reply>, string]>([
      ["deleted: a refresh", remove, refresh, "401 INVALID_TOKEN"],
      ["deleted: a login", remove, login, "401 INVALID_CREDENTIALS"],
      ["deleted: a reset", remove, reset, "400 INVALID_RESET_TOKEN"],
      ["deleted: a change of the password", remove, change, "404 NOT_FOUND"],
      ["deactivated: a refresh", deactivate, refresh, "403 ACCOUNT_INACTIVE"],
      ["deactivated: a login", deactivate, login, "403 ACCOUNT_INACTIVE"],
      ["deactivated: a reset", deactivate, reset, "403 ACCOUNT_INACTIVE"],
      ["deactivated: a change of the password", deactivate, change, "403 ACCOUNT_INACTIVE"],
    ])("%s", async (_, text, send, refused) => {
      expect((await inTurn(service, text, send)).map(outcome)).toEqual([refused]);
      expect(await countRows(service, "auth_tokens")).toBe(text === remove ? 0 : 3);
    });
  });

  test("a one-time code that clears an unverified account ends a login in flight", async () => {
    await service.query("UPDATE users SET is_verified = false");
    await post("request-otp", { phone_number: phone });
    const verify = () => post("verify-otp", { phone_number: phone, otp: sms.codeOf(phone) });
    expect(await overtake(login, verify)).toEqual(["200", "200"]);
    // That of the one who has the phone.
    expect(await countRows(service, "auth_tokens")).toBe(1);
  });
});

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

describe("what waits for an account or a code", () => {
  beforeEach(() => service.store(accounts([account(1, { is_verified: false, phone_number: phone })])));

  describe("an account that an operator changes while a request waits for its row", () => {
    test.each(Object.entries(changes))(
      "%s: no reset link is made for it, and none mailed",
      async (_, text) => {
        const replies = await inTurn(service, text, () => post("request-reset-password", { email }));
        expect(replies.map(outcome)).toEqual(["200"]);
        await quiet();
        expect(await countRows(service, "auth_tokens")).toBe(0);
        expect(smtp.mails).toEqual([]);
      },
    );

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
});
