import { beforeEach, describe, expect, test } from "vitest";
import { openApiDocument } from "#generator/emit/openapi/document";
import { access, service as definition, model, rule } from "../generator/support/definitions.ts";
import { signIn } from "../support/account-requests.ts";
import { account, accounts, password } from "../support/accounts.ts";
import { clientModule, fixtureClient } from "../support/client.ts";
import { frontOf } from "../support/front.ts";
import { testService } from "../support/service.ts";
import { tokenOf } from "../support/service-token.ts";

const service = await testService();
const front = await frontOf(service.origin);
const { createClient } = await fixtureClient();
const client = createClient({ url: front.url, token: tokenOf("user") });

beforeEach(async () => {
  await service.store(accounts([account(1)]));
  front.reset();
});

test("methods have the names of the segments, and take a body or a query as one object", async () => {
  expect(await client.auth.me({ headers: { "x-one": "1" } })).toMatchObject({ user_id: 1 });
  expect(front.arrived[0]?.headers["x-one"]).toBe("1");
  expect(await client.auth.setupMfa()).toMatchObject({ backup_codes: expect.any(Array) });
  const key = await client.auth.apiKeys["create"]?.({ name: "till" });
  expect(key).toMatchObject({ name: "till" });
  expect(await client.auth.apiKeys["list"]?.({ user_id: 1 })).toHaveLength(1);
  expect(await client.auth.apiKeys["revoke"]?.({ id: Object(key).id })).toEqual({});
  expect(await client.auth.apiKeys["list"]?.()).toEqual([]);
  expect(front.lines().slice(2)).toEqual([
    ...["POST /auth/api-keys/create", "GET /auth/api-keys/list?user_id=1"],
    ...["DELETE /auth/api-keys/revoke", "GET /auth/api-keys/list"],
  ]);
});

test("the groups have exactly the methods of the document", () => {
  expect(Object.keys(client.auth).sort()).toEqual([
    ...[
      "acceptInvitation",
      "account",
      "apiKeys",
      "changePassword",
      "disableMfa",
      "generateVerificationLink",
      "login",
      "logout",
      "me",
      "passkeys",
      "providers",
    ],
    ...[
      "reauthenticate",
      "refresh",
      "register",
      "requestEmailCode",
      "requestOtp",
      "requestResetPassword",
      "requestVerification",
    ],
    ...["resetPassword", "sessions", "setupMfa", "social", "verifyEmailCode", "verifyMfa", "verifyOtp"],
    "verifyWebAuth",
  ]);
  expect(Object.keys(client.auth.account).sort()).toEqual([
    ...["cancelChangeEmail", "changeEmail", "changePhone", "confirmChangeEmail", "confirmChangePhone"],
    ...["delete", "export", "get", "removePassword", "removePhone", "setPassword", "update"],
  ]);
  const ofPasskeys = ["registerOptions", "register", "loginOptions", "login", "list", "rename", "delete"];
  expect(Object.keys(client.auth.passkeys).sort()).toEqual(ofPasskeys.sort());
  expect(Object.keys(client.auth.apiKeys)).toEqual(["create", "list", "revoke"]);
  expect(Object.keys(client.users).sort()).toEqual([
    ...["create", "delete", "get", "invite", "list", "listSessions", "resetMfa", "signOut", "update"],
  ]);
  expect(Object.keys(client.rateLimits)).toEqual(["list", "get", "reset"]);
  expect("storage" in client).toBe(false);
});

test("an id is a part of the path, also of methods with a body", async () => {
  const { sessions, passkeys } = client.auth;
  await expect(sessions.end({ id: "x" })).rejects.toMatchObject({ error: "NOT_FOUND" });
  await expect(passkeys.rename({ id: "7", name: "Phone" })).rejects.toMatchObject({
    error: "NOT_FOUND",
  });
  expect(front.lines()).toEqual(["DELETE /auth/sessions/x", "PATCH /auth/passkeys/7"]);
  expect(front.arrived[1]?.body).toBe('{"name":"Phone"}');
});

test("a sign-in with a passkey or a code by mail stores the session", async () => {
  const data = { accessToken: "a", refreshToken: "r", expiresIn: 60, user: {} };
  const { auth, session } = createClient({ url: front.url });
  const sign = [
    () => auth.passkeys.login({ response: {} }),
    () => auth.verifyEmailCode({ email: "a@b.example", code: "123456" }),
  ];
  for (const signIn of sign) {
    await session.set(null);
    front.play({ status: 200, body: { statusCode: 200, status: "success", message: "", data } });
    await signIn();
    expect(await session.get()).toMatchObject({ accessToken: "a", refreshToken: "r" });
  }
});

describe("reauthenticate", () => {
  const credentials = { email: "user1@example.com", password };

  test("signs in again, keeps the new session, and ends the one before", async () => {
    const { auth, session } = createClient({ url: front.url });
    await auth.login(credentials);
    const before = await session.get();
    expect(await auth.reauthenticate(credentials)).toMatchObject({ user: { user_id: 1 } });
    expect(await session.get()).not.toEqual(before);
    expect(await auth.sessions.list()).toMatchObject({ sessions: [{ current: true }] });
    const old = createClient({ url: front.url, token: before?.accessToken ?? "" });
    await expect(old.auth.me()).rejects.toMatchObject({ error: "TOKEN_REVOKED" });
  });

  test("keeps the session if the sign-in is refused", async () => {
    const { auth } = createClient({ url: front.url });
    await auth.login(credentials);
    const refused = await auth.reauthenticate({ ...credentials, password: "Wrong-Horse-1!" }).result();
    expect(refused.error).toMatchObject({ error: "INVALID_CREDENTIALS" });
    expect(await auth.sessions.list()).toMatchObject({ sessions: [{ current: true }] });
  });

  test("signs in without a session, and leaves that of a given token", async () => {
    const first = createClient({ url: front.url });
    await first.auth.reauthenticate(credentials);
    const token = (await first.session.get())?.accessToken ?? "";
    await createClient({ url: front.url, token }).auth.reauthenticate(credentials);
    expect(await first.auth.sessions.list()).toMatchObject({ sessions: [{}, {}] });
  });
});

describe("social sign-in", async () => {
  const socialProviders = ["google-oauth2", "github"];
  const document = openApiDocument({ ...definition(), socialProviders, selfService: ["providers"] });
  const module = await clientModule(document);
  const { social } = module.createClient({ url: `${front.url}/` }).auth;

  test("url gives the address at which a browser begins", () => {
    expect(social.url("github")).toBe(`${front.url}/auth/github/login`);
    expect(
      social.url("github", { platform: "web", redirect_to: "https://a.example/b?c", flow: undefined }),
    ).toBe(`${front.url}/auth/github/login?platform=web&redirect_to=https%3A%2F%2Fa.example%2Fb%3Fc`);
  });

  test("providers are listed, linked and unlinked", async () => {
    const answer = { status: 200, body: { statusCode: 200, status: "success", message: "", data: {} } };
    for (const call of [
      () => social.linked(),
      () => social.link("github", { redirect_to: "https://a.example" }),
      () => social.unlink("oidc:a"),
    ]) {
      front.play(answer);
      await call();
    }
    expect(front.lines().slice(-3)).toEqual([
      ...["GET /auth/providers/linked", "POST /auth/providers/github/link"],
      "DELETE /auth/providers/oidc%3Aa",
    ]);
  });

  test("mobile sends the token of the provider, and stores the session", async () => {
    const data = { accessToken: "a", refreshToken: "r", expiresIn: 60, user: {} };
    front.play({ status: 200, body: { statusCode: 200, status: "success", message: "", data } });
    const { auth, session } = module.createClient({ url: front.url });
    expect(await auth.social.mobile("google-oauth2", { id_token: "t" })).toEqual(data);
    expect(front.arrived[0]).toMatchObject({
      ...{ method: "POST", path: "/auth/google-oauth2/mobile", body: '{"id_token":"t"}' },
    });
    expect(await session.get()).toMatchObject({ accessToken: "a", refreshToken: "r" });
  });
});

test("models with the name of a property of the client are in `models` only", async () => {
  const keys = ["auth", "storage", "then", "session", "books"];
  const models = keys.map((key) => model(key, { access: access({ fetch: [rule("*")] }) }));
  const { createClient } = await clientModule(openApiDocument(definition(...models)));
  const client = createClient({ url: front.url });
  expect(Object.keys(client.models)).toEqual(keys);
  expect(await Promise.resolve(client)).toBe(client);
  expect([typeof client.auth.login, typeof client.session.get]).toEqual(["function", "function"]);
  expect(["then" in client, "storage" in client, "books" in client]).toEqual([false, false, true]);
});

test("rate limits are read and reset by their key", async () => {
  const { origin } = await testService({ rateLimit: { enabled: true } });
  const { folders, rateLimits } = createClient({ url: origin, token: tokenOf("admin") });
  await folders.count();
  const key = "crud:folders:count:ip:127.0.0.1";
  expect(await rateLimits.list({ prefix: "crud:folders" })).toMatchObject({ counters: [{ key, count: 1 }] });
  expect(await rateLimits.get({ key })).toMatchObject({ key, count: 1 });
  expect(await rateLimits.reset({ key })).toEqual({ key, reset: true });
});

test("administrators manage accounts by their id", async () => {
  await service.store(accounts([account(1, { role: "admin" }), account(2)]));
  const token = await signIn(service, 1);
  const { users, auth } = createClient({ url: front.url, token });
  expect(await users["list"]?.({ role: "user", email__ilike: "USER", limit: 5 })).toMatchObject([
    { user_id: 2 },
  ]);
  expect(await users["get"]?.({ id: "2" })).toMatchObject({ user_id: 2, sign_in: { sessions: 0 } });
  expect(await users["update"]?.({ id: "2", first_name: "Ann" })).toMatchObject({ first_name: "Ann" });
  expect(await users["listSessions"]?.({ id: "2" })).toEqual({ sessions: [] });
  expect(await users["signOut"]?.({ id: "2", api_keys: true })).toEqual({
    ended_sessions: 0,
    deleted_api_keys: 0,
  });
  expect(await users["resetMfa"]?.({ id: "2" })).toEqual({ mfa: false, passkeys: 0 });
  expect(await users["delete"]?.({ id: "2" })).toEqual({ user_id: 2 });
  expect(await Object(auth)["account"].export()).toMatchObject({
    account: { user: { user_id: 1 } },
    truncated: [],
  });
  expect(front.lines().slice(-3, -1)).toEqual(["DELETE /admin/users/2/mfa", "DELETE /admin/users/2"]);
});
