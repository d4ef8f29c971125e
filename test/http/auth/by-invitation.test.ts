import { beforeEach, describe, expect, test } from "vitest";
import { account, accounts, countRows, password } from "../../support/accounts.ts";
import { firedHooks, outcome } from "../../support/scenarios.ts";
import { testSms } from "../../support/sms.ts";
import { begin, comeBack, playGithub, socialService, socialSettings } from "../../support/social/sign-in.ts";
import { stage } from "../fixture/stage.ts";

const page = "https://www.example.com/signed-in";
const sms = await testSms();
const { service, provider } = await socialService(socialSettings({ github: {} }, { redirectUrls: [page] }), {
  sms: sms.settings,
  auth: { registration: false },
});

const phone = "+12025550123";
const denied = "403 PERMISSION_DENIED";
const post = (path: string, body: object) =>
  service.send({ method: "POST", path: `/auth/${path}`, body: { ...body } });
const users = () => countRows(service, "users");

beforeEach(async () => {
  Object.assign(stage, { hooks: {}, fired: [] });
  playGithub(provider, { id: 7 });
});

describe("auth.registration false", () => {
  test("no one registers, and the answer is the same for an address with an account", async () => {
    await service.store(accounts([account(1)]));
    for (const email of ["new@example.com", "user1@example.com"])
      expect(outcome(await post("register", { email, password }))).toBe(denied);
    expect([await users(), firedHooks()]).toEqual([1, []]);
  });

  test("a code makes no account, is refused only after its proof, and is not used up", async () => {
    await post("request-otp", { phone_number: phone });
    const otp = sms.codeOf(phone);
    const wrong = String((Number(otp) + 1) % 1_000_000).padStart(6, "0");
    expect(outcome(await post("verify-otp", { phone_number: phone, otp: wrong }))).toBe("401 INVALID_OTP");
    expect(outcome(await post("verify-otp", { phone_number: phone, otp }))).toBe(denied);
    expect([await users(), await countRows(service, "auth_otp"), firedHooks()]).toEqual([0, 1, []]);
    await service.query(`INSERT INTO users (id, phone_number, is_verified) VALUES (1, '${phone}', true)`);
    expect(outcome(await post("verify-otp", { phone_number: phone, otp }))).toBe("200");
  });

  test("a provider makes no account, and is asked first", async () => {
    const { state, cookie } = await begin(service, "github");
    const reply = await comeBack(service, "github", { code: "good", state }, cookie);
    expect([outcome(reply), await users(), firedHooks()]).toEqual([denied, 0, []]);
    expect(provider.heard).not.toEqual([]);
    const bad = await begin(service, "github");
    const refused = await comeBack(service, "github", { code: "bad", state: bad.state }, bad.cookie);
    expect(outcome(refused)).toBe("401 SOCIAL_AUTH_FAILED");
  });

  test("a page gets the error", async () => {
    const { state, cookie } = await begin(service, "github", `?redirect_to=${encodeURIComponent(page)}`);
    const reply = await comeBack(service, "github", { code: "good", state }, cookie);
    expect(reply.headers.location).toBe(`${page}?error=PERMISSION_DENIED`);
  });

  test("a provider leads to an account that exists", async () => {
    await service.store(accounts([account(1, { email: "ann@example.com" })]));
    for (let time = 0; time < 2; time++) {
      const { state, cookie } = await begin(service, "github");
      const reply = await comeBack(service, "github", { code: "good", state }, cookie);
      expect(outcome(reply)).toBe("200");
    }
    expect(await users()).toBe(1);
  });
});
