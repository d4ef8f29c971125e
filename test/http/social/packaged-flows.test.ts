import { createHmac, generateKeyPairSync, type KeyObject } from "node:crypto";
import { exportJWK, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { outcome } from "../../support/scenarios.ts";
import {
  begin,
  beginOnPage,
  comeBack,
  postForm,
  socialService,
  socialSettings,
} from "../../support/social/sign-in.ts";

const social = socialSettings({ shopify: {}, "google-onetap": { secrets: {} } });
const { service, provider, users } = await socialService(social);
describe("Shopify", () => {
  const shop = "acme-1.myshopify.com";
  const now = () => Math.floor(Date.now() / 1000);
  function signed(
    state: string,
    change: Readonly<Record<string, string>> = {},
    secret = "secret-of-shopify",
  ) {
    const query: Record<string, string> = { code: "CODE", shop, state, timestamp: String(now()), ...change };
    const text = Object.keys(query)
      .sort()
      .map((name) => `${name}=${query[name]}`)
      .join("&");
    return { ...query, hmac: createHmac("sha256", secret).update(text).digest("hex") };
  }

  test("signs in who has a shop", async () => {
    provider.play(`POST https://${shop}/admin/oauth/access_token`, ({ body, headers }) => {
      expect(headers["content-type"]).toMatch("application/json");
      expect(JSON.parse(body)).toMatchObject({
        client_id: "id-of-shopify",
        client_secret: "secret-of-shopify",
        code: "CODE",
      });
      return { json: { access_token: "shpat_1", scope: "" } };
    });
    const { location, state, cookie } = await begin(service, "shopify", `?shop=${shop}`);
    expect(location.origin + location.pathname).toBe(`https://${shop}/admin/oauth/authorize`);
    expect(outcome(await comeBack(service, "shopify", signed(state), cookie))).toBe("200");
    expect(await users()).toMatchObject([{ provider: "shopify", uid: shop, email: null }]);
  });

  // biome-ignore format: many on a line
  test.each([
    "", "acme", "acme.example.com", "acme.myshopify.com.evil.com", "acme.myshopify.com/x", "a@b.myshopify.com",
    "admin.shopify.com/store/acme",
  ])("needs a shop: %s", async (name) => {
    const query = `?shop=${encodeURIComponent(name)}`;
    expect(outcome((await begin(service, "shopify", query)).reply)).toBe("400 VALIDATION_ERROR shop");
    const { state, cookie } = await begin(service, "shopify", `?shop=${shop}`);
    const back = await comeBack(service, "shopify", signed(state, { shop: name }), cookie);
    expect(outcome(back)).toBe("400 VALIDATION_ERROR shop");
    expect(provider.heard).toEqual([]);
  });

  test.each<[string, (state: string) => Record<string, string>]>([
    ["another secret", (state) => signed(state, {}, "another")],
    ["another shop than was signed", (state) => ({ ...signed(state), shop: "evil.myshopify.com" })],
    ["another code than was signed", (state) => ({ ...signed(state), code: "EVIL" })],
    ["a parameter more", (state) => ({ ...signed(state), more: "x" })],
    ["an old answer", (state) => signed(state, { timestamp: String(now() - 100) })],
    ["no moment", (state) => signed(state, { timestamp: "" })],
    ["no signature", (state) => ({ ...signed(state), hmac: "" })],
  ])("is refused: %s", async (_, query) => {
    const { state, cookie } = await begin(service, "shopify", `?shop=${shop}`);
    expect(outcome(await comeBack(service, "shopify", query(state), cookie))).toBe("401 SOCIAL_AUTH_FAILED");
    expect(provider.heard).toEqual([]);
  });
});

describe("Google One Tap", () => {
  const pairs = {
    one: generateKeyPairSync("rsa", { modulusLength: 2048 }),
    other: generateKeyPairSync("rsa", { modulusLength: 2048 }),
  };
  const publish = async () => {
    const keys = [{ ...(await exportJWK(pairs.one.publicKey)), kid: "one", alg: "RS256", use: "sig" }];
    provider.play("GET https://www.googleapis.com/oauth2/v3/certs", () => ({ json: { keys } }));
  };
  const seconds = Math.floor(Date.now() / 1000);
  const right = {
    iss: "https://accounts.google.com",
    aud: "id-of-google-onetap",
    sub: "108",
    email: "ann@example.com",
    email_verified: true,
    given_name: "Ann",
  };
  const sign = (
    change: object = {},
    {
      key = pairs.one.privateKey as KeyObject | Buffer,
      alg = "RS256",
      kid = "one",
      exp = seconds + 3600,
      iat = seconds,
    } = {},
  ) =>
    new SignJWT({ ...right, ...change })
      .setProtectedHeader({ alg, kid })
      .setIssuedAt(iat)
      .setExpirationTime(exp)
      .sign(key);

  async function post(credential: string, word = "word", inCookie: string | null = "word") {
    await publish();
    const begun = await beginOnPage(service, "google-onetap");
    const cookie = inCookie === null ? begun.cookie : `${begun.cookie}; g_csrf_token=${inCookie}`;
    return outcome(
      await postForm(service, "google-onetap", { ...begun, cookie }, { credential, g_csrf_token: word }),
    );
  }

  test("signs in", async () => {
    expect(await post(await sign())).toBe("200");
    expect(await post(await sign({ iss: "accounts.google.com" }))).toBe("200");
    expect(await users()).toEqual([
      {
        provider: "google-onetap",
        uid: "108",
        email: "ann@example.com",
        is_verified: true,
        first_name: "Ann",
        last_name: null,
      },
    ]);
  });

  test("needs the word of the page in form and cookie", async () => {
    const credential = await sign();
    expect(await post(credential, "", "")).toBe("400 VALIDATION_ERROR g_csrf_token");
    expect(await post("", "word")).toBe("400 VALIDATION_ERROR credential");
    expect(await post(credential, "word", null)).toBe("401 SOCIAL_AUTH_FAILED");
    expect(await post(credential, "word", "another")).toBe("401 SOCIAL_AUTH_FAILED");
    expect(provider.heard).toEqual([]);
  });

  const unsigned = (header: object) =>
    `${[header, { ...right, iat: seconds, exp: seconds + 60 }].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".")}.`;
  // biome-ignore format: one case a line
  test.each<[string, () => Promise<string> | string]>([
    ["of another app", () => sign({ aud: "id-of-another" })],
    ["of another issuer", () => sign({ iss: "https://evil.example.com" })],
    ["signed with another key", () => sign({}, { key: pairs.other.privateKey })],
    ["with an unknown key", () => sign({}, { kid: "two" })],
    ["that has expired", () => sign({}, { exp: seconds - 600, iat: seconds - 4200 })],
    ["of the future", () => sign({}, { iat: seconds + 3600, exp: seconds + 7200 })],
    ["signed by HMAC with the public key",
      () => sign({}, { alg: "HS256", key: Buffer.from(pairs.one.publicKey.export({ format: "pem", type: "spki" }).toString()) })],
    ["without a signature", () => unsigned({ alg: "none", kid: "one" })],
    ["without a signature", () => unsigned({ alg: "RS256", kid: "one" })],
    ["that is not a JWT", () => "hello"],
  ])("is refused: a credential %s", async (_, credential) => {
    const text = await credential();
    expect(await post(text)).toBe("401 SOCIAL_AUTH_FAILED");
    expect(JSON.stringify(service.log)).not.toContain(text.length > 20 ? text : 'hello"');
    expect(await users()).toEqual([]);
  });
});
