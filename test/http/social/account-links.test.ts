import { beforeEach, describe, expect, test } from "vitest";
import { openApiDocument } from "#generator/emit/openapi/document";
import type { Json } from "#vocabulary/json";
import { service as definition } from "../../generator/support/definitions.ts";
import { account, accounts, apiKey, countRows, password } from "../../support/accounts.ts";
import { testClock } from "../../support/clock.ts";
import { mailing } from "../../support/links.ts";
import { describedBy } from "../../support/openapi.ts";
import type { Reply } from "../../support/request.ts";
import { outcome } from "../../support/scenarios.ts";
import { tokenOf } from "../../support/service-token.ts";
import { testSmtp } from "../../support/smtp.ts";
import { signingKey } from "../../support/social/issuer.ts";
import { begin, comeBack, playGithub, socialService, socialSettings } from "../../support/social/sign-in.ts";

const page = "https://www.example.com/account";
const names = ["github", "google-oauth2", "telegram", "shopify", "gitlab"];
const social = socialSettings(
  {
    github: {},
    "google-oauth2": {},
    telegram: { settings: { client_id: undefined }, secrets: { BOT_TOKEN: "1:a token of the bot" } },
    shopify: {},
    gitlab: {},
  },
  { redirectUrls: [page] },
);
const clock = testClock();
const smtp = await testSmtp();
const auth = { cookieName: "session", securityNotices: true };
const { email } = mailing(smtp);
const { service, provider } = await socialService(
  social,
  { auth, ...(email !== undefined && { email }) },
  { now: clock.now },
);
const expectDescribed = describedBy(
  JSON.parse(
    JSON.stringify(openApiDocument({ ...definition(), socialProviders: names, selfService: ["providers"] })),
  ),
);
const googleKey = await signingKey("RS256", "g1");
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
const taken = "409 PROVIDER_ALREADY_LINKED";

const send = (line: string, body?: Json, token?: string) => {
  const [method = "", path = ""] = line.split(" ");
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return service.send({ method, path: `/auth/${path}`, headers, ...(body !== undefined && { body }) });
};
const dataOf = (reply: Reply) => {
  expect(outcome(reply), reply.text).toBe("200");
  return Object(reply.envelope.data);
};
const login = async (id = 1) =>
  dataOf(await send("POST login", { email: `user${id}@example.com`, password })).accessToken as string;
const cookieIn = (reply: Reply) => String(reply.headers["set-cookie"] ?? "").split(";")[0] ?? "";
/** Begins to link GitHub, and returns what the browser has then. */
const beginLink = async (token: string, body: Json = {}) => {
  const reply = await send("POST providers/github/link", body, token);
  const location = new URL(dataOf(reply).authorization_url);
  return { reply, location, state: location.searchParams.get("state") ?? "", cookie: cookieIn(reply) };
};
const link = async (token: string, body: Json = {}, code = "good") => {
  const { state, cookie } = await beginLink(token, body);
  return comeBack(service, "github", { code, state }, cookie);
};
const links = () => service.query("SELECT user_id::int, provider, uid FROM auth_social ORDER BY id");
const events = (name: string) => service.log.filter(({ event }) => event === name);
const users = accounts([account(1, { first_name: "Own", is_verified: true }), account(2)]);

beforeEach(async () => {
  await service.settled();
  service.log.length = 0;
  await service.store(users);
  playGithub(provider, { id: 7, email: "other@example.com", verified: false });
  provider.play("GET https://www.googleapis.com/oauth2/v3/certs", () => ({
    json: { keys: [googleKey.published] },
  }));
});

describe("linking in a browser", () => {
  test("links, and does not sign in; e-mail, names and state of the account stay", async () => {
    const before = await service.query("SELECT * FROM users ORDER BY id");
    const token = await login();
    const { reply, location, state, cookie } = await beginLink(token);
    expectDescribed("POST", "/auth/providers/{provider}/link", reply);
    expect(Object.keys(dataOf(reply))).toEqual(["authorization_url"]);
    expect(`${location.origin}${location.pathname}`).toBe("https://github.com/login/oauth/authorize");
    expect(reply.headers["set-cookie"]?.[0]).toMatch(/^kirak_oauth=.*; HttpOnly; Secure; SameSite=Lax$/);
    const payload = JSON.parse(Buffer.from(state, "base64url").toString().split(".")[0] ?? "");
    expect(Object.keys(payload)).toEqual(["csrf", "exp", "p", "f"]);

    const sessions = await countRows(service, "auth_sessions");
    const back = await comeBack(service, "github", { code: "good", state }, cookie);
    expectDescribed("GET", "/auth/{provider}/callback", back);
    expect(dataOf(back)).toEqual({ provider: "github", linked: true });
    expect(back.headers["set-cookie"]).toEqual([expect.stringMatching(/^kirak_oauth=;/)]);
    expect(await countRows(service, "auth_sessions")).toBe(sessions);
    const after = await service.query("SELECT * FROM users ORDER BY id");
    expect(after.map(({ last_login_at: _, ...rest }) => rest)).toEqual(
      before.map(({ last_login_at: _, ...rest }) => rest),
    );
    expect(await links()).toEqual([{ user_id: 1, provider: "github", uid: "7" }]);
    await service.settled();
    expect(smtp.mails.at(-1)).toMatchObject({
      to: ["user1@example.com"],
      subject: expect.stringMatching(/^An account at another provider was linked: GitHub at /),
    });
    expect(events("provider.linked")).toMatchObject([{ user_id: "1", actor: "user", actor_id: "1" }]);
    expect(events("provider.linked")[0]?.["session_id"]).toMatch(/-/);
  });

  test("of a linked account again is a success without an event; it signs in to the account", async () => {
    const token = await login();
    for (let count = 0; count < 2; count++) dataOf(await link(token));
    expect(events("provider.linked")).toHaveLength(1);
    const { state, cookie } = await begin(service, "github");
    const entry = dataOf(await comeBack(service, "github", { code: "good", state }, cookie));
    expect(entry.user.user_id).toBe(1);
    expect(await countRows(service, "users")).toBe(2);
  });

  test("returns to a page of the app, with the name or the code of an error, and no token", async () => {
    const token = await login();
    const done = await link(token, { redirect_to: page });
    expectDescribed("GET", "/auth/{provider}/callback", done);
    expect([done.status, done.headers.location]).toEqual([303, `${page}?linked=github`]);
    const failed = await link(token, { redirect_to: page }, "bad");
    expect(failed.headers.location).toBe(`${page}?error=SOCIAL_AUTH_FAILED`);
    const others = await link(await login(2), { redirect_to: page });
    expect(others.headers.location).toBe(`${page}?error=PROVIDER_ALREADY_LINKED`);
  });

  test("of a provider that a page begins answers the state, and takes its parameters as keys", async () => {
    const token = await login();
    const begun = await send("POST providers/telegram/link", {}, token);
    expectDescribed("POST", "/auth/providers/{provider}/link", begun);
    expect(dataOf(begun)).toEqual({ state: expect.stringMatching(/^[\w-]+$/) });
    const shop = { shop: "books.myshopify.com" };
    const { authorization_url: url } = dataOf(await send("POST providers/shopify/link", shop, token));
    expect(new URL(url).host).toBe("books.myshopify.com");
    const none = await send("POST providers/shopify/link", {}, token);
    expect(outcome(none)).toBe("400 VALIDATION_ERROR shop");
  });

  test("another user's account of the provider, and a second one of the own, are refused", async () => {
    dataOf(await link(await login(2)));
    const token = await login();
    const refused = await link(token);
    expectDescribed("GET", "/auth/{provider}/callback", refused);
    expect(outcome(refused)).toBe(taken);
    playGithub(provider, { id: 8 });
    dataOf(await link(token));
    playGithub(provider, { id: 9 });
    expect(outcome(await link(token))).toBe(taken);
    expect(await links()).toEqual([
      { user_id: 2, provider: "github", uid: "7" },
      { user_id: 1, provider: "github", uid: "8" },
    ]);
  });

  test("of two users at once one succeeds; of one user's two accounts too", async () => {
    const begun = await Promise.all([1, 2].map(async (id) => beginLink(await login(id))));
    const replies = begun.map(({ state, cookie }) =>
      comeBack(service, "github", { code: "good", state }, cookie),
    );
    expect((await Promise.all(replies)).map(outcome).sort()).toEqual(["200", taken]);
    await service.store(users);
    const token = await login();
    const sent = [await beginLink(token), await beginLink(token), await beginLink(token)];
    let id = 100;
    provider.play("GET https://api.github.com/user", () => {
      id += 1;
      return { json: { id, login: "ann", name: "Ann", email: null } };
    });
    const others = sent.map(({ state, cookie }) =>
      comeBack(service, "github", { code: "good", state }, cookie),
    );
    expect((await Promise.all(others)).map(outcome).sort()).toEqual(["200", taken, taken]);
  });

  test("needs the cookie: a link cannot be finished in another browser", async () => {
    const { state } = await beginLink(await login());
    const without = await comeBack(service, "github", { code: "good", state }, null);
    expect(outcome(without)).toBe("400 VALIDATION_ERROR state");
    const victim = await begin(service, "github");
    const foreign = await comeBack(service, "github", { code: "good", state }, victim.cookie);
    expect(outcome(foreign)).toBe("400 VALIDATION_ERROR state");
    expect(await links()).toEqual([]);
  });

  test.each<[string, string, string]>([
    ["the end of the session", "DELETE FROM auth_tokens", "401 TOKEN_REVOKED"],
    ["deactivation", "UPDATE users SET is_active = false", "403 ACCOUNT_INACTIVE"],
    ["deletion", "DELETE FROM users", "404 NOT_FOUND"],
  ])("is refused after %s", async (_, text, refusal) => {
    const { state, cookie } = await beginLink(await login());
    await service.query(text);
    const reply = await comeBack(service, "github", { code: "good", state }, cookie);
    expectDescribed("GET", "/auth/{provider}/callback", reply);
    expect(outcome(reply)).toBe(refusal);
    expect(await links()).toEqual([]);
  });

  test("does not need a sign-in that is still recent at its end", async () => {
    const token = await login();
    clock.pass(9 * 60);
    const { state, cookie } = await beginLink(token);
    clock.pass(5 * 60);
    dataOf(await comeBack(service, "github", { code: "good", state }, cookie));
    expect(outcome(await send("POST providers/github/link", {}, token))).toBe(
      "403 REAUTHENTICATION_REQUIRED",
    );
  });

  test.each<[string, string, Json, string]>([
    ["an unknown provider", "providers/unknown/link", {}, "404 NOT_FOUND"],
    ["a provider that is not declared", "providers/discord/link", {}, "404 NOT_FOUND"],
    [
      "another page",
      "providers/github/link",
      { redirect_to: "https://evil.example" },
      "400 VALIDATION_ERROR redirect_to",
    ],
    ["an unknown key", "providers/github/link", { user_id: 2 }, "400 VALIDATION_ERROR user_id"],
    [
      "a provider without mobile sign-in",
      "providers/github/link",
      { id_token: "x" },
      "400 MOBILE_SIGN_IN_NOT_SUPPORTED",
    ],
    ["a bad token", "providers/google-oauth2/link", { id_token: "x" }, "401 SOCIAL_AUTH_FAILED"],
  ])("%s is refused", async (_, path, body, refusal) => {
    const reply = await send(`POST ${path}`, body, await login());
    expect(outcome(reply)).toBe(refusal);
    expect(reply.headers["set-cookie"]).toBeUndefined();
  });
});

test("an app on a phone links at once", async () => {
  const iat = Math.floor(clock.now() / 1000);
  const claims = {
    iss: "https://accounts.google.com",
    aud: "id-of-google-oauth2",
    sub: "g7",
    iat,
    exp: iat + 3600,
  };
  const id_token = await googleKey.sign({ ...claims, email: "phone@example.com", email_verified: false });
  const path = "POST providers/google-oauth2/link";
  const token = await login();
  const reply = await send(path, { id_token }, token);
  expectDescribed("POST", "/auth/providers/{provider}/link", reply);
  expect(dataOf(reply)).toEqual({ provider: "google-oauth2", linked: true });
  expect(reply.headers["set-cookie"]).toBeUndefined();
  expect(outcome(await send(path, { id_token }, await login(2)))).toBe(taken);
  expect(await links()).toEqual([{ user_id: 1, provider: "google-oauth2", uid: "g7" }]);
  expect(events("provider.linked")).toHaveLength(1);
});

describe("linked providers", () => {
  test("are listed with the address that the provider said last, and without tokens", async () => {
    const token = await login();
    dataOf(await link(token));
    const reply = await send("GET providers/linked", undefined, token);
    expectDescribed("GET", "/auth/providers/linked", reply);
    const linked = { provider: "github", title: "GitHub", email: "other@example.com", linked_at: moment };
    expect(dataOf(reply)).toEqual({ providers: [{ ...linked, last_used_at: null }] });

    playGithub(provider, { id: 7, email: "newer@example.com" });
    const { state, cookie } = await begin(service, "github");
    dataOf(await comeBack(service, "github", { code: "good", state }, cookie));
    const { providers } = dataOf(await send("GET providers/linked", undefined, token));
    expect(providers).toEqual([{ ...linked, email: "newer@example.com", last_used_at: moment }]);
    expect(dataOf(await send("GET providers/linked", undefined, await login(2)))).toEqual({ providers: [] });
  });

  test("have the time and the address of a first sign-in", async () => {
    playGithub(provider, { id: 8, email: null });
    const { state, cookie } = await begin(service, "github");
    const { accessToken } = dataOf(await comeBack(service, "github", { code: "good", state }, cookie));
    const { providers } = dataOf(await send("GET providers/linked", undefined, accessToken));
    expect(providers).toMatchObject([{ provider: "github", email: null, last_used_at: moment }]);
  });

  test("are unlinked; sessions stay, and a sign-in that has no session yet does not", async () => {
    const token = await login();
    dataOf(await link(token));
    const entry = await begin(service, "github", `?redirect_to=${page}`);
    const back = await comeBack(service, "github", { code: "good", state: entry.state }, entry.cookie);
    const webToken = new URL(String(back.headers.location)).searchParams.get("token") ?? "";
    const second = await begin(service, "github");
    const { accessToken } = dataOf(
      await comeBack(service, "github", { code: "good", state: second.state }, second.cookie),
    );
    const reply = await send("DELETE providers/github", undefined, token);
    expectDescribed("DELETE", "/auth/providers/{provider}", reply);
    expect(dataOf(reply)).toEqual({});
    expect(await links()).toEqual([]);
    dataOf(await send("GET me", undefined, accessToken));
    expect(outcome(await send("POST verify-web-auth", { token: webToken }))).toBe("401 INVALID_TOKEN");
    expect(outcome(await send("DELETE providers/github", undefined, token))).toBe("404 NOT_FOUND");
    await service.settled();
    expect(smtp.mails.at(-1)?.subject).toMatch(/^An account at another provider was unlinked: GitHub/);
    expect(events("provider.unlinked")).toHaveLength(1);
  });

  test("that are not declared any more can be unlinked, and are no way to sign in", async () => {
    const token = await login();
    await service.query(
      "INSERT INTO auth_social (user_id, provider, uid, extra_data) VALUES (1, 'oidc:old', 'x', 'x'), (1, 'github', '7', 'x')",
    );
    const { providers } = dataOf(await send("GET providers/linked", undefined, token));
    expect(providers.map((one: { provider: string }) => one.provider)).toEqual(["oidc:old", "github"]);
    await service.query("UPDATE users SET password = NULL WHERE id = 1");
    const last = await send("DELETE providers/github", undefined, token);
    expectDescribed("DELETE", "/auth/providers/{provider}", last);
    // By a code to the verified address.
    expect(outcome(last)).toBe("200");
    await service.query(
      "INSERT INTO auth_social (user_id, provider, uid, extra_data) VALUES (1, 'github', '7', 'x')",
    );
    await service.query("UPDATE users SET is_verified = false WHERE id = 1");
    expect(outcome(await send("DELETE providers/github", undefined, token))).toBe("409 LAST_SIGN_IN_METHOD");
    expect(outcome(await send("DELETE providers/oidc%3Aold", undefined, token))).toBe("200");
    expect(await links()).toHaveLength(1);
  });

  test("the last way stays, also of two that are unlinked at once", async () => {
    const token = await login();
    await service.query(
      "INSERT INTO auth_social (user_id, provider, uid, extra_data) VALUES (1, 'github', '7', 'x'), (1, 'gitlab', '7', 'x')",
    );
    await service.query("UPDATE users SET password = NULL, is_verified = false WHERE id = 1");
    const replies = ["github", "gitlab"].map((name) => send(`DELETE providers/${name}`, undefined, token));
    expect((await Promise.all(replies)).map(outcome).sort()).toEqual(["200", "409 LAST_SIGN_IN_METHOD"]);
  });
});

test("the routes need an access token, and changes a recent sign-in", async () => {
  const key = apiKey(1);
  await service.store(accounts([account(1)], [key.row]));
  for (const line of ["GET providers/linked", "POST providers/github/link", "DELETE providers/github"]) {
    const [method = "", path = ""] = line.split(" ");
    const headers = { "x-api-key": key.key };
    const reply = await service.send({ method, path: `/auth/${path}`, headers, body: {} });
    expect([outcome(await send(line, {})), outcome(reply)]).toEqual(Array(2).fill("401 MISSING_TOKEN"));
    if (method === "GET") continue;
    const old = tokenOf({ role: "user", sub: "1" });
    expect(outcome(await send(line, {}, old))).toBe("403 REAUTHENTICATION_REQUIRED");
  }
});
