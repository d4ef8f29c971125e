import { beforeEach, describe, expect, test } from "vitest";
import { account, accounts, countRows, password, session, storedReset } from "../../support/accounts.ts";
import { testClock } from "../../support/clock.ts";
import { resetToken, signing } from "../../support/links.ts";
import { enrol, totp } from "../../support/mfa.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { testSms } from "../../support/sms.ts";

const clock = testClock();
const sms = await testSms();
const service = await testService({ ...signing, sms: sms.settings }, { now: clock.now });

const mine = session(1);
const reset = resetToken(1);
const next = "Another-Horse-2!";
const phone = "+12025550123";

const send = async (path: string, body: object, token?: string) =>
  outcome(
    await service.send({
      method: "POST",
      path: `/auth/${path}`,
      body: JSON.parse(JSON.stringify(body)),
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    }),
  );

async function signIn(secret = password): Promise<string> {
  const body = { email: "user1@example.com", password: secret };
  const { envelope } = await service.send({ method: "POST", path: "/auth/login", body });
  return (envelope.data as { accessToken: string }).accessToken;
}

/** What makes credentials, or second factors: all that could outlive the token that asks for it. */
const makesCredentials = {
  "api-keys/create": {},
  "setup-mfa": {},
  "generate-verification-link": { user_id: 2, email: "user2@example.com", type: "password_reset" },
};

/** What takes an account back from somebody who stole a token. */
const waysToTakeBack: Readonly<Record<string, () => Promise<string>>> = {
  "a reset of the password": () =>
    send("reset-password", { token: reset, new_password: next, confirm_password: next }),
  "a change of the password": async () => {
    const body = { current_password: password, new_password: next, confirm_password: next };
    return send("change-password", body, await signIn());
  },
  "a logout of all sessions": () => send("logout", { token: mine.token, logout_type: "all" }),
  "a logout of the other sessions": () => send("logout", { token: mine.token, logout_type: "others" }),
};

beforeEach(async () => {
  const users = [account(1, { role: "admin" }), account(2)];
  await service.store(accounts(users, [mine.row, storedReset(1, reset)]));
});

describe.each(Object.entries(waysToTakeBack))("after %s", (_, takeBack) => {
  test("a token of before makes no credentials, and is good for all else", async () => {
    const stolen = await signIn();
    clock.pass(2);
    expect(await takeBack()).toBe("200");
    for (const [path, body] of Object.entries(makesCredentials))
      expect(await send(path, body, stolen), path).toBe("401 TOKEN_REVOKED");
    expect(await countRows(service, "auth_tokens", "token_type = 'api_key'")).toBe(0);
    expect(await countRows(service, "auth_mfa")).toBe(0);
    expect(await send("get-current-user", {}, stolen)).toBe("200");
  });

  test("a token from after it does, of the same millisecond too", async () => {
    expect(await takeBack()).toBe("200");
    const [row] = await service.query("SELECT password FROM users WHERE id = 1");
    const [own] = await service.query("SELECT password FROM users WHERE id = 2");
    const token = await signIn(row?.["password"] === own?.["password"] ? password : next);
    for (const [path, body] of Object.entries(makesCredentials))
      expect(await send(path, body, token), path).toBe("200");
  });
});

test("nor does it switch a second factor off or on", async () => {
  const stolen = await signIn();
  const { secret } = await enrol(service, clock, { role: "user", sub: "1" });
  clock.pass(60);
  await send("reset-password", { token: reset, new_password: next, confirm_password: next });
  const body = { code: totp(secret, clock) };
  for (const path of ["disable-mfa", "verify-mfa"])
    expect(await send(path, body, stolen), path).toBe("401 TOKEN_REVOKED");
});

test("nor after the account went to the owner of its phone number", async () => {
  const stolen = await signIn();
  await service.query(`UPDATE users SET is_verified = false, phone_number = '${phone}' WHERE id = 1`);
  clock.pass(2);
  expect(await send("request-otp", { phone_number: phone })).toBe("200");
  expect(await send("verify-otp", { phone_number: phone, otp: await sms.codeOf(phone) })).toBe("200");
  expect(await send("api-keys/create", {}, stolen)).toBe("401 TOKEN_REVOKED");
});

test("nor does a token whose user is gone, whatever its role", async () => {
  const token = await signIn();
  await service.query("DELETE FROM users WHERE id = 1");
  for (const [path, body] of Object.entries({ ...makesCredentials, "api-keys/create": { user_id: 2 } }))
    expect(await send(path, body, token), path).toBe("404 NOT_FOUND");
  expect(await countRows(service, "auth_tokens")).toBe(0);
});

test("a logout of one session, and a login with an older hash, leave tokens as they are", async () => {
  const token = await signIn();
  clock.pass(2);
  expect(await send("logout", { token: mine.token })).toBe("200");
  await signIn();
  expect(await send("api-keys/create", {}, token)).toBe("200");
});
