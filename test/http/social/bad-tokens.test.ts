import { createHmac } from "node:crypto";
import type { JWTPayload } from "jose";
import { describe, expect, test } from "vitest";
import { testClock } from "../../support/clock.ts";
import type { Reply } from "../../support/request.ts";
import { Issuer, issuerAt, signInAt, signingKey, type Twist } from "../../support/social/issuer.ts";
import { socialService, socialSettings } from "../../support/social/sign-in.ts";

const address = "https://id.example.com/realm";
const clock = testClock();
const social = socialSettings({ oidc: { settings: { oidc_endpoint: address } } });
const { service, provider } = await socialService(social, {}, { now: clock.now });
const [key, forged, es256] = await Promise.all([
  signingKey(),
  signingKey("RS256", "key-1"),
  signingKey("ES256", "key-es"),
]);
const issuer = new Issuer(provider, issuerAt(address, "oidc"), key, clock.now);
const claims = { sub: "ann", email: "ann@example.com", email_verified: true };

function signIn(twist: Twist, userinfo = {}): Promise<Reply> {
  return signInAt(service, "oidc", issuer, { claims, userinfo }, twist);
}

const seconds = () => Math.floor(clock.now() / 1000);
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A token signed by HMAC with the public key as the secret: it would pass where the token names the algorithm. */
function hmacWithPublicKey(payload: JWTPayload, alg: string): string {
  const text = `${part({ alg, kid: "key-1" })}.${part(payload)}`;
  return `${text}.${createHmac("sha256", key.pem).update(text).digest("base64url")}`;
}

describe("an id_token that is good", () => {
  // biome-ignore format: one case a line
  test.each<[string, Twist]>([
    ["of one app", {}],
    ["of two apps, issued to this one", { claims: { aud: ["other", "id-of-oidc"], azp: "id-of-oidc" } }],
    ["almost 10 minutes old", { claims: { iat: seconds() - 590 } }],
    ["from a clock that goes 20 s ahead", { claims: { iat: seconds() + 20 } }],
    ["without the name of its key, if there is only one", { sign: (one) => key.sign(one, { kid: undefined }) }],
  ])("%s signs in", async (_name, twist) => {
    const reply = await signIn(twist);
    expect(issuer.complaints).toEqual([]);
    expect(reply.status).toBe(200);
    expect(reply.envelope.data).toMatchObject({ user: { email: "ann@example.com", role: "user" } });
  });
});

// biome-ignore format: one case a line
const bad: readonly [string, Twist, object?][] = [
  ["of another app", { claims: { aud: "other" } }],
  ["of other apps", { claims: { aud: ["other", "third"], azp: "other" } }],
  ["without an audience", { claims: { aud: undefined } }],
  ["with another nonce", { claims: { nonce: "0".repeat(43) } }],
  ["without a nonce", { claims: { nonce: undefined } }],
  ["signed by another key of the same name", { sign: (one) => forged.sign(one) }],
  ["signed by a key that is not published", { sign: (one) => forged.sign(one, { kid: "key-2" }) }],
  ["signed with an algorithm of another key", { sign: (one) => es256.sign(one, { kid: "key-1" }) }],
  ["with its own key in the header", { sign: (one) => forged.sign(one, { kid: "key-9", jwk: forged.published }) }],
  ["with alg none", { sign: (one) => `${part({ alg: "none" })}.${part(one)}.` }],
  ["with alg none and a key", { sign: (one) => `${part({ alg: "none", kid: "key-1" })}.${part(one)}.` }],
  ["signed by HMAC with the public key", { sign: (one) => hmacWithPublicKey(one, "HS256") }],
  ["signed by HMAC that calls itself RS256", { sign: (one) => hmacWithPublicKey(one, "RS256") }],
  ["whose claims were changed", { sign: async (one) => changed(await key.sign(one)) }],
  ["expired", { claims: { exp: seconds() - 31 } }],
  ["without an expiry", { claims: { exp: undefined } }],
  ["older than 10 minutes", { claims: { iat: seconds() - 631 } }],
  ["made in the future", { claims: { iat: seconds() + 31 } }],
  ["without a time", { claims: { iat: undefined } }],
  ["of another issuer", { claims: { iss: "https://id.example.com/other" } }],
  ["of an issuer with a slash more", { claims: { iss: `${address}/` } }],
  ["without an issuer", { claims: { iss: undefined } }],
  ["of two apps, issued to the other", { claims: { aud: ["id-of-oidc", "other"], azp: "other" } }],
  ["of two apps, without azp", { claims: { aud: ["id-of-oidc", "other"] } }],
  ["of another access token", { claims: { at_hash: "AAAAAAAAAAAAAAAAAAAAAA" } }],
  ["without a subject", { claims: { sub: undefined } }],
  ["of an empty name", { claims: { sub: "" } }],
  ["that is not a JWT", { answer: { id_token: "a.b.c" } }],
  ["that is an object", { answer: { id_token: { sub: "ann" } } }],
  ["that is not there", { answer: { id_token: undefined } }],
  ["with a userinfo about another user", {}, { sub: "bob" }],
  ["with a userinfo without a subject", {}, { sub: null }],
];

function changed(token: string): string {
  const [header, , signature] = token.split(".");
  return [header, part({ ...claims, sub: "bob" }), signature].join(".");
}

describe("an id_token that is bad", () => {
  test.each(bad)("%s: 401 SOCIAL_AUTH_FAILED", async (_name, twist, userinfo) => {
    service.log.length = 0;
    const reply = await signIn(twist, userinfo);
    expect(reply.status).toBe(401);
    expect(reply.envelope).toMatchObject({ error: "SOCIAL_AUTH_FAILED", data: null });
    expect(await service.query("select id from users")).toEqual([]);
    expectNothingTold(reply);
  });

  test("all are answered with the same words", async () => {
    const texts = new Set<string>();
    for (const [, twist, userinfo] of bad.slice(0, 6))
      texts.add((await signIn(twist, userinfo)).envelope.message);
    expect(texts.size).toBe(1);
  });
});

/** The reason is only in the log, without secrets. */
function expectNothingTold(reply: Reply): void {
  expect(issuer.complaints).toEqual([]);
  const told = JSON.stringify(service.log);
  expect(told).toContain("a social sign-in was refused");
  const secrets = [...issuer.secrets, "secret-of-oidc", "ann@example.com"];
  for (const text of [told, reply.text, JSON.stringify(reply.headers)])
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
}
