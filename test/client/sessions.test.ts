import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { account, accounts, apiKey, countRows, password, session } from "../support/accounts.ts";
import { type Client, fixtureClient, type Session, type SessionStore } from "../support/client.ts";
import { errorOf, frontOf, type Play } from "../support/front.ts";
import { testService } from "../support/service.ts";
import { claimsOf, signed, tokenOf } from "../support/service-token.ts";
import { unhandledErrors } from "../support/unhandled-errors.ts";

const service = await testService();
const front = await frontOf(service.origin);
const { createClient, browserStorage } = await fixtureClient();
const refreshPath = "/auth/refresh-token";

/** An access token of user 1 that has ended. */
function endedToken(): string {
  const now = Math.floor(Date.now() / 1000);
  return signed({ ...claimsOf("user"), iat: now - 7200, exp: now - 3600, jti: randomUUID() });
}

const inAnHour = () => Date.now() + 3_600_000;
const refresh = session(1);
const ended = (): Session => ({
  accessToken: endedToken(),
  refreshToken: refresh.token,
  expiresAt: inAnHour(),
});
const refreshes = () => front.lines().filter((line) => line.endsWith(refreshPath)).length;

let client: Client;
beforeEach(async () => {
  await service.store(accounts([account(1)], [refresh.row]));
  front.reset();
  client = createClient({ url: front.url, retries: 0 });
});

const login = () => client.auth.login({ email: "user1@example.com", password });

describe("a session begins", () => {
  test("with a login, whose data are given as they came", async () => {
    const begin = Date.now();
    const data = await login();
    expect(data).toMatchObject({ user: { user_id: 1 }, accessToken: expect.any(String), expiresIn: 3600 });
    const kept = await client.session.get();
    expect(data).toMatchObject({ accessToken: kept?.accessToken, refreshToken: kept?.refreshToken });
    expect(kept?.expiresAt).toBeGreaterThanOrEqual(begin + 3_600_000);
    expect(kept?.expiresAt).toBeLessThan(begin + 3_660_000);
    expect(await client.auth.me()).toMatchObject({ user_id: 1 });
    expect(front.arrived.at(-1)?.headers.authorization).toBe(`Bearer ${kept?.accessToken}`);
  });

  test("also where the result is asked for", async () => {
    expect(await login().result()).toMatchObject({ ok: true });
    expect(await client.session.get()).not.toBeNull();
  });

  test("not with an answer without tokens", async () => {
    await expect(client.auth.login({ email: "user1@example.com", password: "no" })).rejects.toMatchObject({
      error: "INVALID_CREDENTIALS",
    });
    expect(await client.session.get()).toBeNull();
  });
});

describe("an ended access token", () => {
  test("is renewed after 401 TOKEN_EXPIRED, and the call goes on once", async () => {
    await client.session.set(ended());
    expect(await client.auth.me()).toMatchObject({ user_id: 1 });
    expect(front.lines()).toEqual(["GET /auth/me", `POST ${refreshPath}`, "GET /auth/me"]);
    expect((await client.session.get())?.refreshToken).not.toBe(refresh.token);
  });

  test("is renewed before the call if it ends within 10 seconds", async () => {
    await client.session.set({ ...ended(), accessToken: tokenOf("user"), expiresAt: Date.now() + 9_000 });
    await client.folders.count();
    await client.session.set({ ...ended(), accessToken: tokenOf("user"), expiresAt: Date.now() + 20_000 });
    await client.folders.count();
    expect(front.lines()).toEqual([`POST ${refreshPath}`, "GET /folders/count", "GET /folders/count"]);
  });

  test("causes one refresh for any number of parallel calls", async () => {
    await client.session.set(ended());
    const calls = Array.from({ length: 20 }, (_, id) => client.folders.get(id));
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 20 }, () => null));
    expect(refreshes()).toBe(1);
    await client.session.set({ ...(await kept()), expiresAt: 0 });
    await Promise.all([client.folders.count(), client.auth.me(), client.folders.fetch()]);
    expect(refreshes()).toBe(2);
  });

  test("is not renewed again for a call that comes back late", async () => {
    await client.session.set(ended());
    front.play("pass", "pass");
    const [early, late] = [client.folders.get(1), client.folders.get(2)];
    await Promise.all([early, late]);
    expect(refreshes()).toBe(1);
  });

  test("a second 401 is the failure of the call", async () => {
    await client.session.set(ended());
    front.play("pass", "pass", errorOf(401, "TOKEN_EXPIRED"));
    await expect(client.folders.count()).rejects.toMatchObject({ error: "TOKEN_EXPIRED", status: 401 });
    expect(refreshes()).toBe(1);
  });

  test("other 401 do not refresh", async () => {
    await client.session.set({ ...ended(), accessToken: "nonsense" });
    await expect(client.folders.count()).rejects.toMatchObject({ error: "INVALID_TOKEN" });
    expect(refreshes()).toBe(0);
  });
});

const kept = async (): Promise<Session> => {
  const found = await client.session.get();
  if (found === null) throw new Error("there is no session");
  return found;
};

describe("a refused refresh", () => {
  test("ends the session, calls the listeners, and fails all waiting calls with TOKEN_EXPIRED", async () => {
    const listener = vi.fn();
    await client.session.set({ ...ended(), refreshToken: session(1).token });
    client.session.subscribe(listener);
    const results = await Promise.all([client.folders.count().result(), client.auth.me().result()]);
    for (const { error } of results) {
      expect(error).toMatchObject({ error: "TOKEN_EXPIRED", status: 401, cause: { error: "INVALID_TOKEN" } });
    }
    expect(await client.session.get()).toBeNull();
    expect(listener.mock.calls).toEqual([[null]]);
    expect(refreshes()).toBe(1);
    expect(await client.folders.count()).toBe(0);
  });

  test("of a deactivated account, too", async () => {
    await service.query("UPDATE users SET is_active = false");
    await client.session.set(ended());
    await expect(client.folders.count()).rejects.toMatchObject({ cause: { error: "ACCOUNT_INACTIVE" } });
    expect(await client.session.get()).toBeNull();
  });

  test("does not end a session that another tab has renewed", async () => {
    const other: Session = {
      accessToken: tokenOf("user"),
      refreshToken: "of another tab",
      expiresAt: inAnHour(),
    };
    let stored: Session | null = { ...ended(), refreshToken: session(1).token };
    const store: SessionStore = {
      get: async () => stored,
      async set(next) {
        stored = next;
      },
    };
    const tab = createClient({ url: front.url, storage: store });
    const call = tab.auth.me();
    await front.reached(2);
    stored = other;
    expect(await call).toMatchObject({ user_id: 1 });
    expect(stored).toBe(other);
  });
});

test("the store is read before a refresh: a renewed session is taken over without a request", async () => {
  let stored: Session | null = ended();
  const next: Session = { ...ended(), accessToken: tokenOf("user") };
  const store: SessionStore = {
    get: () => stored,
    set(given) {
      stored = given;
    },
  };
  const tab = createClient({ url: front.url, storage: store });
  const call = tab.auth.me();
  await front.reached(1);
  stored = next;
  expect(await call).toMatchObject({ user_id: 1 });
  expect(front.lines()).toEqual(["GET /auth/me", "GET /auth/me"]);
});

test("a logout during a refresh is not undone by it", async () => {
  await client.session.set(ended());
  const call = client.auth.me().result();
  await front.reached(2);
  await client.session.set(null);
  expect(await call).toMatchObject({ error: { error: "TOKEN_EXPIRED" } });
  expect(await client.session.get()).toBeNull();
});

// biome-ignore format: one case a line
test.each([
  ["the network", "drop" as const, "NETWORK_ERROR"],
  ["503", errorOf(503, "HTTP_ERROR"), "HTTP_ERROR"],
  ["a page of a proxy", { status: 403, body: "<html>" }, "UNEXPECTED_ANSWER"],
])("a refresh that fails for %s ends nothing", async (_, play, error) => {
  const before = ended();
  await client.session.set(before);
  front.always(refreshPath, play);
  await expect(client.folders.count()).rejects.toMatchObject({ error });
  expect(await client.session.get()).toEqual(before);
  front.always(refreshPath, null);
  expect(await client.folders.count()).toBe(0);
});

test("an abort leaves the refresh to other calls", async () => {
  await client.session.set(ended());
  const controller = new AbortController();
  const aborted = client.folders.count(undefined, { signal: controller.signal });
  const other = client.auth.me();
  await front.reached(3);
  controller.abort("enough");
  expect(await aborted.catch((thrown) => thrown)).toBe("enough");
  expect(await other).toMatchObject({ user_id: 1 });
});

describe("clients with another credential never refresh", () => {
  test("a token wins over the session; it can be a function", async () => {
    const key = apiKey(1);
    let token: string | null = endedToken();
    const other = createClient({ url: front.url, token: async () => token });
    await other.session.set(ended());
    await expect(other.folders.count()).rejects.toMatchObject({ error: "TOKEN_EXPIRED" });
    token = tokenOf("user");
    expect(await other.auth.me()).toMatchObject({ user_id: 1 });
    token = null;
    await expect(other.auth.me()).rejects.toMatchObject({ error: "MISSING_TOKEN" });
    expect(refreshes()).toBe(0);
    await service.store(accounts([account(1)], [key.row]));
    const keyed = createClient({ url: front.url, apiKey: key.key });
    expect(await keyed.tasks.fetch()).toEqual([]);
    expect(front.arrived.at(-1)?.headers).toMatchObject({ "x-api-key": key.key });
  });

  test("nor do they send the token of a session that they find", async () => {
    const others = [{ apiKey: "key" }, { credentials: "include" }, { credentials: "same-origin" }];
    for (const other of others) {
      const client = createClient({ url: front.url, ...other });
      await client.session.set({ ...ended(), expiresAt: 0 });
      await client.folders.count().result();
      expect(front.arrived.at(-1)?.headers).not.toHaveProperty("authorization");
    }
    expect(refreshes()).toBe(0);
  });

  test("without cookies, the session is the credential", async () => {
    const other = createClient({ url: front.url, credentials: "omit" });
    await other.session.set(ended());
    expect(await other.auth.me()).toMatchObject({ user_id: 1 });
  });
});

describe("logout", () => {
  test("sends the refresh token, and ends the session here and there", async () => {
    await login();
    const { refreshToken, accessToken } = await kept();
    expect(await client.auth.logout()).toEqual({ deleted_tokens: 1, logout_type: "single" });
    expect(JSON.parse(front.arrived.at(-1)?.body ?? "")).toEqual({ token: refreshToken });
    expect(front.arrived.at(-1)?.headers.authorization).toBe(`Bearer ${accessToken}`);
    expect(await client.session.get()).toBeNull();
  });

  test("ends the session also where the request fails", async () => {
    await login();
    front.play("drop");
    await expect(client.auth.logout()).rejects.toMatchObject({ error: "NETWORK_ERROR" });
    expect(await client.session.get()).toBeNull();
  });

  test("of an ended access token does not refresh first", async () => {
    await client.session.set({ ...ended(), expiresAt: 0 });
    expect(await client.auth.logout({ logout_type: "all" })).toEqual({
      deleted_tokens: 1,
      logout_type: "all",
    });
    expect(front.arrived).toHaveLength(1);
  });

  test("of the other sessions keeps this one, with a new access token", async () => {
    await login();
    expect(await client.auth.logout({ logout_type: "others" })).toEqual({
      deleted_tokens: 1,
      logout_type: "others",
    });
    expect(await client.auth.me()).toMatchObject({ user_id: 1 });
    expect(refreshes()).toBe(1);
    expect(await countRows(service, "auth_tokens")).toBe(1);
  });
});

describe("a logout that does not end this session keeps it", () => {
  test.each<[string, Play]>([
    ["refused", errorOf(400, "VALIDATION_ERROR")],
    ["without an answer", "drop"],
  ])("of the others, %s", async (_, play) => {
    const before = ended();
    await client.session.set(before);
    front.play(play);
    expect((await client.auth.logout({ logout_type: "others" }).result()).ok).toBe(false);
    expect(await client.session.get()).toEqual(before);
  });

  test("of another refresh token", async () => {
    const other = session(1);
    await service.store(accounts([account(1)], [refresh.row, other.row]));
    await client.session.set({ ...ended(), accessToken: tokenOf("user") });
    expect(await client.auth.logout({ token: other.token })).toMatchObject({ deleted_tokens: 1 });
    expect(await client.auth.me()).toMatchObject({ user_id: 1 });
    // The service has revoked the access token.
    expect(refreshes()).toBe(1);
  });
});

describe("one use of the refresh token at a time", () => {
  test("refresh() waits for a refresh that is running", async () => {
    await client.session.set(ended());
    const calls = [client.auth.me(), client.auth.refresh(), client.folders.count(), client.auth.refresh()];
    await Promise.all(calls);
    const sent = front.arrived.filter(({ path }) => path === refreshPath).map(({ body }) => body);
    expect(sent.length).toBeGreaterThan(1);
    expect(new Set(sent).size).toBe(sent.length);
    expect(await client.auth.refresh()).toMatchObject({ refreshToken: (await kept()).refreshToken });
  });

  test("logout() ends the session that a running refresh makes, here and there", async () => {
    await client.session.set(ended());
    const call = client.auth.me().result();
    await front.reached(2);
    expect(await client.auth.logout()).toMatchObject({ deleted_tokens: 1 });
    expect(await client.session.get()).toBeNull();
    expect(await countRows(service, "auth_tokens")).toBe(0);
    await call;
    expect(await client.session.get()).toBeNull();
  });

  test("a login during a logout keeps its session", async () => {
    await login();
    const ending = client.auth.logout();
    await front.reached(2);
    const refreshToken = session(1).token;
    await client.session.set({ ...ended(), refreshToken });
    await ending;
    expect(await kept()).toMatchObject({ refreshToken });
  });

  test("a refused refresh() ends the session", async () => {
    await client.session.set({ ...ended(), refreshToken: session(1).token });
    await expect(client.auth.refresh()).rejects.toMatchObject({ error: "INVALID_TOKEN" });
    expect(await client.session.get()).toBeNull();
  });
});

describe("a refresh has no tries, pauses and time of its own", () => {
  const soon = errorOf(503, "HTTP_ERROR", { "retry-after": "0" });
  const patient = () => createClient({ url: front.url, retries: 2 });

  test.each(["count", "create"] as const)("%s repeats it as often as itself", async (name) => {
    const api = patient();
    await api.session.set({ ...ended(), expiresAt: 0 });
    front.always(refreshPath, soon);
    await expect(api.folders[name]({})).rejects.toMatchObject({ status: 503 });
    expect(refreshes()).toBe(3);
    front.always(refreshPath, null);
    front.play(soon);
    await api.auth.me();
    expect(refreshes()).toBe(5);
  });

  test("the call has one timeout for both", async () => {
    await client.session.set({ ...ended(), expiresAt: 0 });
    front.always(refreshPath, "silence");
    await expect(client.folders.count(undefined, { timeout: 50 })).rejects.toMatchObject({
      message: "GET /folders/count: no answer in 50 ms",
    });
  });
});

describe("an error of a store", () => {
  const own = new Error("the disk is full");
  let stored: Session | null;
  let isBroken: boolean;
  const worksOr = <Value>(value: Value): Value => {
    if (isBroken) throw own;
    return value;
  };
  const storage: SessionStore = {
    get: () => worksOr(stored),
    async set(session) {
      stored = worksOr(session);
    },
  };

  beforeEach(() => {
    isBroken = false;
    stored = { ...ended(), expiresAt: 0 };
    client = createClient({ url: front.url, storage });
  });

  test("during a refresh loses no token", async () => {
    const call = client.auth.me();
    await front.reached(1);
    isBroken = true;
    expect(await call.catch((thrown) => thrown)).toBe(own);
    isBroken = false;
    expect((await kept()).refreshToken).not.toBe(refresh.token);
    expect(await client.auth.me()).toMatchObject({ user_id: 1 });
    expect(refreshes()).toBe(1);
  });

  test("during a login or a logout is the error of the call", async () => {
    const set = vi.spyOn(storage, "set").mockRejectedValueOnce(own).mockRejectedValueOnce(own);
    expect(await login().catch((thrown) => thrown)).toBe(own);
    expect(await client.auth.me()).toMatchObject({ user_id: 1 });
    expect(await client.auth.logout().catch((thrown) => thrown)).toBe(own);
    expect(await client.session.get()).toBeNull();
    set.mockRestore();
  });
});

test("a revoked access token is renewed: the session can go on with another role", async () => {
  await client.session.set({ ...ended(), accessToken: tokenOf("user") });
  front.play(errorOf(401, "TOKEN_REVOKED"));
  expect(await client.auth.me()).toMatchObject({ user_id: 1 });
  expect(refreshes()).toBe(1);
});

test("refresh() sends the refresh token of the session, and stores the new one", async () => {
  await client.session.set(ended());
  expect(await client.auth.refresh()).toMatchObject({ expiresIn: 3600 });
  expect((await kept()).refreshToken).not.toBe(refresh.token);
  expect(front.arrived).toHaveLength(1);
});

test("listeners hear of each session until they stop; the error of one is its own", async () => {
  const own = new Error("no");
  const heard: (string | null)[] = [];
  const stop = client.session.subscribe((session) => void heard.push(session?.refreshToken ?? null));
  const fail = client.session.subscribe(() => {
    throw own;
  });
  const unhandled = await unhandledErrors(async () => {
    await client.session.set(ended());
    await client.session.set(null);
  });
  expect(unhandled).toEqual([own, own]);
  fail();
  stop();
  await client.session.set(ended());
  expect(heard).toEqual([refresh.token, null]);
});

describe("no token gets out", () => {
  test("into an address, an error or the console", async () => {
    const consoles = (["log", "info", "warn", "error", "debug"] as const).map((name) =>
      vi.spyOn(console, name),
    );
    const bad = "a\nsecret";
    const options = [
      { url: front.url, token: bad },
      { url: front.url, apiKey: bad },
      { url: "http://127.0.0.1:1", token: "secret", retries: 0 },
      { url: front.url, token: "secret" },
    ];
    for (const each of options) {
      const { error } = await createClient(each).folders.count().result();
      expect(`${error?.message} ${error?.stack} ${error?.cause}`).not.toContain("secret");
    }
    await client.session.set(ended());
    await client.auth.me();
    await client.auth.logout();
    for (const { path } of front.arrived) expect(path).not.toMatch(/eyJ|secret|token=/);
    for (const spy of consoles) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
  });
});

describe("browserStorage without localStorage", () => {
  test("keeps the session in memory", async () => {
    const store = browserStorage("shop");
    expect(await store.get()).toBeNull();
    const session = ended();
    await store.set(session);
    expect(await store.get()).toEqual(session);
    await store.set(null);
    expect(await store.get()).toBeNull();
  });
});
