import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { jwtVerify } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { readSocial } from "#runtime/core/config/social-settings";
import { testClock } from "../../support/clock.ts";
import { type Reply, requestOf } from "../../support/request.ts";
import { type Settings, testService } from "../../support/service.ts";
import { Issuer, type IssuerFacts, signingKey, type Twist } from "../../support/social/issuer.ts";
import { player } from "../../support/social/player.ts";
import { type Begun, baseUrl, begin, comeBack, socialSettings } from "../../support/social/sign-in.ts";

const apple = "https://appleid.apple.com";
const page = "https://www.example.com/signed-in";
const teamKey = generateKeyPairSync("ec", { namedCurve: "P-256" });
const publicKey = createPublicKey(teamKey.publicKey.export({ type: "spki", format: "pem" }));
// As a variable of the environment holds it.
const secret = teamKey.privateKey.export({ type: "pkcs8", format: "pem" }).toString().replaceAll("\n", "\\n");

const provider = await player();
const clock = testClock();
const declared = {
  "apple-id": { settings: { team_id: "TEAM", key_id: "KEY" }, secrets: { SECRET: secret } },
  github: {},
};
const serve = (settings: Settings, appleWebCallbackUrl: string | null = page) =>
  testService(
    {
      ...settings,
      social: socialSettings(declared, { appleWebCallbackUrl }),
      auth: { cookieName: "session" },
    },
    { resolveProvider: provider.resolve, now: clock.now },
  );
const service = await serve({ baseUrl });
const plain = await serve({ baseUrl: "http://localhost:3000" });
const withQuery = await serve({ baseUrl }, `${page}?lang=de`);
const without = await serve({ baseUrl }, null);
const facts: IssuerFacts = {
  issuer: apple,
  discovery: null,
  authorize: `${apple}/auth/authorize`,
  token: `${apple}/auth/token`,
  keys: `${apple}/auth/keys`,
  userinfo: null,
  credentials: "body",
  clientId: "id-of-apple-id",
  clientSecret: isSecret,
  callback: `${baseUrl}/auth/apple-id/callback`,
};
const key = await signingKey();
const issuer = new Issuer(provider, facts, key, clock.now);
const ann = {
  sub: "000123.ann",
  email: "ann@example.com",
  email_verified: "true",
  is_private_email: "false",
};
const user = JSON.stringify({ name: { firstName: "Ann", lastName: "Lee" }, email: "forged@example.com" });

beforeEach(async () => {
  for (const one of [service, plain, withQuery, without]) await one.store({});
  issuer.complaints.length = 0;
  provider.heard.length = 0;
});

/** The secret that Apple wants: a JWT of the team's key, for some minutes. */
async function isSecret(text: string): Promise<boolean> {
  const { payload, protectedHeader } = await jwtVerify(text, publicKey, {
    algorithms: ["ES256"],
    issuer: "TEAM",
    subject: "id-of-apple-id",
    audience: apple,
    requiredClaims: ["iat", "exp"],
    currentDate: new Date(clock.now()),
  });
  const seconds = Number(payload.exp) - Number(payload.iat);
  return protectedHeader.kid === "KEY" && seconds > 0 && seconds <= 600;
}

/** Apple's page sends a form from its own site. */
function post(
  form: Readonly<Record<string, string>>,
  {
    cookie = null,
    name = "apple-id",
    at = service,
  }: { cookie?: string | null; name?: string; at?: typeof service } = {},
): Promise<Reply> {
  return at.send({
    ...requestOf(`POST /auth/${name}/callback`, new URLSearchParams(form).toString()),
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      origin: apple,
      ...(cookie !== null && { cookie }),
    },
  });
}

/** The user agrees, and Apple posts its response. */
async function agree(
  { location, state, cookie }: Begun,
  {
    form = {},
    claims = ann,
    twist = {},
    ...way
  }: { form?: object; claims?: object; twist?: Twist; name?: string } = {},
): Promise<Reply> {
  const code = issuer.authorize(location, { claims: { ...claims } }, twist);
  const reply = await post({ code, state, id_token: "not.looked.at", ...form }, { cookie, ...way });
  expect(issuer.complaints).toEqual([]);
  return reply;
}

const people = () => service.query("select email, first_name, last_name, is_verified from users");
const authCookie = (reply: Reply) =>
  [reply.headers["set-cookie"] ?? []].flat().some((line) => line.startsWith("session="));

/** The query parameters of the app's page. */
function told(reply: Reply): URLSearchParams {
  expect(reply.status).toBe(303);
  const location = new URL(String(reply.headers.location));
  expect(location.origin + location.pathname).toBe(page);
  return location.searchParams;
}

describe("GET /auth/apple-id/login", () => {
  test("asks for name and e-mail, and so for an answer by form", async () => {
    const { location } = await begin(service, "apple-id");
    expect(location.search).toContain("scope=name%20email");
    expect(location.searchParams.get("response_mode")).toBe("form_post");
    expect(location.searchParams.get("code_challenge_method")).toBe("S256");
  });

  test("binds with a cookie that a POST from another site brings, where there is https", async () => {
    const { reply } = await begin(service, "apple-id");
    expect(String(reply.headers["set-cookie"])).toMatch(/; Path=\/auth;.*; HttpOnly; Secure; SameSite=None/);
    const { reply: github } = await begin(service, "github");
    expect(String(github.headers["set-cookie"])).toMatch(/; HttpOnly; Secure; SameSite=Lax/);
    const { reply: http } = await begin(plain, "apple-id");
    expect(String(http.headers["set-cookie"])).toMatch(/; HttpOnly; SameSite=Lax/);
  });

  test("is 400 for platform web where no page is set", async () => {
    expect((await begin(without, "apple-id")).reply.status).toBe(400);
    expect((await begin(without, "apple-id", "?platform=web")).reply.status).toBe(400);
    expect((await begin(without, "apple-id", "?platform=ios")).reply.status).toBe(302);
  });
});

describe("POST of Apple's form", () => {
  test.each(["apple-id", "apple"])(
    "to /auth/%s/callback: the browser is led to the page of the app",
    async (name) => {
      const reply = await agree(await begin(service, "apple-id"), { form: { user }, name });
      const token = told(reply).get("token") ?? "";
      expect(authCookie(reply)).toBe(false);
      expect(String(reply.headers["set-cookie"])).toMatch(/^kirak_oauth=;/);
      expect(await people()).toEqual([
        { email: "ann@example.com", first_name: "Ann", last_name: "Lee", is_verified: true },
      ]);
      const redeemed = await service.send({ method: "POST", path: "/auth/verify-web-auth", body: { token } });
      expect(redeemed.status).toBe(200);
    },
  );

  test("to a page that has a query", async () => {
    const { location, state, cookie } = await begin(withQuery, "apple-id");
    const code = issuer.authorize(location, { claims: ann });
    const reply = await post({ code, state }, { cookie, at: withQuery });
    expect([...told(reply).keys()]).toEqual(["lang", "token"]);
  });

  test.each(["ios", "android"])("answers JSON on %s, without a cookie", async (platform) => {
    const begun = await begin(service, "apple-id", `?platform=${platform}&flow=signup`);
    const reply = await agree({ ...begun, cookie: "" }, { form: { user } });
    expect(reply.status).toBe(200);
    expect(reply.envelope.data).toMatchObject({
      user: { email: "ann@example.com", role: "user" },
      flow: "signup",
      platform,
    });
    expect(authCookie(reply)).toBe(false);
  });

  test("keeps the name of the first consent, and ignores later ones", async () => {
    await agree(await begin(service, "apple-id"), { form: { user } });
    await agree(await begin(service, "apple-id"));
    const other = JSON.stringify({ name: { firstName: "Eve", lastName: "Evil" } });
    await agree(await begin(service, "apple-id"), { form: { user: other } });
    expect(await people()).toMatchObject([{ first_name: "Ann", last_name: "Lee" }]);
  });

  test("never takes the e-mail of the form", async () => {
    const claims = { sub: "000123.ann" };
    await agree(await begin(service, "apple-id"), { form: { user, email: "forged@example.com" }, claims });
    expect(await people()).toEqual([
      { email: null, first_name: "Ann", last_name: "Lee", is_verified: false },
    ]);
  });

  test.each([
    ["true", true],
    [true, true],
    ["false", false],
    [false, false],
    [undefined, false],
  ])("reads email_verified %j", async (email_verified, verified) => {
    await agree(await begin(service, "apple-id"), { claims: { ...ann, email_verified } });
    expect(await people()).toMatchObject([{ is_verified: verified }]);
  });

  test.each(["{", "null", '"Ann"', '{"name":"Ann"}', '{"name":{"firstName":{}}}'])(
    "has the name %s: none",
    async (text) => {
      told(await agree(await begin(service, "apple-id"), { form: { user: text } }));
      expect(await people()).toMatchObject([{ first_name: null, last_name: null }]);
    },
  );
});

describe("a sign-in that fails", () => {
  test("after the state was verified tells the page a code, and nothing else", async () => {
    const { state, cookie } = await begin(service, "apple-id");
    const reply = await post({ state, error: "user_cancelled_authorize" }, { cookie });
    expect([...told(reply)]).toEqual([["error", "SOCIAL_AUTH_FAILED"]]);
    expect(authCookie(reply)).toBe(false);
    const second = await begin(service, "apple-id");
    const bad = await agree(second, { twist: { claims: { nonce: "other" } } });
    expect([...told(bad)]).toEqual([["error", "SOCIAL_AUTH_FAILED"]]);
    const third = await begin(service, "apple-id");
    const empty = await post({ state: third.state }, { cookie: third.cookie });
    expect([...told(empty)]).toEqual([["error", "VALIDATION_ERROR"]]);
  });

  test("for an account that is there and inactive, or whose e-mail is not verified", async () => {
    await service.store({ users: [{ id: 1, email: "ann@example.com" }] });
    const claims = { ...ann, email_verified: "false" };
    const reply = await agree(await begin(service, "apple-id"), { claims });
    expect([...told(reply)]).toEqual([["error", "SOCIAL_EMAIL_NOT_VERIFIED"]]);
    await service.store({ users: [{ id: 1, email: "ann@example.com", is_active: false }] });
    expect([...told(await agree(await begin(service, "apple-id")))]).toEqual([["error", "ACCOUNT_INACTIVE"]]);
  });

  test("on a phone answers JSON", async () => {
    const { state } = await begin(service, "apple-id", "?platform=ios");
    const reply = await post({ state, error: "user_cancelled_authorize" });
    expect([reply.status, reply.envelope.error]).toEqual([401, "SOCIAL_AUTH_FAILED"]);
  });

  test.each([
    ["missing", () => undefined],
    ["forged", (state: string) => `${state.slice(0, -2)}xx`],
  ])("before that, for a state that is %s: 400", async (_name, change) => {
    const { state, cookie } = await begin(service, "apple-id");
    const other = change(state);
    const reply = await post({ code: "C", ...(other !== undefined && { state: other }) }, { cookie });
    expect([reply.status, reply.envelope.error]).toEqual([400, "VALIDATION_ERROR"]);
    expect(reply.headers.location).toBeUndefined();
  });

  test("for the state of another provider, or one that has expired: 400", async () => {
    const github = await begin(service, "github");
    expect((await post({ code: "C", state: github.state }, { cookie: github.cookie })).status).toBe(400);
    const { state, cookie } = await begin(service, "apple-id");
    clock.pass(601);
    expect((await post({ code: "C", state }, { cookie })).status).toBe(400);
  });
});

describe("the cookie of the sign-in", () => {
  test("must be there on the web, with https", async () => {
    const begun = await begin(service, "apple-id");
    const other = await begin(service, "apple-id");
    for (const cookie of ["", other.cookie]) {
      const reply = await agree({ ...begun, cookie });
      expect([reply.status, reply.envelope.error]).toEqual([400, "VALIDATION_ERROR"]);
      expect(authCookie(reply)).toBe(false);
    }
  });

  test("is not asked for on plain http, which cannot bring it; no auth cookie is set then", async () => {
    const { location, state } = await begin(plain, "apple-id");
    const code = issuer.authorize(location, { claims: ann });
    const reply = await post({ code, state }, { at: plain });
    expect(told(reply).get("token")).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(authCookie(reply)).toBe(false);
  });
});

test("without scopes the answer is no form: it comes by GET, and leads to the page", async () => {
  const own = {
    settings: { ...declared["apple-id"].settings, ignore_default_scope: true },
    secrets: { SECRET: secret },
  };
  const scopeless = await testService(
    { baseUrl, social: socialSettings({ "apple-id": own }, { appleWebCallbackUrl: page }) },
    { resolveProvider: provider.resolve, now: clock.now },
  );
  const { location, state, cookie } = await begin(scopeless, "apple-id");
  expect(location.searchParams.has("response_mode")).toBe(false);
  const code = issuer.authorize(location, { claims: ann });
  expect(told(await comeBack(scopeless, "apple-id", { code, state }, cookie)).has("token")).toBe(true);
});

test("a secret that is no key refuses the sign-in, and the log names the reason without it", async () => {
  const own = { ...declared["apple-id"], secrets: { SECRET: "not-a-key" } };
  const keyless = await testService(
    { baseUrl, social: socialSettings({ "apple-id": own }) },
    { resolveProvider: provider.resolve, now: clock.now },
  );
  const { state } = await begin(keyless, "apple-id", "?platform=ios");
  expect((await post({ code: "C", state }, { at: keyless })).status).toBe(401);
  const told = JSON.stringify(keyless.log);
  expect(told).toContain("is not a private key");
  expect(told).not.toContain("not-a-key");
});

test.each([
  ["the key of the team", secret, 0],
  ["a text", "not-a-key", 1],
  ["a key of another kind", otherKey(), 1],
])("a start warns of each secret but a key: %s", (_name, text, count) => {
  const warnings: string[] = [];
  const { settings } = declared["apple-id"];
  readSocial(
    {
      auth: {
        social_providers: ["apple-id"],
        social: { "apple-id": { client_id: "id", ...settings } },
        social_placeholder_domain: "social.invalid",
        social_redirect_urls: [],
      },
      auth_prefix: "/auth",
    },
    { environment: { SOCIAL_AUTH_APPLE_ID_SECRET: text }, production: false, baseUrl },
    [],
    warnings,
  );
  expect(warnings).toHaveLength(count);
  expect(warnings.join()).not.toContain(text);
});

function otherKey(): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

describe("methods", () => {
  test("/auth/apple/callback refuses GET", async () => {
    const reply = await service.send({ method: "GET", path: "/auth/apple/callback?code=C" });
    expect(reply.status).toBe(405);
    expect(reply.headers.allow).toBe("POST");
  });

  test("there is no /auth/apple/callback without Apple", async () => {
    const other = await testService({ baseUrl, social: socialSettings({ github: {} }) });
    for (const name of ["apple", "apple-id", "{provider}"])
      for (const method of ["GET", "POST", "PUT"])
        expect((await other.send({ method, path: `/auth/${name}/callback` })).status).toBe(404);
  });

  test("the callbacks of other providers and /auth/apple/login refuse POST", async () => {
    expect((await post({ code: "C" }, { name: "github" })).status).toBe(405);
    expect((await service.send({ method: "GET", path: "/auth/apple/login" })).status).toBe(404);
  });

  test("GET of /auth/apple-id/callback needs its state", async () => {
    expect((await comeBack(service, "apple-id", { code: "C" }, null)).status).toBe(400);
  });
});
