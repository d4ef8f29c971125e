import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { testService } from "../../support/service.ts";
import { declaredFor, realmKey } from "../../support/social/facts/declared.ts";
import {
  accountsAt,
  type Change,
  factOf,
  refused,
  signInByFacts,
} from "../../support/social/facts/sign-in-by-facts.ts";
import { player } from "../../support/social/player.ts";
import { rootWithPackages } from "../../support/social/root-with-packages.ts";
import { baseUrl, begin, comeBack, socialSettings } from "../../support/social/sign-in.ts";

const names = ["bitbucket-datacenter-oauth2", "github", "github-enterprise-org", "github-team", "instagram"];
const more = ["kakao", "keycloak", "shopify", "surveymonkey", "vend", "weibo"];
const provider = await player();
const declared = [...names, ...more].map((name) => [name, declaredFor(factOf(name))] as const);
const service = await testService(
  {
    baseUrl,
    social: socialSettings(
      {
        ...Object.fromEntries(declared),
        discord: { settings: { scope: ["guilds"], auth_extra_arguments: { prompt: "none", state: "mine" } } },
        deezer: { settings: { scope: ["email", "basic_access"] } },
        facebook: { settings: { appsecret_proof: false } },
        spotify: {
          settings: {
            authorization_url: "https://staging.example.net/authorize?tenant=7",
            access_token_url: "https://staging.example.net/token",
            userinfo_url: "http://127.0.0.1:4711/me",
            ignore_default_scope: true,
            pkce: false,
          },
        },
        gitlab: { settings: { api_url: "https://git.example.net" } },
      },
      {},
      false,
      rootWithPackages("@shopify/shopify-api"),
    ),
  },
  { resolveProvider: provider.resolve },
);
const signIn = (name: string, change?: Change) => signInByFacts(service, provider, factOf(name), change);
const accounts = (name: string) => accountsAt(service, name);

beforeEach(async () => {
  await service.store({});
  provider.heard.length = 0;
});

/** The hosts that were called. */
const hosts = () => provider.heard.map(({ url }) => url.host);

describe("who somebody is", () => {
  test("is asked of a second address where Weibo's token answer does not say it", async () => {
    const play = () =>
      provider.play("POST https://api.weibo.com/oauth2/get_token_info", ({ form, headers }) =>
        form.get("access_token") === "uid-of-weibo.token-of-weibo" && headers.authorization === undefined
          ? { text: '{"uid": "uid-of-weibo", "appkey": "1"}', headers: { "content-type": "text/plain" } }
          : { status: 400 },
      );
    const { game, back } = await signIn("weibo", { withoutUid: true, play });
    expect(back.status, back.text).toBe(200);
    expect(await accounts("weibo")).toEqual([game.person.expected]);
  });

  test("stands in a list at Instagram's word, and beside it in practice", async () => {
    const play = () => {
      provider.play("POST https://api.instagram.com/oauth/access_token", () => ({
        json: { data: [{ access_token: "AT", user_id: "1" }] },
      }));
      provider.play("GET https://graph.instagram.com/me", ({ url }) =>
        url.searchParams.get("access_token") === "AT"
          ? { json: { data: [{ id: "uid-of-instagram", name: "Zoë de la Cruz" }] } }
          : { status: 400 },
      );
    };
    const { game, back } = await signIn("instagram", { play });
    expect(back.status, back.text).toBe(200);
    expect(await accounts("instagram")).toEqual([game.person.expected]);
  });

  test("is what Bitbucket's header says, and never what the browser brings", async () => {
    const address = "GET https://git.example.net/rest/api/latest/application-properties";
    const play = () => provider.play(address, () => ({ json: {} }));
    const change = { play, brings: { username: "ann-lee" } };
    const { back } = await signIn("bitbucket-datacenter-oauth2", change);
    expect([back.status, back.text]).toEqual(refused);
    expect(provider.heard.filter(({ url }) => url.pathname.includes("/users/"))).toEqual([]);
  });
});

describe("Surveymonkey's regional host", () => {
  const token = (access_url: string | undefined) => () =>
    provider.play("POST https://api.surveymonkey.com/oauth/token", () => ({
      json: { access_token: "AT", ...(access_url && { access_url }) },
    }));
  const evil = "https://evil.example.net";

  test.each([
    ["another host", evil],
    ["a host that ends alike", "https://evilsurveymonkey.com"],
    ["a host behind a user", "https://api.surveymonkey.com@evil.example.net"],
    ["plain http", "http://api.surveymonkey.com"],
    ["no address", "api.surveymonkey.com"],
    ["none", undefined],
  ])("is not %s", async (_, address) => {
    const change = { play: token(address), brings: { access_url: evil } };
    const { back } = await signIn("surveymonkey", change);
    expect([back.status, back.text]).toEqual(refused);
    expect(hosts()).toEqual(["api.surveymonkey.com"]);
  });
});

describe("members alone", () => {
  test.each([
    ["github-enterprise-org", "https://git.example.net/api/v3/orgs/acme/members/ann-lee"],
    ["github-team", "https://api.github.com/teams/4711/members/ann-lee"],
  ])("sign in at %s", async (name, address) => {
    const play = (status: number) => () => provider.play(`GET ${address}`, () => ({ status }));
    expect((await signIn(name)).back.status).toBe(200);
    for (const status of [302, 403, 404]) {
      const { back } = await signIn(name, { play: play(status) });
      expect([back.status, back.text]).toEqual(refused);
    }
  });
});

describe("an e-mail", () => {
  test("of GitHub is not confirmed where the addresses may not be seen", async () => {
    const play = () =>
      provider.play("GET https://api.github.com/user/emails", () => ({ status: 403, json: {} }));
    const { game, back } = await signIn("github", { place: "last", play });
    expect(back.status, back.text).toBe(200);
    expect(await accounts("github")).toMatchObject([
      { email: game.person.expected.email, is_verified: false },
    ]);
  });

  test("of GitLab is not confirmed at a server of somebody's own", async () => {
    const url = "https://git.example.net";
    const fact = factOf("gitlab");
    const own = { ...fact, extra: { ...fact.extra, defaults: { api_url: url } } };
    const { game, back } = await signInByFacts(service, provider, own);
    expect(back.status, back.text).toBe(200);
    expect(await accounts("gitlab")).toEqual([{ ...game.person.expected, is_verified: false }]);
  });

  test("of Kakao is not confirmed where it is no longer valid", async () => {
    const account = { email: "ann.kakao@example.com", is_email_valid: false, is_email_verified: true };
    const play = () =>
      provider.play("GET https://kapi.kakao.com/v2/user/me", () => ({
        json: { id: 7, kakao_account: account },
      }));
    const { back } = await signIn("kakao", { play });
    expect(back.status, back.text).toBe(200);
    expect(await accounts("kakao")).toMatchObject([{ uid: "7", is_verified: false }]);
  });
});

describe("a shop", () => {
  test.each([
    ["missing", "", "is required"],
    ["another host", "?shop=evil.example.net", "is malformed"],
    ["a host that only begins so", "?shop=acme.myshopify.com.evil.example.net", "is malformed"],
    ["a host with a path", "?shop=acme.myshopify.com/x", "is malformed"],
  ])("is refused: %s", async (_, query, message) => {
    const { reply } = await begin(service, "shopify", query);
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(message)]);
  });

  test("comes back signed", async () => {
    for (const brings of [
      { hmac: "00" },
      { shop: "other.myshopify.com" },
      { more: "x" },
      { timestamp: "1" },
    ]) {
      const { back } = await signIn("shopify", { brings });
      expect([back.status, back.text]).toEqual(refused);
    }
    expect(hosts()).toEqual([]);
  });
});

test.each(["", "a.b", "evil.example.net/", "a".repeat(64)])(
  "Vend's shop is not %j",
  async (domain_prefix) => {
    const { back } = await signIn("vend", { brings: { domain_prefix } });
    expect([back.status, back.text]).toEqual([400, expect.stringContaining("domain_prefix")]);
    expect(hosts()).toEqual([]);
  },
);

describe("Keycloak's token", () => {
  const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const claims = {
    sub: "uid-of-keycloak",
    aud: ["id-of-keycloak"],
    exp: Math.floor(Date.now() / 1000) + 300,
  };
  const signed = (what: object, key = realmKey.privateKey) => {
    const text = `${encode({ alg: "RS256" })}.${encode({ ...claims, ...what })}`;
    return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
  };
  const pem = realmKey.publicKey.export({ type: "spki", format: "pem" });
  const hmac = `${encode({ alg: "HS256" })}.${encode(claims)}`;
  const answer = (access_token: string) => () =>
    provider.play("POST https://realm.example.net/token", () => ({ json: { access_token } }));

  test("signs in", async () => {
    const { back } = await signIn("keycloak", { play: answer(signed({})) });
    expect(back.status, back.text).toBe(200);
  });

  test.each([
    ["signed with another key", signed({}, other.privateKey)],
    ["of another app", signed({ aud: "account" })],
    ["without an app", signed({ aud: undefined })],
    ["expired", signed({ exp: claims.exp - 3600 })],
    ["without an end", signed({ exp: undefined })],
    ["that begins later", signed({ nbf: claims.exp })],
    ["without a signature", `${encode({ alg: "none" })}.${encode(claims)}.`],
    [
      "of which the public key is the secret",
      `${hmac}.${createHmac("sha256", pem).update(hmac).digest("base64url")}`,
    ],
    ["that is none", "opaque"],
  ])("is refused: %s", async (_, token) => {
    const { back } = await signIn("keycloak", { play: answer(token) });
    expect([back.status, back.text]).toEqual(refused);
  });
});

describe("settings", () => {
  test("add scopes and parameters, and take the place of none that the sign-in needs", async () => {
    const { location, state } = await begin(service, "discord");
    expect(location.searchParams.get("scope")).toBe("identify email guilds");
    expect(location.searchParams.get("prompt")).toBe("none");
    expect(state).not.toBe("mine");
  });

  test("name scopes as the provider does", async () => {
    const { location } = await begin(service, "deezer");
    expect(location.searchParams.get("perms")).toBe("email,basic_access");
    expect(location.searchParams.has("scope")).toBe(false);
  });

  test("move a provider, and leave scopes and proof of the code out", async () => {
    provider.play("POST https://staging.example.net/token", ({ form }) =>
      form.has("code_verifier") ? { status: 400 } : { json: { access_token: "AT" } },
    );
    provider.play("GET http://127.0.0.1:4711/me", () => ({ json: { id: "ann" } }));
    const { location, state, cookie } = await begin(service, "spotify");
    expect(location.origin + location.pathname).toBe("https://staging.example.net/authorize");
    const parameters = ["tenant", "response_type", "client_id", "redirect_uri", "state"];
    expect([...location.searchParams.keys()]).toEqual(parameters);
    const back = await comeBack(service, "spotify", { code: "C", state }, cookie);
    expect(back.status, back.text).toBe(200);
    expect(await accounts("spotify")).toMatchObject([{ uid: "ann" }]);
  });

  test("turn Facebook's proof off", async () => {
    const { game, back } = await signIn("facebook", { careless: true });
    expect(back.status).toBe(401);
    expect(game.complaints.join()).toContain("appsecret_proof");
  });
});
