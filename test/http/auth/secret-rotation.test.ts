import { beforeEach, describe, expect, test } from "vitest";
import { secretKey } from "#runtime/core/config/secret-keys";
import { LinkSignatures } from "#runtime/modules/storage/stores/local/local-store";
import type { Json } from "#vocabulary/json";
import { account, password } from "../../support/accounts.ts";
import { Authenticator } from "../../support/authenticator.ts";
import { testClock } from "../../support/clock.ts";
import { mailing, tokenIn } from "../../support/links.ts";
import { enrol, totp } from "../../support/mfa.ts";
import { outcome } from "../../support/scenarios.ts";
import { type Settings, type TestService, testService } from "../../support/service.ts";
import { claimsOf, jwtSecret, signed } from "../../support/service-token.ts";
import { testSms } from "../../support/sms.ts";
import { testSmtp } from "../../support/smtp.ts";
import { player } from "../../support/social/player.ts";
import { begin, comeBack, playGithub, socialSettings } from "../../support/social/sign-in.ts";
import { leastStorageSettings } from "../../support/storage.ts";

type SecretName = "jwt" | "apiKey" | "verification" | "encryption";

const clock = testClock();
const [sms, smtp, provider] = [await testSms(), await testSmtp(), await player()];
const page = "https://www.example.com/signed-in";
const mails = mailing(smtp);
const origin = "https://example.com";
const base: Settings = {
  ...mails,
  sms: sms.settings,
  social: socialSettings({ github: {} }, { redirectUrls: [page] }),
  storage: leastStorageSettings,
  auth: {
    ...mails.auth,
    passkeys: { rpId: "example.com", rpName: "Shop", origins: [origin] },
    emailCodes: true,
  },
};
const peers = { now: clock.now, resolveProvider: provider.resolve };

const former = (name: SecretName) => secretKey(name === "jwt" ? jwtSecret : `the former ${name}`.padEnd(40));
const next = (name: SecretName) => secretKey(`the next ${name}`.padEnd(40));
/** Settings with the same choice of keys for each secret. */
const keys = (
  choose: (name: SecretName) => readonly [ReturnType<typeof next>, ...ReturnType<typeof next>[]],
) => ({
  ...base,
  secrets: {
    jwt: choose("jwt"),
    apiKey: choose("apiKey"),
    verification: choose("verification"),
    encryption: choose("encryption"),
  },
});

/** The instances of the deployments, on one database. */
const before = await testService(
  keys((name) => [former(name)]),
  peers,
);
const onSame = (choose: Parameters<typeof keys>[0]) =>
  testService(keys(choose), { ...peers, reach: async () => before.url });
const first = await onSame((name) => [former(name), next(name)]);
const second = await onSame((name) => [next(name), former(name)]);
const third = await onSame((name) => [next(name)]);

const email = "user1@example.com";
const phone = "+12025550123";
const user = { role: "user", sub: "1" };
const confirmed = { new_password: "Another-Horse-2?", confirm_password: "Another-Horse-2?" };

const post = (to: TestService, path: string, body: object, headers = {}) =>
  to.send({ method: "POST", path: `/auth/${path}`, body: { ...body }, headers });
const get = (to: TestService, path: string, headers = {}) => to.send({ method: "GET", path, headers });
const bearer = (token: unknown) => ({ authorization: `Bearer ${String(token)}` });
async function login(to: TestService, more: object = {}) {
  const reply = await post(to, "login", { email, password, ...more });
  expect(outcome(reply), reply.text).toBe("200");
  return reply.envelope.data as { accessToken: string; refreshToken: string };
}

/** Makes something on one instance, and returns how another takes it. */
type Thing = (from: TestService) => Promise<(to: TestService) => Promise<string>>;

const things: Readonly<Record<string, Thing>> = {
  "an access token": async (from) => {
    const { accessToken } = await login(from);
    return async (to) => outcome(await get(to, "/auth/me", bearer(accessToken)));
  },
  "the stamp of an access token": async (from) => {
    await before.query("UPDATE users SET credentials_changed_at = now() - interval '1 second' WHERE id = 1");
    const { accessToken } = await login(from);
    return async (to) => outcome(await post(to, "api-keys/create", {}, bearer(accessToken)));
  },
  "a refresh token": async (from) => {
    const { refreshToken } = await login(from);
    return async (to) => outcome(await post(to, "refresh-token", { refreshToken }));
  },
  "a social sign-in": async (from) => {
    playGithub(provider, { id: 7, email });
    const { state, cookie } = await begin(from, "github");
    return async (to) => outcome(await comeBack(to, "github", { code: "good", state }, cookie));
  },
  "a web auth token": async (from) => {
    playGithub(provider, { id: 7, email });
    const { state, cookie } = await begin(from, "github", `?redirect_to=${encodeURIComponent(page)}`);
    const back = await comeBack(from, "github", { code: "good", state }, cookie);
    const token = tokenIn(String(back.headers.location));
    return async (to) => outcome(await post(to, "verify-web-auth", { token }));
  },
  "a one-time code": async (from) => {
    await post(from, "request-otp", { phone_number: phone });
    const otp = sms.codeOf(phone);
    return async (to) => outcome(await post(to, "verify-otp", { phone_number: phone, otp }));
  },
  "an e-mail code": async (from) => {
    await post(from, "request-email-code", { email });
    const code = /\b\d{6}\b/.exec((await smtp.next(email)).text)?.[0];
    return async (to) => outcome(await post(to, "verify-email-code", { email, code }));
  },
  "a code for a new number": async (from) => {
    const { accessToken } = await login(from);
    const phone_number = "+12025550199";
    await post(from, "change-phone", { phone_number }, bearer(accessToken));
    const code = sms.codeOf(phone_number);
    return async (to) => outcome(await post(to, "change-phone/confirm", { code }, bearer(accessToken)));
  },
  "a challenge for a new passkey": async (from) => {
    const { accessToken } = await login(from);
    const made = await post(from, "passkeys/register-options", {}, bearer(accessToken));
    const { options } = made.envelope.data as { options: Json };
    const body = { response: new Authenticator(origin).create(options) };
    return async (to) => outcome(await post(to, "passkeys/register", body, bearer(accessToken)));
  },
  "a challenge for a sign-in": async (from) => {
    const { accessToken } = await login(from);
    const optionsOf = async (path: string) => {
      const made = await post(from, path, {}, bearer(accessToken));
      return (made.envelope.data as { options: Json }).options;
    };
    const passkey = new Authenticator(origin);
    const made = { response: passkey.create(await optionsOf("passkeys/register-options")) };
    expect(outcome(await post(from, "passkeys/register", made, bearer(accessToken)))).toBe("200");
    const body = { response: passkey.get(await optionsOf("passkeys/login-options")) };
    return async (to) => outcome(await post(to, "passkeys/login", body));
  },
  "an API key": async (from) => {
    const { accessToken } = await login(from);
    const made = await post(from, "api-keys/create", {}, bearer(accessToken));
    const { api_key } = made.envelope.data as { api_key: string };
    return async (to) => outcome(await get(to, "/tasks/fetch", { "x-api-key": api_key }));
  },
  "a second factor": async (from) => {
    const { accessToken } = await login(from);
    const { secret } = await enrolled(from, accessToken);
    return async (to) => outcome(await post(to, "login", { email, password, mfa_code: totp(secret, clock) }));
  },
  "a backup code": async (from) => {
    const { accessToken } = await login(from);
    const { backupCodes } = await enrolled(from, accessToken);
    return async (to) => outcome(await post(to, "login", { email, password, mfa_code: backupCodes[0] }));
  },
  "a reset link": async (from) => {
    await post(from, "request-reset-password", { email });
    const token = tokenIn((await smtp.next(email)).link);
    return async (to) => outcome(await post(to, "reset-password", { token, ...confirmed }));
  },
  "a verification link": async (from) => {
    await before.query("UPDATE users SET is_verified = false WHERE id = 1");
    await post(from, "request-verification", { email });
    const { link } = await smtp.next(email);
    return async (to) => `${(await get(to, `/auth/verify-email?token=${tokenIn(link)}`)).status}`;
  },
  "a link for a new address": async (from) => {
    const { accessToken } = await login(from);
    await post(from, "change-email", { new_email: "other@example.com" }, bearer(accessToken));
    const token = tokenIn((await smtp.next("other@example.com")).link);
    return async (to) => {
      const confirmation = outcome(await post(to, "change-email/confirm", { token }));
      // The notice to the old address.
      if (confirmation === "200") await smtp.next(email);
      return confirmation;
    };
  },
  "an invitation": async (from) => {
    await before.query(
      "UPDATE users SET password = NULL, phone_number = NULL, is_verified = false WHERE id = 1",
    );
    await before.query("UPDATE users SET role = 'admin' WHERE id = 2");
    const body = { email: "user2@example.com", password };
    const { accessToken } = (await post(from, "login", body)).envelope.data as { accessToken: string };
    const send = { method: "POST", path: "/admin/users/1/invite", body: {}, headers: bearer(accessToken) };
    expect(outcome(await from.send(send))).toBe("200");
    const token = tokenIn((await smtp.next(email)).link);
    return async (to) => outcome(await post(to, "accept-invitation", { token, ...confirmed }));
  },
  "a link to a file": async (from) => {
    const expires = Math.floor(Date.now() / 1000) + 60;
    const signature = new LinkSignatures(from.config.secrets.jwt).of("none.txt", expires);
    const path = `/storage/files/none.txt?expires=${expires}&signature=${signature}`;
    // The signature is checked before the file is sought.
    return async (to) => ((await get(to, path)).status === 404 ? "200" : "403");
  },
};

/** A second factor of the user, whose access token the instance knows. */
async function enrolled(from: TestService, accessToken: string) {
  const send: TestService["send"] = (sent) =>
    from.send({ ...sent, headers: { ...bearer(accessToken), ...sent.headers } });
  return enrol({ ...from, send }, clock, null);
}

beforeEach(() => before.store({ users: [account(1, { phone_number: phone }), account(2)] }));

const names = Object.keys(things);
const make = (name: string, from: TestService) => (things[name] ?? (() => Promise.reject()))(from);

describe.each([
  ["before the rotation, used after step 1", before, first],
  ["after step 1, used before the rotation", first, before],
  ["after step 1, used after step 2", first, second],
  ["after step 2, used after step 1", second, first],
  ["after step 2, used after step 3", second, third],
  ["after step 3, used after step 2", third, second],
] as const)("made %s", (_, from, to) => {
  test.each(names)("%s works", async (name) => {
    const use = await make(name, from);
    expect(await use(to)).toBe("200");
  });
});

describe("a secret that was replaced without a previous one", () => {
  // biome-ignore format: one case a line
  const refusals: Readonly<Record<string, string>> = {
    "an access token": "401 INVALID_TOKEN", "the stamp of an access token": "401 INVALID_TOKEN", "a refresh token": "401 INVALID_TOKEN",
    "a social sign-in": "400 VALIDATION_ERROR state", "a web auth token": "401 INVALID_TOKEN", "a one-time code": "401 INVALID_OTP",
    "an API key": "401 INVALID_API_KEY", "a second factor": "500 INTERNAL_ERROR", "a backup code": "401 INVALID_MFA_CODE",
    "a reset link": "400 INVALID_RESET_TOKEN", "a verification link": "400", "a link for a new address": "400 INVALID_LINK",
    "a link to a file": "403", "an e-mail code": "401 INVALID_OTP", "a code for a new number": "401 INVALID_TOKEN",
    "a challenge for a new passkey": "401 INVALID_TOKEN", "a challenge for a sign-in": "401 PASSKEY_FAILED", "an invitation": "400 INVALID_LINK",
  };
  test.each(names)("%s is refused", async (name) => {
    const use = await make(name, before);
    expect(await use(third)).toBe(refusals[name]);
  });
});

test("a refresh signs with the current secret, so no user is signed out", async () => {
  const { refreshToken } = await login(before);
  const renewed = await post(second, "refresh-token", { refreshToken });
  const pair = renewed.envelope.data as { accessToken: string; refreshToken: string };
  expect(outcome(await get(third, "/auth/me", bearer(pair.accessToken)))).toBe("200");
  expect(outcome(await post(third, "refresh-token", { refreshToken: pair.refreshToken }))).toBe("200");
});

describe("a token of a previous secret", () => {
  const iat = Math.floor(Date.now() / 1000);
  const access = (life: number) => signed({ ...claimsOf(user), iat, exp: iat + life });

  test("must not live longer than the manifest allows", async () => {
    expect(outcome(await get(second, "/auth/me", bearer(access(3600))))).toBe("200");
    expect(outcome(await get(second, "/auth/me", bearer(access(3601))))).toBe("401 INVALID_TOKEN");
    // With the current secret, a long life is the choice of the program that signed it.
    expect(outcome(await get(first, "/auth/me", bearer(access(3601))))).toBe("200");
  });

  test("must not either if it is a refresh token", async () => {
    const days = 24 * 60 * 60;
    const refresh = (life: number) =>
      signed({ sub: "1", jti: `token of ${life}`, type: "refresh", iat, exp: iat + life });
    const hash = async (token: string) => {
      const text =
        "INSERT INTO auth_tokens (user_id, token_type, token_hash, expires_at) VALUES (1, 'refresh', encode(sha256($1::bytea), 'hex'), now() + interval '1 day')";
      await before.query(text, [token]);
      return token;
    };
    const [usual, long] = [await hash(refresh(14 * days)), await hash(refresh(14 * days + 1))];
    expect(outcome(await post(second, "refresh-token", { refreshToken: long }))).toBe("401 INVALID_TOKEN");
    expect(outcome(await post(second, "refresh-token", { refreshToken: usual }))).toBe("200");
  });

  test("has expired as any other", async () => {
    const expired = signed({ ...claimsOf(user), iat: iat - 7200, exp: iat - 3600 });
    expect(outcome(await get(second, "/auth/me", bearer(expired)))).toBe("401 TOKEN_EXPIRED");
  });
});

describe("an API key of a previous secret", () => {
  const stored = () =>
    before.query("SELECT token_hash, hashed_with FROM auth_tokens WHERE token_type = 'api_key'");
  const use = async (to: TestService, key: string) =>
    outcome(await get(to, "/tasks/fetch", { "x-api-key": key }));

  test("moves to the current one at its first use, also of many at once", async () => {
    const { accessToken } = await login(before);
    const made = await post(before, "api-keys/create", {}, bearer(accessToken));
    const { api_key: key } = made.envelope.data as { api_key: string };
    const [old] = await stored();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => use(second, key)));
    expect(new Set(outcomes)).toEqual(new Set(["200"]));
    const [moved] = await stored();
    expect(moved?.["token_hash"]).not.toBe(old?.["token_hash"]);
    expect(moved?.["hashed_with"]).toMatch(/^[0-9a-f]{16}$/);
    expect(moved?.["hashed_with"]).not.toBe(old?.["hashed_with"]);
    expect([await use(third, key), await use(first, key)]).toEqual(["200", "200"]);
  });

  test("of the JWT secret, from before the secret for API keys, keeps its hash and gets a mark", async () => {
    const plain = await testService(
      { ...base, secrets: { jwt: [next("jwt")], apiKey: null } },
      { ...peers, reach: async () => before.url },
    );
    const { accessToken } = await login(plain);
    const made = await post(plain, "api-keys/create", {}, bearer(accessToken));
    const { api_key: key } = made.envelope.data as { api_key: string };
    const [old] = await stored();
    await before.query("UPDATE auth_tokens SET hashed_with = NULL");
    expect(await use(third, key)).toBe("200");
    expect(await stored()).toEqual([old]);
    // `next("jwt")` is the previous JWT secret here.
    expect(await use(first, key)).toBe("200");
    expect((await stored())[0]?.["token_hash"]).not.toBe(old?.["token_hash"]);
  });
});
