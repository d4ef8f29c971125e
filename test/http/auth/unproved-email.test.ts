import { beforeEach, describe, expect, test } from "vitest";
import { account, accounts, countRows, password } from "../../support/accounts.ts";
import { mailing, verificationToken } from "../../support/links.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { testSms } from "../../support/sms.ts";
import { testSmtp } from "../../support/smtp.ts";
import { player } from "../../support/social/player.ts";
import { begin, comeBack, socialSettings } from "../../support/social/sign-in.ts";
import { inTurn } from "../../support/turns.ts";

const sms = await testSms();
const github = await player();
const social = socialSettings({ github: {} });
const service = await testService(
  { ...mailing(await testSmtp()), sms: sms.settings, social },
  { resolveProvider: github.resolve },
);

const email = "ann@example.com";
const phone = "+12025550123";
const theAccount = "SELECT FROM users FOR UPDATE";
const post = (path: string, body: Record<string, string>) =>
  service.send({ method: "POST", path: `/auth/${path}`, body });
const byCode = () => post("verify-otp", { phone_number: phone, otp: sms.codeOf(phone) });
/** A sign-in at a provider that vouches for the e-mail; all but its last step is done. */
const fromGithub = async () => {
  const { state, cookie } = await begin(service, "github");
  return () => comeBack(service, "github", { code: "C", state }, cookie);
};
const of = (reply: Awaited<ReturnType<typeof byCode>> | undefined) =>
  (reply?.envelope.data as { user: { user_id: number; email: string | null } } | null)?.user;

beforeEach(async () => {
  await service.store(accounts([account(1, { email, is_verified: false, phone_number: phone })]));
  github.play("POST https://github.com/login/oauth/access_token", () => ({ json: { access_token: "AT" } }));
  github.play("GET https://api.github.com/user", () => ({ json: { id: 7, name: "Ann" } }));
  github.play("GET https://api.github.com/user/emails", () => ({
    json: [{ email, primary: true, verified: true }],
  }));
  await post("request-otp", { phone_number: phone });
});

describe("an e-mail that nobody has proved, at the moment in which a one-time code takes the account over", () => {
  test("goes to an account of its own where its owner signs in next", async () => {
    const [code, elsewhere] = await inTurn(service, theAccount, byCode, await fromGithub());
    expect([code, elsewhere].map((reply) => reply && outcome(reply))).toEqual(["200", "200"]);
    expect(of(code)).toMatchObject({ user_id: 1, email: null });
    expect(of(elsewhere)?.email).toBe(email);
    expect(of(elsewhere)?.user_id).not.toBe(1);
    expect(await countRows(service, "auth_social", "user_id = 1")).toBe(0);
    expect(await countRows(service, "users", "email IS NOT NULL AND is_verified AND id <> 1")).toBe(1);
  });

  test("stays where its owner was quicker: whoever has the phone, which nobody had proved, gets an account of their own", async () => {
    const [elsewhere, code] = await inTurn(service, theAccount, await fromGithub(), byCode);
    expect([elsewhere, code].map((reply) => reply && outcome(reply))).toEqual(["200", "200"]);
    expect([of(elsewhere), of(code)]).toMatchObject([{ user_id: 1, email }, { email: null }]);
    expect(of(code)?.user_id).not.toBe(1);
    expect(await countRows(service, "auth_social", "user_id = 1")).toBe(1);
    expect(await countRows(service, "users")).toBe(2);
  });

  test("cannot be verified any more by the link that was mailed there", async () => {
    const path = `/auth/verify-email?token=${verificationToken(1, email)}`;
    const open = () => service.send({ method: "GET", path });
    const [code, page] = await inTurn(service, theAccount, byCode, open);
    expect([code && outcome(code), page?.status]).toEqual(["200", 400]);
    expect(await countRows(service, "users", "email IS NULL")).toBe(1);
  });

  test("gets no link for a new password", async () => {
    await inTurn(service, theAccount, byCode, () => post("request-reset-password", { email }));
    await expect.poll(() => countRows(service, "auth_tokens", "token_type = 'refresh'")).toBe(1);
    expect(await countRows(service, "auth_tokens", "token_type <> 'refresh'")).toBe(0);
  });

  test("is free again: of many who register it then, one gets it", async () => {
    expect(outcome(await byCode())).toBe("200");
    const replies = await Promise.all(Array.from({ length: 5 }, () => post("register", { email, password })));
    expect(replies.map(outcome).sort()).toEqual(["200", ...Array(4).fill("409 EMAIL_ALREADY_EXISTS email")]);
  });
});
