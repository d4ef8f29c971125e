import { createHmac } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { testClock } from "../../support/clock.ts";
import { countingInPostgres, limited } from "../../support/limited-service.ts";
import { type Reply, requestOf } from "../../support/request.ts";
import { testService } from "../../support/service.ts";
import { signingKey } from "../../support/social/issuer.ts";
import { player } from "../../support/social/player.ts";
import { baseUrl, type Declared, socialSettings } from "../../support/social/sign-in.ts";

const provider = await player();
const clock = testClock();
const apple = { settings: { team_id: "T", key_id: "K", audience: ["com.example.app", "com.example.web"] } };
const declared: Declared = {
  "google-oauth2": {},
  "apple-id": apple,
  facebook: {},
  github: {},
  "google-openidconnect": {},
};
const serve = (providers: Declared) =>
  testService(
    { baseUrl, social: socialSettings(providers), auth: { cookieName: "session" } },
    { resolveProvider: provider.resolve, now: clock.now },
  );
const service = await serve(declared);
const [googleKey, appleKey, forged] = await Promise.all([
  signingKey("RS256", "g1"),
  signingKey("RS256", "a1"),
  signingKey("RS256", "g1"),
]);
const es256 = await signingKey("ES256", "es");
const googleKeys = "GET https://www.googleapis.com/oauth2/v3/certs";
const seconds = () => Math.floor(clock.now() / 1000);

beforeEach(async () => {
  await service.store({});
  service.log.length = 0;
  provider.play(googleKeys, () => ({ json: { keys: [googleKey.published, es256.published] } }));
  provider.play("GET https://appleid.apple.com/auth/keys", () => ({ json: { keys: [appleKey.published] } }));
});

function mobile(name: string, body: Json, at = service): Promise<Reply> {
  return at.send({ method: "POST", path: `/auth/${name}/mobile`, body });
}

const people = () => service.query("select email, first_name, last_name, is_verified, role from users");

const good = () => ({
  iss: "https://accounts.google.com",
  aud: "id-of-google-oauth2",
  sub: "10769150350006150715113082367",
  email: "ann@example.com",
  email_verified: true,
  given_name: "Ann",
  family_name: "Lee",
  iat: seconds(),
  exp: seconds() + 3600,
});
const google = (claims: object = {}, key = googleKey, header = {}) =>
  key.sign({ ...good(), ...claims }, header);

/** The response has no details. The log has the reason, without secrets. */
function expectRefused(reply: Reply, secrets: readonly string[]): void {
  expect([reply.status, reply.envelope.error]).toEqual([401, "SOCIAL_AUTH_FAILED"]);
  const told = JSON.stringify(service.log);
  expect(told).toContain("a social sign-in was refused");
  for (const text of [told, reply.text])
    expect([...secrets, "ann@example.com"].filter((secret) => text.includes(secret))).toEqual([]);
}

describe("POST /auth/google-oauth2/mobile", () => {
  test("signs in with a good token", async () => {
    const reply = await mobile("google-oauth2", { id_token: await google() });
    expect(reply.status).toBe(200);
    expect(reply.envelope.data).toEqual({
      user: { user_id: expect.anything(), email: "ann@example.com", role: "user" },
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      expiresIn: 3600,
      flow: "signup",
    });
    expect(String(reply.headers["set-cookie"])).toMatch(/^session=/);
    expect(await service.query("select provider, uid from auth_social")).toEqual([
      { provider: "google-oauth2", uid: "10769150350006150715113082367" },
    ]);
    expect(await people()).toEqual([
      { email: "ann@example.com", first_name: "Ann", last_name: "Lee", is_verified: true, role: "user" },
    ]);
    const again = await mobile("google-oauth2", { id_token: await google(), platform: "android" });
    expect(again.envelope.data).toMatchObject({ flow: "login", platform: "android" });
  });

  test.each<[string, object]>([
    ["the other name of the issuer", { iss: "accounts.google.com" }],
    ["another client of the same app (Android)", { azp: "android-client" }],
    ["a nonce that the app made", { nonce: "of the app" }],
    ["an age of some days", { iat: 1_600_000_000 }],
  ])("takes %s", async (_name, claims) => {
    expect((await mobile("google-oauth2", { id_token: await google(claims) })).status).toBe(200);
  });

  test.each<[string, () => Promise<string>]>([
    ["of another app", () => google({ aud: "other" })],
    ["of another issuer", () => google({ iss: "https://evil.example" })],
    ["that has expired", () => google({ exp: seconds() - 31 })],
    ["without an expiry", () => google({ exp: undefined })],
    ["made in the future", () => google({ iat: seconds() + 31 })],
    ["of another key of the same name", () => google({}, forged)],
    ["of an unknown key", () => google({}, forged, { kid: "g2" })],
    ["without the name of its key", () => google({}, googleKey, { kid: undefined })],
    ["that is not RS256", () => google({}, es256)],
    ["by HMAC with the public key", async () => hmac(await google())],
    ["with alg none", async () => `${part({ alg: "none", kid: "g1" })}.${part(good())}.`],
    ["without a subject", () => google({ sub: undefined })],
    ["that is not a JWT", async () => "hello"],
  ])("refuses a token %s", async (_name, make) => {
    const token = await make();
    expectRefused(await mobile("google-oauth2", { id_token: token }), [token, token.split(".")[2] || token]);
    expect(await people()).toEqual([]);
  });

  test.each<[string, Json]>([
    ["none", {}],
    ["an empty one", { id_token: "" }],
    ["an access token in its place", { access_token: "AT" }],
    ["a number", { id_token: 1 }],
    ["null", { id_token: null }],
    ["a list", { id_token: ["a"] }],
    ["more than 16 KiB", { id_token: "x".repeat(16_385) }],
    ["more than 16 KiB of two bytes each", { id_token: "ü".repeat(8_193) }],
    ["no body", []],
    ["an unknown platform", { id_token: "x", platform: "windows" }],
    ["a device token of 513 characters", { id_token: "x", device_token: "x".repeat(513) }],
  ])("is 400 for %s", async (_name, body) => {
    const reply = await mobile("google-oauth2", body);
    expect([reply.status, reply.envelope.error]).toEqual([400, "VALIDATION_ERROR"]);
  });

  test("takes a token of 16 KiB for one", async () => {
    expect((await mobile("google-oauth2", { id_token: "x".repeat(16_384) })).status).toBe(401);
  });

  test("ignores unknown keys, and what the body says of e-mail and id", async () => {
    const body = {
      id_token: await google({ email: undefined, email_verified: undefined }),
      email: "boss@example.com",
      email_verified: true,
      uid: "1",
      sub: "1",
      provider_user_id: "1",
      role: "admin",
      anything: { goes: [] },
    };
    expect((await mobile("google-oauth2", body)).status).toBe(200);
    expect(await people()).toMatchObject([{ email: null, is_verified: false, role: "user" }]);
    expect(await service.query("select uid from auth_social")).toEqual([{ uid: good().sub }]);
  });

  test("takes the name of the body where the token has none, and the account is new", async () => {
    const nameless = { given_name: undefined, family_name: undefined };
    const named = { first_name: "Body", last_name: "Name" };
    await mobile("google-oauth2", {
      id_token: await google({ ...nameless, sub: "2", email: "2@example.com" }),
      ...named,
    });
    await mobile("google-oauth2", { id_token: await google({ sub: "3", email: "3@example.com" }), ...named });
    await mobile("google-oauth2", {
      id_token: await google({ ...nameless, sub: "2", email: "2@example.com" }),
      first_name: "Later",
    });
    const rows = await service.query("select first_name, last_name from users order by email");
    expect(rows).toEqual([
      { first_name: "Body", last_name: "Name" },
      { first_name: "Ann", last_name: "Lee" },
    ]);
  });

  test("keeps the role of an account that it links, and asks for a verified e-mail", async () => {
    await service.store({ users: [{ id: 5, email: "ann@example.com", role: "editor", is_verified: true }] });
    const unsure = await mobile("google-oauth2", { id_token: await google({ email_verified: false }) });
    expect([unsure.status, unsure.envelope.error]).toEqual([409, "SOCIAL_EMAIL_NOT_VERIFIED"]);
    const reply = await mobile("google-oauth2", { id_token: await google() });
    expect(reply.envelope.data).toMatchObject({ user: { role: "editor" }, flow: "login" });
  });

  test("requires the audience of the settings if they have one", async () => {
    const audience = ["android", "ios"];
    const own = await serve({
      "google-oauth2": {
        settings: { audience, jwks_uri: "https://keys.example/g", id_token_issuer: "https://i.example" },
      },
    });
    provider.play("GET https://keys.example/g", () => ({ json: { keys: [googleKey.published] } }));
    const statuses = [];
    for (const claims of [
      { aud: "android" },
      { aud: "ios" },
      { aud: "id-of-google-oauth2" },
      { aud: "ios", iss: "https://accounts.google.com" },
    ])
      statuses.push(
        (
          await mobile(
            "google-oauth2",
            { id_token: await google({ iss: "https://i.example", ...claims }) },
            own,
          )
        ).status,
      );
    expect(statuses).toEqual([200, 200, 401, 401]);
  });

  test("asks for new keys at most once a minute", async () => {
    const fetches = () => provider.heard.filter(({ url }) => url.host === "www.googleapis.com").length;
    await mobile("google-oauth2", { id_token: await google() });
    clock.pass(61);
    const before = fetches();
    for (let round = 0; round < 5; round++)
      await mobile("google-oauth2", { id_token: await google({}, forged, { kid: `k${round}` }) });
    expect(fetches()).toBe(before + 1);
  });

  test("is 401 while the keys cannot be had", async () => {
    clock.pass(3601);
    provider.play(googleKeys, () => ({ status: 503 }));
    expect((await mobile("google-oauth2", { id_token: await google() })).status).toBe(401);
  });
});

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

function hmac(token: string): string {
  const text = `${part({ alg: "HS256", kid: "g1" })}.${token.split(".")[1]}`;
  return `${text}.${createHmac("sha256", googleKey.pem).update(text).digest("base64url")}`;
}

describe("POST /auth/apple-id/mobile", () => {
  const claims = () => ({
    iss: "https://appleid.apple.com",
    sub: "000123.ann",
    email: "ann@example.com",
    email_verified: "true",
    iat: seconds(),
    exp: seconds() + 600,
  });
  const signIn = async (more: object, body: object = {}) =>
    mobile("apple-id", { id_token: await appleKey.sign({ ...claims(), ...more }), ...body });

  test.each([
    ["com.example.app", 200],
    ["com.example.web", 200],
    ["com.example.other", 401],
    ["id-of-apple-id", 401],
  ])("for %s: %d", async (aud, status) => {
    expect((await signIn({ aud })).status).toBe(status);
  });

  test("takes its issuer to the letter", async () => {
    expect((await signIn({ aud: "com.example.app", iss: "https://appleid.apple.com/" })).status).toBe(401);
  });

  test("takes the name of the body: no token of Apple has one", async () => {
    const reply = await signIn(
      { aud: "com.example.app" },
      { first_name: "Ann", last_name: "Lee", user: { email: "x@y.z" } },
    );
    expect(reply.status).toBe(200);
    expect(await people()).toMatchObject([
      { email: "ann@example.com", first_name: "Ann", last_name: "Lee", is_verified: true },
    ]);
  });

  test("signs in to the account of the web", async () => {
    await service.store({
      users: [{ id: 7, email: "ann@example.com" }],
      auth_social: [{ user_id: 7, provider: "apple-id", uid: "000123.ann", extra_data: "" }],
    });
    const reply = await signIn({ aud: "com.example.app", email: undefined });
    expect(reply.envelope.data).toMatchObject({ user: { email: "ann@example.com" }, flow: "login" });
  });
});

describe("POST /auth/facebook/mobile", () => {
  const me = "GET https://graph.facebook.com/v24.0/me";
  const debug = "GET https://graph.facebook.com/debug_token";
  const ours = { is_valid: true, app_id: "id-of-facebook", user_id: "1234567890123456789" };

  function play(data: object = ours): void {
    // The proof is the token under the secret of the app: with another app's token Graph refuses.
    provider.play(me, ({ url: { searchParams } }) => {
      const token = searchParams.get("access_token") ?? "";
      const proof = createHmac("sha256", "secret-of-facebook").update(token).digest("hex");
      const isGood = searchParams.get("appsecret_proof") === proof && token !== "of-another-app";
      return isGood
        ? {
            json: {
              id: "1234567890123456789",
              name: "Ann Lee",
              first_name: "Ann",
              last_name: "Lee",
              email: "ann@example.com",
            },
          }
        : {
            status: 400,
            json: { error: { message: "Invalid appsecret_proof provided in the API argument" } },
          };
    });
    provider.play(debug, ({ url: { searchParams } }) =>
      searchParams.get("input_token") === "FBTOKEN" &&
      searchParams.get("access_token") === "id-of-facebook|secret-of-facebook"
        ? { json: { data } }
        : { status: 400, json: {} },
    );
  }

  test("signs in with a token of this app, whose e-mail is never taken for verified", async () => {
    play();
    const reply = await mobile("facebook", { access_token: "FBTOKEN", platform: "ios" });
    expect(reply.status).toBe(200);
    expect(reply.envelope.data).toMatchObject({ flow: "signup", platform: "ios" });
    expect(String(reply.headers["set-cookie"])).toMatch(/^session=/);
    expect(await people()).toMatchObject([{ email: "ann@example.com", is_verified: false }]);
    expect(await service.query("select uid from auth_social")).toEqual([{ uid: ours.user_id }]);
  });

  test.each<[string, object]>([
    ["is not valid", { ...ours, is_valid: false }],
    ["is valid in other words", { ...ours, is_valid: "yes" }],
    ["was issued to another app", { ...ours, app_id: "other" }],
    ["was issued to another user", { ...ours, user_id: "1234567890123456788" }],
    ["is unknown", {}],
  ])("refuses a token that %s", async (_name, data) => {
    play(data);
    expectRefused(await mobile("facebook", { access_token: "FBTOKEN" }), ["FBTOKEN", "secret-of-facebook"]);
    expect(await people()).toEqual([]);
  });

  test("refuses a token that does not fit the proof", async () => {
    play();
    expectRefused(await mobile("facebook", { access_token: "of-another-app" }), ["of-another-app"]);
  });

  test.each<[string, Json]>([
    ["an id_token in its place", { id_token: "x" }],
    ["no text", { access_token: {} }],
    ["more than 16 KiB", { access_token: "x".repeat(16_385) }],
  ])("is 400 for %s", async (_name, body) => {
    expect((await mobile("facebook", body)).status).toBe(400);
  });

  test("is not supported without the proof", async () => {
    const own = await serve({ facebook: { settings: { appsecret_proof: false } } });
    const reply = await mobile("facebook", { access_token: "FBTOKEN" }, own);
    expect([reply.status, reply.envelope.error]).toEqual([400, "MOBILE_SIGN_IN_NOT_SUPPORTED"]);
  });
});

describe("POST /auth/{provider}/mobile", () => {
  test.each(["github", "google-openidconnect"])("is not supported for %s", async (name) => {
    for (const body of [{ id_token: await google() }, {}]) {
      const reply = await mobile(name, body);
      expect([reply.status, reply.envelope.error]).toEqual([400, "MOBILE_SIGN_IN_NOT_SUPPORTED"]);
    }
  });

  test.each(["discord", "apple", "nonsense", "__proto__"])(
    "is 404 for %s, which is not declared",
    async (name) => {
      expect((await mobile(name, { id_token: "x" })).status).toBe(404);
    },
  );

  test("is counted for each address", async () => {
    const counting = await countingInPostgres(limited({ baseUrl, social: socialSettings(declared) }));
    const from = (address: string) =>
      counting.send({
        ...requestOf("POST /auth/google-oauth2/mobile", {}),
        headers: { "x-forwarded-for": address },
      });
    const statuses = [];
    for (let round = 0; round < 4; round++) statuses.push((await from("203.0.113.7")).status);
    expect(statuses).toEqual([400, 400, 400, 429]);
    expect((await from("203.0.113.8")).status).toBe(400);
    expect(await counting.counted()).toMatchObject({
      "social:mobile:ip:203.0.113.7": expect.any(Number),
      "social:mobile:ip:203.0.113.8": 1,
    });
  });
});
