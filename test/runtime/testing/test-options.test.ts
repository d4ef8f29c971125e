import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import bcrypt from "bcrypt";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createServer } from "#runtime/index";
import { startTestService, type TestOptions, type TestService, type TestUser } from "#runtime/testing/index";
import type { Json } from "#vocabulary/json";
import { service } from "../../http/fixture/generated/index.ts";
import { stage } from "../../http/fixture/stage.ts";
import { Authenticator } from "../../support/authenticator.ts";
import { fixtureApp } from "../../support/temporary-folder.ts";

/** With all that a manifest can have which does not fit tests. */
const root = fixtureApp({
  modules: ["storage", "monitoring"],
  storage: { provider: "s3", bucket: "of customers" },
  rate_limit: { enabled: true, default_max_requests: 1 },
  auth: { social_providers: ["github"] },
});

async function start(options: TestOptions = {}) {
  const app = await startTestService(service, { root, ...options });
  onTestFinished(() => app.stop());
  return app;
}

/** The access token of a login. */
async function signIn(app: TestService, user?: TestUser): Promise<string> {
  const { email, password } = user ?? (await app.createUser());
  const { status, body } = await app.request<{ accessToken: string }>("/auth/login", {
    body: { email, password },
  });
  expect(status).toBe(200);
  return body.data.accessToken;
}

describe("settings", () => {
  test("the manifest holds, but for rate limits, which are off", async () => {
    const app = await start();
    for (let sent = 0; sent < 3; sent++) expect((await app.request("/stamps/count")).status).toBe(200);
    const large = await app.request("/stamps/create", { as: "admin", body: { data: "x".repeat(100_001) } });
    expect(large.status).toBe(413);
  });

  test.each<[string, TestOptions]>([
    ["settings", { settings: { rate_limit: { enabled: true } } }],
    ["variables", { environment: { SERVICE_SET_RATE_LIMIT__ENABLED: "true" } }],
  ])("%s have keys of the manifest be others", async (_, options) => {
    const app = await start(options);
    await app.request("/stamps/count");
    expect((await app.request("/stamps/count")).status).toBe(429);
  });

  test("their mistakes are reported", async () => {
    await expect(start({ settings: { base_url: "nowhere" } })).rejects.toThrow(
      /SERVICE_SET_BASE_URL: base_url must/,
    );
    await expect(start({ environment: { SERVICE_SET_NAME: "a" } })).rejects.toThrow(
      /SERVICE_SET_NAME cannot be set/,
    );
  });

  test("of the variables of the process none counts", async () => {
    vi.stubEnv("NODE_ENV", "production");
    vi.stubEnv("SERVICE_DATABASE_URL", "postgres://nowhere");
    vi.stubEnv("SERVICE_REDIS_URL", "redis://nowhere");
    vi.stubEnv("SERVICE_SET_NO_KEY", "at all");
    onTestFinished(() => void vi.unstubAllEnvs());
    const app = await start();
    expect((await app.request("/readyz")).body).toMatchObject({ message: "ready" });
    expect((await app.request("/")).status).toBe(200);
  });

  test("a service as in production can be had", async () => {
    const app = await start({ environment: { NODE_ENV: "production" } });
    expect((await app.request("/")).status).toBe(404);
  });

  test("social sign-in has no providers, so that tests need no secrets of them", async () => {
    const app = await start();
    expect((await app.request("/auth/providers")).text).not.toContain("github");
  });
});

describe("messages", () => {
  const sender = {
    settings: { email: { provider: "smtp" }, sms: { provider: "twilio", from: "+15005550006" } },
  } as const;
  const account = { email: "ann@example.com", password: "Correct-Horse-1!" };

  test("are kept for any provider, and no outbox is made", async () => {
    const app = await start(sender);
    await app.createUser({ ...account, phone_number: "+4915112345678" });
    await app.request("/auth/request-reset-password", { body: { email: account.email } });
    await app.request("/auth/request-otp", { body: { phone_number: "+4915112345678" } });
    await app.settled();
    expect(app.mails).toMatchObject([
      { to: "ann@example.com", html: expect.stringContaining("<!doctype html>") },
    ]);
    expect(app.texts).toMatchObject([{ to: "+4915112345678", text: expect.stringMatching(/\d{6}/) }]);
    expect(existsSync(join(root, "var"))).toBe(false);
  });

  test("are none where the manifest names no provider, as it would be without tests", async () => {
    const app = await start();
    await app.createUser(account);
    await app.request("/auth/request-reset-password", { body: { email: account.email } });
    await app.settled();
    expect(app.mails).toEqual([]);
  });
});

describe("accounts", () => {
  test("that are made can sign in, with a hash that costs little", async () => {
    const app = await start();
    const ann = await app.createUser({ email: "Ann@Example.com", first_name: "Ann" });
    expect(ann).toEqual({
      user_id: expect.any(Number),
      role: "user",
      email: "ann@example.com",
      password: ann.password,
    });
    const me = await app.request("/auth/me", { as: { token: await signIn(app, ann) } });
    expect(me.body.data).toMatchObject({ email: ann.email, first_name: "Ann" });
    const [row] = await app.database.query<{ password: string }>("select password from users");
    expect(bcrypt.getRounds(row?.password ?? "")).toBe(4);
    expect((await app.request("/auth/me", { as: ann })).body.data).toMatchObject({ user_id: ann.user_id });
  });

  test("are refused where they could not be", async () => {
    const app = await start();
    const [one, other] = [await app.createUser({ role: "staff" }), await app.createUser()];
    expect([one.role, other.role]).toEqual(["staff", "user"]);
    await expect(app.createUser({ email: one.email })).rejects.toMatchObject({
      code: "EMAIL_ALREADY_EXISTS",
    });
    await expect(app.createUser({ role: "guest" })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });
});

test("users have passkeys, which need a domain", async () => {
  const app = await start({ settings: { auth: { passkeys: true } } });
  const as = { token: await signIn(app) };
  const key = new Authenticator(app.url);
  const begun = await app.request<{ options: Json }>("/auth/passkeys/register-options", { as, body: {} });
  const response = key.create(begun.body.data.options);
  await app.request("/auth/passkeys/register", { as, body: { response } });
  const { body } = await app.request<{ options: Json }>("/auth/passkeys/login-options", { body: {} });
  const signed = { response: key.get(body.data.options) };
  expect((await app.request("/auth/passkeys/login", { body: signed })).status).toBe(200);
});

describe("modules", () => {
  test("files go to a folder that is removed with the service", async () => {
    let files = "";
    const createApp: TestOptions["createApp"] = (parts) => {
      const store = parts.config.storage?.store;
      files = store?.provider === "local" ? store.root : "";
      return createServer(service, parts);
    };
    const app = await start({ createApp });
    const body = new FormData();
    body.set("file", new Blob(["hello"]), "a.txt");
    expect((await app.request("/storage/upload/file", { body, as: "admin" })).status).toBe(200);
    const link = await app.request<{ url: string }>("/storage/url?path=a.txt", { as: "admin" });
    expect((await app.request(link.body.data.url)).text).toBe("hello");
    expect(readdirSync(files)).toContain("a.txt");
    await app.stop();
    expect([existsSync(dirname(files)), existsSync(join(root, "var"))]).toEqual([false, false]);
  });

  test("monitoring records where it is asked to, and not in the app's folder", async () => {
    let store = "";
    const createApp: TestOptions["createApp"] = (parts) => {
      store = parts.config.monitoring?.databasePath ?? "";
      return createServer(service, parts);
    };
    const [off, on] = [await start(), await start({ monitoring: true, createApp })];
    expect((await off.request("/monitoring/ping")).status).toBe(404);
    expect((await on.request("/monitoring/ping")).status).toBe(200);
    expect(dirname(store)).toMatch(/kirak-testing-\w+$/);
    expect(existsSync(join(root, "var"))).toBe(false);
  });
});

describe("the log", () => {
  test("is silent, and its lines are kept, masked", async () => {
    const written = vi.spyOn(process.stdout, "write");
    const app = await start();
    stage.hooks = {
      before_create() {
        throw new Error("of ann@example.com");
      },
    };
    onTestFinished(() => {
      stage.hooks = {};
    });
    await app.request("/hooked/create", { as: "admin", body: { data: { name: "a" } } });
    expect(app.log).toMatchObject([
      { level: 50, msg: "request", status: 500, err: { message: expect.stringMatching(/^of (?!ann)/) } },
    ]);
    expect(written).not.toHaveBeenCalled();
  });
});

test("a service can be disposed of", async () => {
  const app = await start();
  await app[Symbol.asyncDispose]();
  await expect(app.request("/stamps/count")).rejects.toThrow("fetch failed");
});
