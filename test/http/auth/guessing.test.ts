import { beforeEach, describe, expect, test } from "vitest";
import { purgeExpired } from "#runtime/process/commands/purge-command";
import { account, accounts, countRows, password } from "../../support/accounts.ts";
import { testClock } from "../../support/clock.ts";
import { type Enrolment, enrol, totp } from "../../support/mfa.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { testSms } from "../../support/sms.ts";

const clock = testClock();
const sms = await testSms();
const service = await testService({ sms: sms.settings }, { now: clock.now });
const user = { role: "user", sub: "1" };
const phone = "+12025550123";

const post = (path: string, body: object, as: typeof user | null = null) =>
  service.send({ method: "POST", path: `/auth/${path}`, body: JSON.parse(JSON.stringify(body)) }, as);

describe("codes of a second factor cannot be guessed", () => {
  let enrolment: Enrolment;
  const login = async (mfa_code: string) =>
    outcome(await post("login", { email: "user1@example.com", password, mfa_code }));
  const routes: Readonly<Record<string, (code: string) => Promise<string>>> = {
    login,
    "verify-mfa": async (code) => outcome(await post("verify-mfa", { code }, user)),
    "disable-mfa": async (code) => outcome(await post("disable-mfa", { code }, user)),
  };

  beforeEach(async () => {
    await service.store(accounts([account(1), account(2)]));
    enrolment = await enrol(service, clock, user);
  });

  /** No code of the moment: right ones are skipped. */
  const guess = (index: number) => {
    const code = String(index).padStart(6, "0");
    const isRight = [-1, 0, 1].some((steps) => totp(enrolment.secret, clock, steps) === code);
    return isRight ? "999999" : code;
  };

  test.each(Object.entries(routes))(
    "ten wrong codes at %s lock every route that takes a code for 15 minutes",
    async (_, tryCode) => {
      for (let index = 0; index < 10; index++)
        expect(await tryCode(guess(index))).toBe("401 INVALID_MFA_CODE");
      for (const other of Object.values(routes)) {
        expect(await other(totp(enrolment.secret, clock))).toBe("401 INVALID_MFA_CODE");
        expect(await other(enrolment.backupCodes[0] ?? "")).toBe("401 INVALID_MFA_CODE");
      }
      const told = await post("verify-mfa", { code: totp(enrolment.secret, clock) }, user);
      expect(told.envelope.message).toBe("Too many wrong codes. Try again in 15 minutes.");
      clock.pass(15 * 60 + 1);
      expect(await login(totp(enrolment.secret, clock))).toBe("200");
    },
  );

  test("fifty at once are ten", async () => {
    await Promise.all(Array.from({ length: 50 }, (_, index) => login(guess(index))));
    expect(await countRows(service, "auth_mfa", "failed_attempts = 10")).toBe(1);
  });

  test("a correct code resets the count; a missing one does not count", async () => {
    for (let index = 0; index < 9; index++) await login(guess(index));
    expect(outcome(await post("login", { email: "user1@example.com", password }))).toBe("403 MFA_REQUIRED");
    expect(await login(totp(enrolment.secret, clock))).toBe("200");
    clock.pass(30);
    for (let index = 0; index < 9; index++) await login(guess(index));
    expect(await login(enrolment.backupCodes[1] ?? "")).toBe("200");
  });

  test("a caller without the password cannot use up the attempts", async () => {
    for (let index = 0; index < 12; index++) {
      const body = { email: "user1@example.com", password: "Wrong-Horse-1!!", mfa_code: guess(index) };
      await post("login", body);
    }
    expect(await login(totp(enrolment.secret, clock))).toBe("200");
  });
});

describe("one-time codes cannot be guessed by requesting new ones", () => {
  const requestCode = async () => {
    await post("request-otp", { phone_number: phone });
    return sms.codeOf(phone);
  };
  const verify = async (otp: string) => outcome(await post("verify-otp", { phone_number: phone, otp }));
  const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");
  const useUp = async () => {
    for (let round = 0; round < 4; round++) {
      const code = await requestCode();
      for (let index = 0; index < 5; index++) expect(await verify(wrong(code))).toBe("401 INVALID_OTP");
    }
  };

  beforeEach(() => service.store(accounts([account(1, { phone_number: phone })])));

  test("after twenty wrong tries none counts for an hour", async () => {
    await useUp();
    expect(await verify(await requestCode())).toBe("401 INVALID_OTP");
    clock.pass(60 * 60 + 1);
    expect(await verify(await requestCode())).toBe("200");
  });

  test("the purge does not forget them, and not keep them", async () => {
    await useUp();
    const left = async () => {
      for await (const _ of purgeExpired(service.pool));
      return countRows(service, "auth_otp");
    };
    await service.query("UPDATE auth_otp SET expires_at = now() - interval '59 minutes'");
    expect(await left()).toBe(1);
    await service.query("UPDATE auth_otp SET expires_at = now() - interval '61 minutes'");
    expect(await left()).toBe(0);
  });
});
