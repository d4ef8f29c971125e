import { createHmac, generateKeyPairSync } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { testService } from "../../support/service.ts";
import { player } from "../../support/social/player.ts";
import {
  accountsAt,
  type Change,
  declaredFor,
  emailAt,
  realmKey,
  realmToken,
  refused,
  signInAtRow,
} from "../../support/social/row-provider.ts";
import { baseUrl, begin, comeBack, socialSettings } from "../../support/social/sign-in.ts";

// biome-ignore format: many on a line
const names = [
  "bitbucket-datacenter-oauth2", "coding", "github", "github-enterprise-org", "github-team", "instagram",
];
const more = ["kakao", "keycloak", "mailru-oauth2", "naver", "qq", "slack", "surveymonkey", "tiktok"];
const last = ["untappd", "vend", "vk-oauth2", "weibo", "weixin", "yandex-oauth2", "zoom-oauth2"];
const provider = await player();
const declared = [...names, ...more, ...last].map((name) => [name, declaredFor(name)] as const);
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
    ),
  },
  { resolveProvider: provider.resolve },
);
async function signIn(name: string, change: Change = {}) {
  const { back, ...begun } = await signInAtRow(service, provider, name, change);
  expect(begun.reply.status).toBe(302);
  return { ...begun, back: await back() };
}
const accounts = (name: string) => accountsAt(service, name);
const ann = (name: string) => ({ uid: "101", email: emailAt(name), is_verified: false });

beforeEach(async () => {
  await service.store({});
  provider.forget();
  provider.heard.length = 0;
});

/** The hosts that were called. */
const hosts = () => provider.heard.map(({ url }) => url.host);

describe("the identity of a user", () => {
  test("is asked of a second address where Weibo's token answer does not say it", async () => {
    const address = "POST https://api.weibo.com/oauth2/get_token_info";
    const play = () =>
      provider.play(address, ({ form, headers }) =>
        form.get("access_token") === "101.token" && headers.authorization === undefined
          ? { text: '{"uid": "101", "appkey": "1"}', headers: { "content-type": "text/plain" } }
          : { status: 400 },
      );
    const { back } = await signIn("weibo", { answer: { uid: undefined }, play });
    expect(back.status, back.text).toBe(200);
    expect(await accounts("weibo")).toMatchObject([{ uid: "101" }]);
  });

  test("is in a list by Instagram's docs, and next to it in practice", async () => {
    const json = { data: [{ access_token: "AT", id: "101", name: "Zoë Cruz" }] };
    const play = () => provider.play("*", () => ({ json }));
    expect((await signIn("instagram", { play })).back.status).toBe(200);
    expect(await accounts("instagram")).toMatchObject([{ uid: "101", first_name: "Zoë" }]);
    expect(provider.heard.at(-1)?.url.searchParams.get("access_token")).toBe("AT");
  });

  test("is what Bitbucket's header says, and never what the browser brings", async () => {
    const address = "GET https://git.example.net/rest/api/latest/application-properties";
    const play = () => provider.play(address, () => ({ json: {} }));
    const change = { play, brings: { username: "ann-lee" } };
    const { back } = await signIn("bitbucket-datacenter-oauth2", change);
    expect([back.status, back.text]).toEqual(refused);
    expect(provider.heard.filter(({ url }) => url.pathname.includes("/users/"))).toEqual([]);
  });

  // biome-ignore format: one case a line
  test.each<[string, Record<string, unknown>]>([
    ["github", { id: undefined }], ["github", { id: true }], ["github", { id: "" }], ["weibo", { uid: undefined }],
    ["qq", { openid: undefined }], ["slack", { team: {} }], ["vk-oauth2", { response: [] }], ["tiktok", { data: { user: {} } }],
  ])("must be known: %s with %j", async (name, answer) => {
    const { back } = await signIn(name, { answer });
    expect([back.status, back.text]).toEqual(refused);
  });

  test("comes percent-encoded from Mail.ru", async () => {
    const { back } = await signIn("mailru-oauth2", {
      answer: { list: [{ uid: "1%2F0", first_name: "Zo%C3%AB" }] },
    });
    expect(back.status, back.text).toBe(200);
    expect(await accounts("mailru-oauth2")).toMatchObject([{ uid: "1/0", first_name: "Zoë" }]);
  });
});

describe("an answer with status 200 that tells of a failure", () => {
  // biome-ignore format: one case a line
  const failures: readonly (readonly [string, object])[] = [
    ["coding", { code: 1, msg: "no" }], ["deezer", { error: { type: "OAuthException", message: "no", code: 300 } }],
    ["facebook", { error: { message: "no", type: "OAuthException", code: 190 } }], ["github", { error: "bad_verification_code" }],
    ["naver", { resultcode: "024", message: "no" }], ["qq", { ret: 100016, msg: "access token check failed" }],
    ["slack", { ok: false, error: "invalid_code" }], ["tiktok", { error: { code: "access_token_invalid" } }],
    ["untappd", { meta: { http_code: 500, error_detail: "no" }, response: {} }], ["weixin", { errcode: 40029, errmsg: "invalid code" }],
    ["vk-oauth2", { error: { error_code: 5, error_msg: "User authorization failed" } }],
  ];

  test.each(failures)("is believed: %s", async (name, failure) => {
    for (const at of [1, 2]) {
      provider.forget();
      const good = await signIn(name);
      expect(good.back.status, good.back.text).toBe(200);
      const calls = provider.heard
        .slice(0, at)
        .map(({ method, url }) => `${method} ${url.origin}${url.pathname}`);
      const failing = calls.at(-1) ?? "";
      const { back } = await signIn(name, { play: () => provider.play(failing, () => ({ json: failure })) });
      expect([back.status, back.text]).toEqual(refused);
      expect(provider.heard).toHaveLength(at);
    }
  });
});

describe("Surveymonkey's regional host", () => {
  const evil = "https://evil.example.net";

  test.each([
    ["another host", evil],
    ["a host that ends alike", "https://evilsurveymonkey.com"],
    ["a host behind a user", "https://api.surveymonkey.com@evil.example.net"],
    ["plain http", "http://api.surveymonkey.com"],
    ["no address", "api.surveymonkey.com"],
    ["none", undefined],
  ])("is not %s", async (_, address) => {
    const change = { answer: { access_url: address }, brings: { access_url: evil } };
    const { back } = await signIn("surveymonkey", change);
    expect([back.status, back.text]).toEqual(refused);
    expect(hosts()).toEqual(["api.surveymonkey.com"]);
  });
});

describe("only members", () => {
  test.each([
    ["github-enterprise-org", "https://git.example.net/api/v3/orgs/acme/members/login-1"],
    ["github-team", "https://api.github.com/teams/4711/members/login-1"],
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
  const confirmed = { is_email_valid: true, is_email_verified: true, email: emailAt("kakao") };
  const listed = { primary: true, email: emailAt("github") };
  // biome-ignore format: one case a line
  test.each<[string, string, Record<string, unknown>, boolean]>([
    ["kakao", "valid and verified", {}, true],
    ["kakao", "no longer valid", { kakao_account: { ...confirmed, is_email_valid: false } }, false],
    ["kakao", "not verified", { kakao_account: { ...confirmed, is_email_verified: false } }, false],
    ["github", "verified", {}, true],
    ["github", "not verified", { list: [{ ...listed, verified: false }] }, false],
    ["github", "in no list", { list: [], email: emailAt("github") }, false],
    ["zoom-oauth2", "verified by a number", {}, true],
    ["zoom-oauth2", "not verified by a number", { verified: 0 }, false],
    ["yandex-oauth2", "at its second place", { default_email: undefined, emails: [emailAt("yandex-oauth2")] }, false],
    ["gitlab", "confirmed at another server", {}, false],
  ])("of %s that is %s", async (name, _, answer, is_verified) => {
    const { back } = await signIn(name, { answer });
    expect(back.status, back.text).toBe(200);
    expect(await accounts(name)).toMatchObject([{ ...ann(name), is_verified }]);
  });

  test("of GitHub is not confirmed where the addresses may not be seen", async () => {
    const address = "GET https://api.github.com/user/emails";
    const play = () => provider.play(address, () => ({ status: 403, json: {} }));
    const { back } = await signIn("github", { play, answer: { email: emailAt("github") } });
    expect(back.status, back.text).toBe(200);
    expect(await accounts("github")).toMatchObject([ann("github")]);
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
  const now = Math.floor(Date.now() / 1000);
  const claims = { sub: "101", aud: ["id-of-keycloak"], exp: now + 300 };
  const signed = (what: object, key = realmKey.privateKey) => realmToken(claims, claims.aud, what, key);
  const pem = realmKey.publicKey.export({ type: "spki", format: "pem" });
  const hmac = `${encode({ alg: "HS256" })}.${encode(claims)}`;
  const answer = (access_token: string) => () =>
    provider.play("POST https://realm.example.net/token", () => ({ json: { access_token } }));

  test("signs in", async () => {
    const { back } = await signIn("keycloak", { play: answer(signed({})) });
    expect(back.status, back.text).toBe(200);
  });

  // biome-ignore format: one case a line
  test.each([
    ["signed with another key", signed({}, other.privateKey)],
    ["of another app", signed({ aud: "account" })],
    ["without an app", signed({ aud: undefined })],
    ["expired", signed({ exp: now - 3300 })],
    ["without an end", signed({ exp: undefined })],
    ["that begins later", signed({ nbf: claims.exp })],
    ["without a signature", `${encode({ alg: "none" })}.${encode(claims)}.`],
    ["of which the public key is the secret", `${hmac}.${createHmac("sha256", pem).update(hmac).digest("base64url")}`],
    ["that is not a JWT", "opaque"],
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
    expect((await signIn("facebook")).back.status).toBe(200);
    expect(provider.heard.at(-1)?.url.searchParams.has("appsecret_proof")).toBe(false);
  });
});
