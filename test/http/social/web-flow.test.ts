import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { account, accounts } from "../../support/accounts.ts";
import { testClock } from "../../support/clock.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import {
  baseUrl,
  begin,
  comeBack,
  playGithub,
  socialService,
  socialSettings,
} from "../../support/social/sign-in.ts";
import { stage } from "../fixture/stage.ts";

const clock = testClock();
const page = "https://www.example.com/signed-in?from=us#top";
const social = socialSettings(
  {
    github: {},
    discord: { settings: { title: "Our chat" } },
    "linkedin-oauth2": {},
    gitlab: { settings: { pkce: false } },
    tiktok: {},
  },
  { redirectUrls: [page] },
);
const auth = { cookieName: "session", cookieDomain: "example.com" };
const { service, provider: providers } = await socialService(social, { auth }, { now: clock.now });

const tokens = {
  accessToken: expect.stringMatching(/^eyJ/),
  refreshToken: expect.stringMatching(/^eyJ/),
  expiresIn: 3600,
};
const cookiesOf = (reply: { headers: Record<string, unknown> }) =>
  [reply.headers["set-cookie"] ?? []].flat().map(String);
const payloadOf = (state: string) => {
  const text = Buffer.from(state, "base64url").toString();
  return JSON.parse(text.slice(0, text.lastIndexOf(".")));
};

beforeEach(() => {
  Object.assign(stage, { hooks: {}, fired: [] });
  playGithub(providers, { id: 7 });
});

describe("GET /auth/{provider}/login", () => {
  test("sends the browser to the provider", async () => {
    const { location, state, reply } = await begin(service, "github");
    expect(reply.status).toBe(302);
    expect(location.origin + location.pathname).toBe("https://github.com/login/oauth/authorize");
    expect(Object.fromEntries(location.searchParams)).toEqual({
      response_type: "code",
      client_id: "id-of-github",
      redirect_uri: `${baseUrl}/auth/github/callback`,
      scope: "user:email",
      state,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    expect(reply.headers["cache-control"]).toBe("no-store");
    expect(providers.heard).toEqual([]);
  });

  test("signs exactly the fields of the contract", async () => {
    const { state } = await begin(service, "github", "?platform=ios&flow=signup&device_token=D");
    expect(payloadOf(state)).toEqual({
      csrf: expect.stringMatching(/^[\w-]{43}$/),
      exp: Math.floor(clock.now() / 1000) + 600,
      p: "ios",
      f: "signup",
      d: "D",
    });
    const { state: other } = await begin(service, "github");
    expect(payloadOf(other)).toEqual({
      csrf: expect.any(String),
      exp: expect.any(Number),
      p: "web",
      f: "login",
    });
    expect(payloadOf(other).csrf).not.toBe(payloadOf(state).csrf);
  });

  test("binds the state to the browser by a cookie of ten minutes", async () => {
    const { reply } = await begin(service, "github");
    expect(cookiesOf(reply)).toEqual([
      expect.stringMatching(
        /^kirak_oauth=v1\.[\w-]+; Max-Age=600; Path=\/auth; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
  });

  test("binds it at the public address, which may have a path", async () => {
    const below = await testService(
      { baseUrl: `${baseUrl}/api`, social },
      { resolveProvider: providers.resolve, now: clock.now },
    );
    const { reply, state, cookie } = await begin(below, "github");
    expect(cookiesOf(reply)).toEqual([expect.stringMatching(/; Path=\/api\/auth;/)]);
    const back = await comeBack(below, "github", { code: "good", state }, cookie);
    expect(cookiesOf(back)[0]).toMatch(/^kirak_oauth=; Path=\/api\/auth;/);
  });

  test.each([
    ["linkedin-oauth2", null],
    ["gitlab", null],
    ["tiktok", /^[0-9a-f]{64}$/],
  ])("sends %s the challenge that it takes", async (provider, challenge) => {
    const { location } = await begin(service, provider);
    if (challenge === null) expect(location.searchParams.has("code_challenge")).toBe(false);
    else expect(location.searchParams.get("code_challenge")).toMatch(challenge);
  });

  test.each([
    ["?platform=windows", "platform"],
    ["?flow=both", "flow"],
    ["?platform=", "platform"],
    [`?device_token=${"d".repeat(513)}`, "device_token"],
    ["?redirect_to=https://evil.example", "redirect_to"],
    [`?redirect_to=${encodeURIComponent(`${page}x`)}`, "redirect_to"],
    [`?platform=ios&redirect_to=${encodeURIComponent(page)}`, "redirect_to"],
    ["?platform=web&platform=ios", "platform"],
    ["?flow=login&device_token=a&device_token=a", "device_token"],
    ["?utm=1&ut%6D=1", "utm"],
  ])("refuses %s", async (query, field) => {
    const { reply } = await begin(service, "github", query);
    expect(outcome(reply)).toBe(`400 VALIDATION_ERROR ${field}`);
    expect(cookiesOf(reply)).toEqual([]);
  });

  test.each(["facebook", "Github", "githu", "__proto__"])(
    "is 404 for %s, which is not declared",
    async (name) => {
      const { reply } = await begin(service, name);
      expect(outcome(reply)).toBe("404 NOT_FOUND");
    },
  );

  test.each(["POST", "PUT", "DELETE", "HEAD"])("does not take %s", async (method) => {
    const reply = await service.send({ method, path: "/auth/github/login" });
    expect(reply.status).toBe(405);
    expect(reply.headers.allow).toMatch(/^GET/);
  });
});

describe("GET /auth/{provider}/callback", () => {
  test("answers tokens, and sets the auth cookie", async () => {
    const { state, cookie } = await begin(service, "github", "?flow=signup");
    const reply = await comeBack(service, "github", { code: "good", state }, cookie);
    expect(reply.envelope).toMatchObject({ statusCode: 200, status: "success", message: "signed in" });
    expect(reply.envelope.data).toEqual({
      user: { user_id: expect.any(Number), email: "ann@example.com", role: "user" },
      ...tokens,
      flow: "signup",
      platform: "web",
    });
    expect(cookiesOf(reply)).toEqual([
      expect.stringMatching(/^kirak_oauth=; Path=\/auth; Expires=Thu, 01 Jan 1970/),
      expect.stringMatching(
        /^session=eyJ[^;]+; Max-Age=3600; Domain=example\.com; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
    const [row] = await service.query("select last_login_at is not null as signed_in from users");
    expect(row).toEqual({ signed_in: true });
  });

  test("proves to the provider that it began the sign-in, with what follows from the state", async () => {
    const { location, state, cookie } = await begin(service, "github");
    await comeBack(service, "github", { code: "good", state }, cookie);
    const [exchange] = providers.heard;
    const verifier = exchange?.form.get("code_verifier") ?? "";
    expect(createHash("sha256").update(verifier).digest("base64url")).toBe(
      location.searchParams.get("code_challenge"),
    );
    expect(Object.fromEntries(exchange?.form ?? [])).toEqual({
      grant_type: "authorization_code",
      code: "good",
      redirect_uri: `${baseUrl}/auth/github/callback`,
      client_id: "id-of-github",
      client_secret: "secret-of-github",
      code_verifier: verifier,
    });
    const stored = await service.query(
      "select count(*)::int as n from auth_tokens where token_type <> 'refresh'",
    );
    expect(stored).toEqual([{ n: 0 }]);
  });

  test.each(["ios", "android"])("needs no cookie on %s, and sets none", async (platform) => {
    const { state } = await begin(service, "github", `?platform=${platform}`);
    const reply = await comeBack(service, "github", { code: "good", state }, null);
    expect(reply.envelope.data).toMatchObject({ ...tokens, flow: "login", platform });
    expect(cookiesOf(reply)).toEqual([expect.stringMatching(/^kirak_oauth=;/)]);
  });

  describe("refuses, and deletes its cookie,", () => {
    const refused = async (
      parameters: Record<string, string>,
      cookie: string | null,
      code: string,
      provider = "github",
    ) => {
      const reply = await comeBack(service, provider, parameters, cookie);
      expect(outcome(reply)).toBe(code);
      expect(cookiesOf(reply)).toEqual([expect.stringMatching(/^kirak_oauth=;/)]);
      expect(reply.envelope.data).toBeNull();
      return reply;
    };
    const bad = "400 VALIDATION_ERROR state";
    const failed = "401 SOCIAL_AUTH_FAILED";

    test("a state that is missing, expired, tampered with, or of another provider", async () => {
      const { state, cookie } = await begin(service, "github");
      const text = Buffer.from(state, "base64url").toString();
      const moved = Buffer.from(text.replace('"p":"web"', '"p":"ios"')).toString("base64url");
      for (const wrong of ["", "x", moved, `${state}x`, state.slice(0, -4), "eyJhbGciOiJub25lIn0.e30."]) {
        await refused({ code: "good", state: wrong }, cookie, bad);
      }
      await refused({ code: "good" }, cookie, bad);
      const discord = await begin(service, "discord");
      await refused({ code: "good", state: discord.state }, discord.cookie, bad);
      clock.pass(599);
      await refused({ code: "bad", state }, cookie, failed);
      clock.pass(1);
      await refused({ code: "good", state }, cookie, bad);
      expect(providers.heard).toHaveLength(1);
    });

    test("a callback in another browser", async () => {
      const { state } = await begin(service, "github");
      const stolen = await begin(service, "github");
      for (const cookie of [null, stolen.cookie, "kirak_oauth=v1.AAAA", "kirak_oauth="])
        await refused({ code: "good", state }, cookie, bad);
      expect(providers.heard).toEqual([]);
    });

    test("a parameter that is sent twice, and exchanges nothing", async () => {
      const { state, cookie } = await begin(service, "github");
      const twice = [
        ["code", `state=${state}&code=good&code=good`],
        ["code", `state=${state}&code=wrong&code=good`],
        ["state", `state=x&state=${state}&code=good`],
        ["scope", `scope=a&state=${state}&scope=b&code=good`],
        ["error", `error=x&state=${state}&code=good&error=y`],
      ];
      for (const [name, query] of twice) {
        const path = `/auth/github/callback?${query}`;
        const reply = await service.send({ method: "GET", path, headers: { cookie } });
        expect(outcome(reply)).toBe(`400 VALIDATION_ERROR ${name}`);
      }
      expect(providers.heard).toEqual([]);
    });

    test("a callback that is loaded again, and the page shows why", async () => {
      const { state } = await begin(service, "github");
      const reply = await refused({ code: "good", state }, null, bad);
      expect(reply.envelope.message).toBe("state: was used already, or the sign-in began in another browser");
    });

    test.each([
      [{ error: "access_denied" }, "cancelled"],
      [{ error: "user_cancelled_login" }, "cancelled"],
      [{ error: "invalid_scope", code: "good" }, "refused"],
      [{ code: "wrong" }, "refused"],
    ])("with details.reason: %j is %s", async (parameters, reason) => {
      const { state, cookie } = await begin(service, "github");
      const reply = await refused({ state, ...parameters }, cookie, failed);
      expect(reply.envelope.details).toEqual({ reason });
    });

    test("a missing code, and what the provider refuses", async () => {
      const { state, cookie } = await begin(service, "github");
      await refused({ state }, cookie, "400 VALIDATION_ERROR code");
      await refused({ state, error: "access_denied", code: "good" }, cookie, failed);
      await refused({ state, code: "wrong" }, cookie, failed);
      expect(await service.query("select id from users")).toEqual([]);
    });

    test("what a provider answers that is down, broken, or somewhere else", async () => {
      const { state, cookie } = await begin(service, "github");
      const profile = "GET https://api.github.com/user";
      // biome-ignore format: one case a line
      const answers = [
        { status: 500, json: { id: 7 } },
        { status: 302, headers: { location: "https://evil.example" } },
        { text: "<html>sign in</html>", headers: { "content-type": "text/html" } },
        { text: '{"id": 7', headers: { "content-type": "application/json" } },
        { text: '{"id": 7}', headers: { "content-type": "image/png" } },
        { text: `{"id": 7, "more": "${"x".repeat(1_048_576)}"}`, headers: { "content-type": "application/json" } },
        { json: { id: null } },
        { json: { id: true } },
        { json: { id: { of: "7" } } },
        { json: { id: "7".repeat(256) } },
        { json: [7] },
      ];
      for (const answer of answers) {
        providers.play(profile, () => answer);
        await refused({ state, code: "good" }, cookie, failed);
      }
      expect(await service.query("select id from users")).toEqual([]);
    });

    test("with the reason in the log, and nothing secret there", async () => {
      const { state, cookie } = await begin(service, "github");
      const reply = await refused({ state, code: "wrong-and-secret" }, cookie, failed);
      expect(reply.envelope.message).toBe("The sign-in did not complete.");
      const lines = JSON.stringify(service.log);
      expect(lines).toContain("the provider reported a failure");
      for (const secret of ["wrong-and-secret", "secret-of-github", state, cookie])
        expect(lines).not.toContain(secret);
    });
  });

  test.each(["HEAD", "POST"])("does not take %s", async (method) => {
    const reply = await service.send({ method, path: "/auth/github/callback" });
    expect(reply.status).toBe(405);
    expect(reply.headers.allow).toMatch(/GET/);
  });
});

describe("redirect_to", () => {
  const query = `?redirect_to=${encodeURIComponent(page)}`;

  test("leads to the page with a token that it redeems", async () => {
    const { state, cookie } = await begin(service, "github", query);
    const reply = await comeBack(service, "github", { code: "good", state }, cookie);
    expect(reply.status).toBe(303);
    const [, token = ""] =
      /^https:\/\/www\.example\.com\/signed-in\?from=us&token=([^#]+)#top$/.exec(
        String(reply.headers.location),
      ) ?? [];
    expect(cookiesOf(reply)).toEqual([expect.stringMatching(/^kirak_oauth=;/)]);
    const redeem = () => service.send({ method: "POST", path: "/auth/verify-web-auth", body: { token } });
    const redeemed = await redeem();
    expect(redeemed.envelope.data).toMatchObject({
      user: { email: "ann@example.com", first_name: "Ann", last_name: "Lee", is_verified: true },
      ...tokens,
    });
    expect(cookiesOf(redeemed)).toEqual([]);
    expect(outcome(await redeem())).toBe("401 INVALID_TOKEN");
  });

  test("gives a token that no longer works once all sessions were ended", async () => {
    const begun = await begin(service, "github", query);
    const reply = await comeBack(service, "github", { code: "good", state: begun.state }, begun.cookie);
    const token = new URL(String(reply.headers.location)).searchParams.get("token");
    const other = await begin(service, "github");
    const signedIn = await comeBack(service, "github", { code: "good", state: other.state }, other.cookie);
    const body = { token: Object(signedIn.envelope.data).refreshToken, logout_type: "all" };
    const ended = await service.send({ method: "POST", path: "/auth/logout", body });
    expect(ended.envelope.data).toEqual({ deleted_tokens: 1, logout_type: "all" });
    const redeemed = await service.send({ method: "POST", path: "/auth/verify-web-auth", body: { token } });
    expect(outcome(redeemed)).toBe("401 INVALID_TOKEN");
  });

  test("gets the reason of the failure after the state was verified", async () => {
    const denied = await begin(service, "github", query);
    const reply = await comeBack(
      service,
      "github",
      { error: "access_denied", state: denied.state },
      denied.cookie,
    );
    expect(reply.status).toBe(303);
    expect(reply.headers.location).toBe(
      "https://www.example.com/signed-in?from=us&error=SOCIAL_AUTH_FAILED#top",
    );
    await service.store(accounts([account(1, { email: "ann@example.com" })]));
    playGithub(providers, { id: 7, verified: false });
    const taken = await begin(service, "github", query);
    const conflict = await comeBack(service, "github", { code: "good", state: taken.state }, taken.cookie);
    expect(conflict.headers.location).toContain("error=SOCIAL_EMAIL_NOT_VERIFIED");
  });

  test("is of no use without the cookie that carries it", async () => {
    const { state } = await begin(service, "github", query);
    expect(outcome(await comeBack(service, "github", { code: "good", state }, null))).toBe(
      "400 VALIDATION_ERROR state",
    );
  });
});

describe("hooks", () => {
  const signIn = async (query = "") => {
    const { state, cookie } = await begin(service, "github", query);
    return comeBack(service, "github", { code: "good", state }, cookie);
  };

  test("a new account registers first; every sign-in ends with after_social_callback", async () => {
    await signIn("?device_token=D-1");
    expect(stage.fired.map(({ hook }) => hook)).toEqual([
      "before_register",
      "after_register",
      "after_social_callback",
    ]);
    const [registration, , callback] = stage.fired;
    expect(registration?.value).toEqual({
      email: "ann@example.com",
      password: null,
      phone_number: null,
      first_name: "Ann",
      last_name: "Lee",
    });
    expect(callback?.value).toMatchObject({
      statusCode: 200,
      data: { flow: "login", platform: "web", ...tokens },
    });
    expect(callback?.context).toMatchObject({ device_token: "D-1", principal: { role: "user" } });
    stage.fired.length = 0;
    await signIn();
    expect(stage.fired.map(({ hook }) => hook)).toEqual(["after_social_callback"]);
    expect(stage.fired[0]?.context).toMatchObject({ device_token: null });
  });

  test("what a hook makes of the answer is answered; the cookie has the token", async () => {
    stage.hooks.after_social_callback = (result) => ({
      ...result,
      data: { ...result.data, accessToken: "mine" },
    });
    const reply = await signIn();
    expect(reply.envelope.data).toMatchObject({ accessToken: "mine" });
    expect(cookiesOf(reply)[1]).toMatch(/^session=eyJ/);
  });

  test.each(["before_register", "after_register", "after_social_callback"] as const)(
    "what %s throws is the answer, and nothing stays",
    async (hook) => {
      const fail = () => {
        throw new Error("a bug of the app");
      };
      Object.assign(stage.hooks, { [hook]: fail });
      const reply = await signIn();
      expect(outcome(reply)).toBe("500 INTERNAL_ERROR");
      for (const table of ["users", "auth_social", "auth_tokens"])
        expect(await service.query(`select id from ${table}`)).toEqual([]);
    },
  );

  test("a hook can neither change the identity nor give a role", async () => {
    stage.hooks.before_register = (value) =>
      Object.assign({}, value, {
        email: "boss@example.com",
        role: "admin",
        is_verified: true,
        first_name: "Bo",
      });
    await signIn();
    expect(await service.query("select email, role, first_name, password from users")).toEqual([
      { email: "ann@example.com", role: "user", first_name: "Bo", password: null },
    ]);
  });
});

test("GET /auth/providers lists what is declared, and no setting", async () => {
  const reply = await service.send({ method: "GET", path: "/auth/providers" });
  expect(reply.envelope.data).toEqual(
    [
      ["github", "GitHub"],
      ["discord", "Our chat"],
      ["linkedin-oauth2", "LinkedIn"],
      ["gitlab", "GitLab"],
      ["tiktok", "TikTok"],
    ].map(([provider, title]) => ({
      provider,
      title: expect.stringContaining(title ?? ""),
      login_url: `${baseUrl}/auth/${provider}/login`,
    })),
  );
});
