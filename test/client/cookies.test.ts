import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { OpenApiDocument } from "#vocabulary/openapi/document";
import { type Client, clientModule, fixtureDocument } from "../support/client.ts";
import { listening } from "../support/listening.ts";

/** The document of the fixture, as it is with a cookie for refresh tokens. */
function documentWithCookies(): OpenApiDocument {
  const text = JSON.stringify(fixtureDocument())
    .replaceAll('"mfa_code":{', '"cookie_only":{"type":"boolean"},$&')
    .replaceAll('"refreshToken":{"type":"string","minLength"', '"cookie_only":{"type":"boolean"},$&');
  return JSON.parse(text);
}

const refreshPath = "POST /auth/refresh-token";

/** The newest cookies; null: signed out. Each refresh makes others, and uses up those before. */
let valid: string | null;
/** Refuses so many refreshes. */
let refusals: number;
/** Whether the browser has dropped the access token, which it does at its end. */
let isAccessEnded: boolean;
let isDown: boolean;
let requests: string[];
let bodies: object[];

const server = createServer(async (incoming, response) => {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const line = `${incoming.method} ${incoming.url}`;
  requests.push(line);
  expect(incoming.headers).not.toHaveProperty("authorization");
  if (parts.length > 0) bodies.push(JSON.parse(Buffer.concat(parts).toString()));
  answer(line, incoming, response);
});
const url = await listening(server);

function answer(line: string, { headers }: IncomingMessage, response: ServerResponse): void {
  const isKnown = valid !== null && !isAccessEnded && headers.cookie === `at=${valid}`;
  if (line === "POST /auth/login") begin(response);
  else if (line === refreshPath && isDown) response.destroy();
  else if (line === refreshPath) {
    const isRefused = refusals-- > 0 || valid === null || headers.cookie !== `rt=${valid}`;
    if (isRefused) fail(response, "INVALID_TOKEN");
    else begin(response);
  } else if (line === "POST /auth/logout") {
    valid = null;
    succeed(response, { deleted_tokens: 1, logout_type: "single" });
  } else if (line === "GET /auth/me" && !isKnown) fail(response, "MISSING_TOKEN");
  else succeed(response, { user_id: 1, count: isKnown ? 2 : 1 });
}

function begin(response: ServerResponse): void {
  valid = String(Number(valid) + 1);
  isAccessEnded = false;
  response.setHeader("set-cookie", valid);
  succeed(response, { user: {}, expiresIn: 3600 });
}

function succeed(response: ServerResponse, data: object): void {
  response.end(JSON.stringify({ statusCode: 200, status: "success", message: "", data }));
}

function fail(response: ServerResponse, error: string): void {
  const body = { statusCode: 401, status: "error", error, message: "", data: null };
  response.writeHead(401).end(JSON.stringify(body));
}

/** What a browser keeps of its cookies. */
let jar: string | null;
/** `fetch` of a browser: it sends cookies where it should. */
const browserFetch: typeof fetch = async (address, init) => {
  expect(init?.credentials).toBe("include");
  const name = String(address).endsWith("/refresh-token") ? "rt" : "at";
  const headers = { ...(init?.headers as object), ...(jar === null ? {} : { cookie: `${name}=${jar}` }) };
  const response = await fetch(address, { ...init, headers });
  jar = response.headers.get("set-cookie") ?? jar;
  return response;
};

const { createClient } = await clientModule(documentWithCookies());
const refreshes = () => requests.filter((line) => line === refreshPath).length;

let client: Client;
const heard = vi.fn();
beforeEach(() => {
  [valid, jar, refusals, isAccessEnded, isDown, requests, bodies] = ["1", "1", 0, false, false, [], []];
  heard.mockClear();
  client = createClient({ url, fetch: browserFetch, retries: 0, cookies: true });
  client.session.subscribe(heard);
});

describe("a page with the cookies of a session", () => {
  test("refreshes before its first call, once for all, and holds no token", async () => {
    await Promise.all([client.folders.count(), client.auth.me(), client.folders.count()]);
    expect([requests[0], refreshes()]).toEqual([refreshPath, 1]);
    expect(bodies).toEqual([{ cookie_only: true }]);
    expect(await client.session.get()).toEqual({
      ...{ accessToken: "", refreshToken: "" },
      expiresAt: expect.any(Number),
    });
  });

  test("refreshes before the access token ends", async () => {
    await client.auth.me();
    await client.session.set({ accessToken: "a", refreshToken: "r", expiresAt: Date.now() + 9_000 });
    await Promise.all([client.auth.me(), client.auth.me()]);
    expect(refreshes()).toBe(2);
  });

  test("refreshes after a 401, once for all calls", async () => {
    await client.auth.me();
    isAccessEnded = true;
    const calls = [client.auth.me(), client.auth.me(), client.auth.me()];
    expect(await Promise.all(calls)).toHaveLength(3);
    expect(refreshes()).toBe(2);
  });

  test("tries a refused refresh again: another tab can have renewed the cookie", async () => {
    refusals = 1;
    expect(await client.auth.me()).toMatchObject({ user_id: 1 });
    expect(refreshes()).toBe(2);
    refusals = 1;
    await client.auth.refresh();
    expect(refreshes()).toBe(4);
  });

  test("ends with a second refusal", async () => {
    await client.auth.me();
    valid = null;
    const results = await Promise.all([client.auth.me().result(), client.auth.me().result()]);
    for (const { error } of results) expect(error).toMatchObject({ error: "TOKEN_EXPIRED" });
    expect(refreshes()).toBe(3);
    expect(await client.session.get()).toBeNull();
    expect(heard.mock.calls.at(-1)).toEqual([null]);
  });

  test("goes on after a failure of the network", async () => {
    isDown = true;
    await expect(client.auth.me()).rejects.toMatchObject({ error: "NETWORK_ERROR" });
    isDown = false;
    expect(await client.auth.me()).toMatchObject({ user_id: 1 });
  });

  test("ends with a logout, which sends no token", async () => {
    await client.auth.me();
    expect(await client.auth.logout()).toMatchObject({ deleted_tokens: 1 });
    expect(bodies.at(-1)).toEqual({});
    expect(await client.session.get()).toBeNull();
  });
});

describe("a page without a session", () => {
  beforeEach(() => {
    jar = valid = null;
  });

  test("calls as a guest after the second refusal, and asks no more", async () => {
    expect(await client.folders.count()).toBe(1);
    expect(await client.folders.count()).toBe(1);
    expect(refreshes()).toBe(2);
    await expect(client.auth.me()).rejects.toMatchObject({ error: "MISSING_TOKEN" });
    expect(heard).not.toHaveBeenCalled();
  });

  test("begins a session with a login, which asks for cookies only", async () => {
    await client.auth.login({ email: "a@example.com", password: "p" });
    expect(bodies).toEqual([{ cookie_only: true, email: "a@example.com", password: "p" }]);
    expect(await client.auth.me()).toMatchObject({ user_id: 1 });
    expect(requests).toEqual(["POST /auth/login", "GET /auth/me"]);
    expect(heard).toHaveBeenCalledTimes(1);
  });
});

test("without the option, the client asks for tokens", async () => {
  const other = createClient({ url });
  await other.auth.login({ email: "a@example.com", password: "p" });
  expect(bodies).toEqual([{ email: "a@example.com", password: "p" }]);
  expect(refreshes()).toBe(0);
});
