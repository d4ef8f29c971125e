import { beforeEach, describe, expect, test } from "vitest";
import { testClock } from "../../support/clock.ts";
import type { Reply } from "../../support/request.ts";
import { Issuer, issuerAt, signInAt, signingKey } from "../../support/social/issuer.ts";
import type { Says } from "../../support/social/player.ts";
import { begin, socialService, socialSettings } from "../../support/social/sign-in.ts";

const address = "https://id.example.com/realm";
const moved = "https://moved.example.com";
const facts = issuerAt(address, "oidc");
const movedFacts = { ...issuerAt(moved, "ping"), issuer: "https://issuer.example.com" };
const clock = testClock();
const social = socialSettings({
  oidc: { settings: { oidc_endpoint: address } },
  // Every setting names another place than its discovery document.
  ping: {
    settings: {
      oidc_endpoint: "https://documents.example.com/as",
      authorization_url: movedFacts.authorize,
      access_token_url: movedFacts.token,
      jwks_uri: movedFacts.keys,
      userinfo_url: movedFacts.userinfo,
      id_token_issuer: movedFacts.issuer,
    },
  },
  vault: {
    settings: { oidc_endpoint: "https://tenants.example.com/", id_token_issuer: "https://t.example/{tid}" },
  },
  "eduid-staging": { settings: { oidc_endpoint: "https://tenants.example.com/2" } },
});
const { service, provider } = await socialService(social, {}, { now: clock.now });
const [first, second] = await Promise.all([signingKey("RS256", "first"), signingKey("RS256", "second")]);
const issuer = new Issuer(provider, facts, first, clock.now);
const ann = { claims: { sub: "ann", email: "ann@example.com" } };
const document = `GET ${facts.discovery}`;
const keys = `GET ${facts.keys}`;

beforeEach(() => {
  // By now everything is forgotten.
  clock.pass(3601);
  issuer.key = first;
  issuer.announce(provider);
  provider.play(keys, () => ({ json: { keys: [issuer.key.published] } }));
});

const signIn = (): Promise<Reply> => signInAt(service, "oidc", issuer, ann);
const asked = (part: string) =>
  provider.heard.filter(({ method, url }) => `${method} ${url}` === part).length;

describe("the discovery document and the keys", () => {
  test("are fetched once in an hour", async () => {
    expect((await signIn()).status).toBe(200);
    clock.pass(3599);
    expect((await signIn()).status).toBe(200);
    expect([asked(document), asked(keys)]).toEqual([1, 1]);
    clock.pass(2);
    expect((await signIn()).status).toBe(200);
    expect([asked(document), asked(keys)]).toEqual([2, 2]);
  });

  test("are fetched once by many who come at once", async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => begin(service, "oidc")));
    expect(replies.map(({ reply }) => reply.status)).toEqual(Array(8).fill(302));
    expect(asked(document)).toBe(1);
  });
});

describe("a key that is not known", () => {
  test("makes the service look again, at most once a minute", async () => {
    expect((await signIn()).status).toBe(200);
    issuer.key = second;
    expect((await signIn()).status).toBe(401);
    expect(asked(keys)).toBe(1);
    clock.pass(61);
    expect((await signIn()).status).toBe(200);
    expect(asked(keys)).toBe(2);
    issuer.key = first;
    for (let round = 0; round < 3; round++) expect((await signIn()).status).toBe(401);
    expect(asked(keys)).toBe(2);
  });

  test("keeps the known settings if the provider does not answer", async () => {
    expect((await signIn()).status).toBe(200);
    clock.pass(61);
    issuer.key = second;
    provider.play(keys, () => ({ status: 503 }));
    for (let round = 0; round < 3; round++) expect((await signIn()).status).toBe(401);
    issuer.key = first;
    expect((await signIn()).status).toBe(200);
    expect(asked(keys)).toBe(2);
  });
});

describe("a discovery document that is of no use", () => {
  // biome-ignore format: one case a line
  test.each<[string, Says]>([
    ["is not there", { status: 404, json: {} }],
    ["is a page", { text: "<html></html>", headers: { "content-type": "text/html" } }],
    ["is not an object", { json: [] }],
    ["is half a document", { text: '{"issuer": ', headers: { "content-type": "application/json" } }],
    ["names no place to go to", { json: { issuer: address } }],
    ["is a redirect", { status: 302, headers: { location: `${address}/elsewhere` } }],
    ["names a script", { json: { issuer: address, authorization_endpoint: "javascript:alert(1)" } }],
    ["leads to an address without encryption", { json: { authorization_endpoint: "http://127.0.0.1/authorize" } }],
  ])("that %s: the login is 401, and the next one looks again", async (_name, says) => {
    provider.play(document, () => says);
    const { reply } = await begin(service, "oidc");
    expect(reply.status).toBe(401);
    expect(reply.envelope.error).toBe("SOCIAL_AUTH_FAILED");
    expect(reply.headers["set-cookie"]).toBeUndefined();
    issuer.announce(provider);
    expect((await signIn()).status).toBe(200);
  });

  test("that leads calls to this machine is not followed", async () => {
    issuer.announce(provider, { token_endpoint: "http://127.0.0.1:9/token" });
    expect((await signIn()).status).toBe(401);
    expect(provider.heard.some(({ url }) => url.hostname === "127.0.0.1")).toBe(false);
  });
});

describe("keys that are of no use", () => {
  test.each<[string, Says]>([
    ["are not there", { status: 500, json: {} }],
    ["are no list", { json: { keys: {} } }],
    ["are no keys", { json: { keys: ["one"] } }],
    ["are a redirect", { status: 302, headers: { location: "https://evil.example/keys" } }],
  ])("since they %s: the callback is 401, and the next one looks again", async (_name, says) => {
    provider.play(keys, () => says);
    expect((await signIn()).status).toBe(401);
    provider.play(keys, () => ({ json: { keys: [issuer.key.published] } }));
    expect((await signIn()).status).toBe(200);
  });
});

describe("settings", () => {
  test("go before discovery, which is not asked where all are set", async () => {
    const elsewhere = new Issuer(provider, { ...movedFacts, discovery: null }, first, clock.now);
    const reply = await signInAt(service, "ping", elsewhere, ann);
    expect(elsewhere.complaints).toEqual([]);
    expect(reply.status).toBe(200);
    expect(provider.heard.every(({ url }) => url.origin === moved)).toBe(true);
  });

  test("name the issuer before discovery does", async () => {
    const wrong = new Issuer(provider, { ...movedFacts, issuer: moved, discovery: null }, first, clock.now);
    expect((await signInAt(service, "ping", wrong, ann)).status).toBe(401);
  });
});

describe("the tenant in an issuer", () => {
  const tenant = "11111111-2222-3333-4444-555555555555";

  test.each([
    ["vault", "https://tenants.example.com", "https://t.example/{tid}"],
    ["eduid-staging", "https://tenants.example.com/2", "https://t.example/{tenantid}/v2"],
  ])("of %s is the token's", async (name, at, template) => {
    const own = { ...issuerAt(at, name), issuer: template.replace(/\{\w+\}/, tenant), announced: template };
    const tenants = new Issuer(provider, own, first, clock.now);
    const signInWith = (claims: object) =>
      signInAt(service, name, tenants, { claims: { ...ann.claims, ...claims } });
    expect((await signInWith({ tid: tenant })).status).toBe(200);
    expect((await signInWith({ tid: "99999999-2222-3333-4444-555555555555" })).status).toBe(401);
    expect((await signInWith({})).status).toBe(401);
    const crooked = { tid: "../evil", iss: template.replace(/\{\w+\}/, "../evil") };
    expect((await signInWith(crooked)).status).toBe(401);
  });

  test("counts only if discovery leaves it open", async () => {
    const reply = await signInAt(service, "oidc", issuer, {
      claims: { ...ann.claims, tid: tenant, iss: `${address}/${tenant}` },
    });
    expect(reply.status).toBe(401);
  });
});
