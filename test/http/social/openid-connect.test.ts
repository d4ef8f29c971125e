import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { testClock } from "../../support/clock.ts";
import { outcome } from "../../support/scenarios.ts";
import {
  Issuer,
  issuerAt,
  type Person,
  signInAt,
  signingKey,
  type Twist,
} from "../../support/social/issuer.ts";
import type { Heard, Says } from "../../support/social/player.ts";
import { baseUrl, begin, comeBack, socialService, socialSettings } from "../../support/social/sign-in.ts";

const address = "https://id.example.com";
const clock = testClock();
const social = socialSettings({
  oidc: { settings: { oidc_endpoint: address } },
  "oidc:acme-2": { settings: { oidc_endpoint: "https://id.acme.example" } },
  ping: {
    settings: {
      oidc_endpoint: address,
      scope: ["openid", "groups"],
      ignore_default_scope: true,
      pkce: false,
      auth_extra_arguments: { prompt: "login", state: "mine", nonce: "mine", client_id: "mine" },
    },
  },
  vault: { settings: { oidc_endpoint: address, scope: ["groups"] } },
});
const { service, provider } = await socialService(social, {}, { now: clock.now });
const facts = issuerAt(address, "oidc");
const key = await signingKey();
let issuer = new Issuer(provider, facts, key, clock.now);
const ann = { sub: "ann", email: "ann@example.com", email_verified: true };

beforeEach(() => {
  clock.pass(3601);
  issuer = new Issuer(provider, facts, key, clock.now);
});

describe("algorithms", () => {
  test.each(["RS256", "RS512", "ES256", "PS256", "EdDSA"])("%s signs in, with its at_hash", async (alg) => {
    const reply = await signInWith(alg, hashOf("AT", alg));
    expect(reply.status).toBe(200);
  });

  test.each(["RS256", "RS512", "ES256", "PS256", "EdDSA"])(
    "%s with the at_hash of another token",
    async (alg) => {
      expect((await signInWith(alg, hashOf("other", alg))).status).toBe(401);
    },
  );

  test.each(["RS384", "ES384", "PS512"])("%s is not one of them", async (alg) => {
    expect((await signInWith(alg, undefined)).status).toBe(401);
  });

  test.each<[readonly string[], number]>([
    [["RS256", "ES256"], 200],
    [["ES256"], 401],
    [["none", "HS256"], 401],
  ])("where the provider publishes %j, RS256 gives %d", async (published, status) => {
    issuer.announce(provider, { id_token_signing_alg_values_supported: published });
    expect((await signInAt(service, "oidc", issuer, { claims: ann })).status).toBe(status);
  });

  async function signInWith(alg: string, hash: string | undefined) {
    const own = new Issuer(provider, { ...facts, userinfo: null }, await signingKey(alg, alg), clock.now);
    const twist: Twist = { claims: { at_hash: hash }, answer: { access_token: "AT" } };
    return signInAt(service, "oidc", own, { claims: ann }, twist);
  }
});

function hashOf(token: string, alg: string): string {
  const hash = createHash(alg === "RS512" || alg === "EdDSA" ? "sha512" : "sha256")
    .update(token)
    .digest();
  return hash.subarray(0, hash.length / 2).toString("base64url");
}

describe("an endpoint that misbehaves", () => {
  test.each<[string, () => Says | Promise<Says>, string?]>([
    ["is down", () => ({ status: 500 }), "unavailable"],
    ["refuses", () => ({ status: 400, json: { error: "invalid_grant" } })],
    ["refuses with status 200", () => ({ json: { error: "invalid_grant" } })],
    ["redirects", () => ({ status: 307, headers: { location: `${address}/elsewhere` } })],
    ["says too much", () => ({ json: { access_token: "x".repeat(1_048_577) } })],
    ["says nothing", () => ({ text: "" })],
    ["says what is no JSON", () => ({ text: "{", headers: { "content-type": "application/json" } })],
    ["says a list", () => ({ json: [] })],
    ["is slow", () => new Promise((resolve) => setTimeout(resolve, 5_500, {})), "unavailable"],
  ])("a token endpoint that %s: 401", async (_name, says, reason = "refused") => {
    provider.play(`POST ${facts.token}`, says);
    const reply = await signInAt(service, "oidc", issuer, { claims: ann });
    expect(reply.status).toBe(401);
    expect(reply.envelope).toMatchObject({ error: "SOCIAL_AUTH_FAILED", details: { reason } });
    expect(provider.heard.some(({ url }) => url.pathname === "/elsewhere")).toBe(false);
  });

  test.each<[string, Says]>([
    ["is down", { status: 500 }],
    ["redirects", { status: 302, headers: { location: `${address}/elsewhere` } }],
    ["is not an object", { json: ["ann"] }],
  ])("userinfo that %s: 401", async (_name, says) => {
    provider.play(`GET ${facts.userinfo}`, () => says);
    expect((await signInAt(service, "oidc", issuer, { claims: ann })).status).toBe(401);
  });
});

test("several servers are told apart by the names that the app gives them", async () => {
  const ofAcme = new Issuer(provider, issuerAt("https://id.acme.example", "oidc:acme-2"), key, clock.now);
  const bo = { sub: "ann", email: "bo@example.com", email_verified: true };
  expect((await signInAt(service, "oidc", issuer, { claims: ann })).status).toBe(200);
  const reply = await signInAt(service, "oidc:acme-2", ofAcme, { claims: bo });
  expect(reply.envelope.data, JSON.stringify(ofAcme.complaints)).toMatchObject({ user: { email: bo.email } });
  const encoded = await begin(service, "oidc%3Aacme-2");
  expect(encoded.location.origin).toBe("https://id.acme.example");
  expect(outcome((await begin(service, "oidc:other")).reply)).toBe("404 NOT_FOUND");
  const links = await service.query("select provider, uid from auth_social order by provider");
  expect(links).toEqual(["oidc", "oidc:acme-2"].map((name) => ({ provider: name, uid: "ann" })));
  const { envelope } = await service.send({ method: "GET", path: "/auth/providers" });
  expect(envelope.data).toContainEqual({
    provider: "oidc:acme-2",
    title: "acme-2",
    login_url: `${baseUrl}/auth/oidc:acme-2/login`,
  });
});

describe("what is asked for", () => {
  test("settings add to the scopes", async () => {
    const { location } = await begin(service, "vault");
    expect(location.searchParams.get("scope")).toBe("openid profile email groups");
    expect(location.search).toContain("scope=openid%20profile%20email%20groups");
  });

  test("settings take the place of scopes, switch PKCE off, and change nothing that protects", async () => {
    const { location, state, cookie } = await begin(service, "ping");
    const { nonce, ...sent } = Object.fromEntries(location.searchParams);
    expect(sent).toEqual({
      scope: "openid groups",
      prompt: "login",
      response_type: "code",
      client_id: "id-of-ping",
      redirect_uri: `${baseUrl}/auth/ping/callback`,
      state,
    });
    expect(nonce).toMatch(/^[0-9a-f]{64}$/);
    let request: Heard | undefined;
    provider.play(`POST ${facts.token}`, (heard) => {
      request = heard;
      return { status: 400 };
    });
    await comeBack(service, "ping", { code: "C", state }, cookie);
    expect([...(request?.form.keys() ?? [])]).toEqual(["grant_type", "code", "redirect_uri"]);
  });
});

describe("whether an e-mail was verified", () => {
  // biome-ignore format: one case a line
  test.each<[string, Person, boolean]>([
    ["both say so", { claims: ann, userinfo: ann }, true],
    ["the id_token verifies the same e-mail", { claims: ann, userinfo: { email: ann.email } }, true],
    ["the id_token verifies another e-mail", { claims: ann, userinfo: { email: "bob@example.com" } }, false],
    ["userinfo says no", { claims: ann, userinfo: { ...ann, email_verified: false } }, false],
    ["userinfo verifies without an e-mail, and the id_token denies it", { claims: { ...ann, email_verified: false }, userinfo: { email_verified: true } },
      false],
    ["userinfo verifies without an e-mail, and the id_token has no claim",
      { claims: { sub: "ann", email: ann.email }, userinfo: { email: "", email_verified: true } }, false],
    ["userinfo says no of no e-mail", { claims: ann, userinfo: { email_verified: false } }, true],
    ["as a text", { claims: { ...ann, email_verified: "true" } }, true],
    ["as another text", { claims: { ...ann, email_verified: "yes" } }, false],
    ["as a number", { claims: { ...ann, email_verified: 1 } }, false],
    ["not said", { claims: { sub: "ann", email: ann.email } }, false],
  ])("%s", async (_name, person, verified) => {
    expect((await signInAt(service, "oidc", issuer, person)).status).toBe(200);
    expect(await service.query("select is_verified from users")).toEqual([{ is_verified: verified }]);
  });
});
