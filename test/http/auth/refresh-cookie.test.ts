import type { OutgoingHttpHeaders } from "node:http";
import { beforeEach, describe, expect, test } from "vitest";
import { openApiDocument } from "#generator/emit/openapi/document";
import { loadFiles } from "../../generator/load/load-text.ts";
import { account, accounts, countRows, password, session } from "../../support/accounts.ts";
import { anyService } from "../../support/any-service.ts";
import { testClock } from "../../support/clock.ts";
import { answerCheck } from "../../support/described.ts";
import { signing } from "../../support/links.ts";
import { type Reply, requestOf } from "../../support/request.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { claimsOf, signed } from "../../support/service-token.ts";
import { testSms } from "../../support/sms.ts";
import { service as fixture } from "../fixture/generated/index.ts";
import { stage } from "../fixture/stage.ts";

const names = { cookieName: "access", refreshCookieName: "refresh" };
const { definition } = await loadFiles({
  "models.json": {},
  "manifest.json": { name: "x", auth: { cookie_name: "access", refresh_cookie_name: "refresh" } },
});
if (definition === null) throw new Error("the definition has errors");
const document = openApiDocument(definition);

const clock = testClock();
const sms = await testSms();
const auth = { ...names, accessTokenSeconds: 300, refreshTokenSeconds: 600 };
const settings = { ...signing, sms: sms.settings, baseUrl: "https://shop.example/api" };
const peers = { described: answerCheck(document), now: clock.now };
const service = await anyService(
  fixture,
  { ...settings, auth: { ...auth, cookieDomain: "example.com", emailVerificationRequired: false } },
  peers,
);
const limited = await anyService(
  fixture,
  { ...settings, auth: { ...auth, longestSessionSeconds: 240 } },
  peers,
);
const without = await testService({ ...settings, auth: { cookieName: "access" } });

const mine = session(1);
const other = session(1);
const phone = "+12025550123";
const given = accounts([account(1, { phone_number: phone })], [mine.row, other.row]);
const email = "user1@example.com";

const post = (path: string, body: object | undefined, headers: OutgoingHttpHeaders = {}, to = service) =>
  to.send({ ...requestOf(`POST /auth/${path}`), ...(body && { body: { ...body } }), headers });
const withCookie = (path: string, body: object | undefined, token: string, headers = {}) =>
  post(path, body, { cookie: `refresh=${token}`, ...headers });
const cookiesIn = ({ headers }: Reply): string[] => [headers["set-cookie"] ?? []].flat();
/** The cookies of an answer by name, with their sorted attributes. */
const cookiesOf = (reply: Reply) =>
  Object.fromEntries(
    cookiesIn(reply).map((text) => {
      const [pair = "", ...attributes] = text.split("; ");
      const [name = "", value] = pair.split("=");
      return [name, { value, attributes: attributes.filter((part) => !part.startsWith("Expires=")).sort() }];
    }),
  );
const dataOf = (reply: Reply) => {
  expect(outcome(reply), reply.text).toBe("200");
  return reply.envelope.data as Readonly<Record<string, unknown>>;
};

beforeEach(async () => {
  await service.store(given);
  Object.assign(stage, { hooks: {}, fired: [] });
});

/** Sign-ins and their bodies. */
const signIns = {
  login: async () => ({ email, password }),
  "refresh-token": async () => ({ refreshToken: mine.token }),
  "verify-otp": async () => {
    await post("request-otp", { phone_number: phone });
    return { phone_number: phone, otp: sms.codeOf(phone) };
  },
} as const;
const each = Object.entries(signIns);

describe("the refresh cookie", () => {
  test.each(each)("is set by %s", async (path, body) => {
    const reply = await post(path, await body());
    const { accessToken, refreshToken } = dataOf(reply);
    expect(cookiesOf(reply)).toEqual({
      access: {
        value: accessToken,
        attributes: ["Domain=example.com", "HttpOnly", "Max-Age=300", "Path=/", "SameSite=Lax", "Secure"],
      },
      refresh: {
        value: refreshToken,
        attributes: [
          ...["Domain=example.com", "HttpOnly", "Max-Age=600", "Path=/api/auth", "SameSite=Strict", "Secure"],
        ],
      },
    });
  });

  test("ends no later than the session, and neither does the other cookie", async () => {
    await limited.store(given);
    const signedIn = await post("login", { email, password }, {}, limited);
    const ages = (reply: Reply) =>
      Object.values(cookiesOf(reply)).map(({ attributes }) => attributes.find((part) => /^Max/.test(part)));
    expect(ages(signedIn)).toEqual(["Max-Age=240", "Max-Age=240"]);
    clock.pass(40);
    const { refreshToken } = dataOf(signedIn);
    expect(ages(await post("refresh-token", { refreshToken }, {}, limited))).toEqual([
      "Max-Age=200",
      "Max-Age=200",
    ]);
  });

  test("is deleted by a logout, and by the end of the current session", async () => {
    const deleted = (name: string, path: string, site: string) =>
      `${name}=; Domain=example.com; Path=${path}; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=${site}`;
    const both = [deleted("access", "/", "Lax"), deleted("refresh", "/api/auth", "Strict")];
    expect(cookiesIn(await post("logout", { token: mine.token }))).toEqual(both);
    const authorization = `Bearer ${dataOf(await post("login", { email, password }))["accessToken"]}`;
    const headers = { authorization };
    const listed = await service.send({ method: "GET", path: "/auth/sessions", headers });
    const { sessions } = listed.envelope.data as { sessions: { id: string; current: boolean }[] };
    const id = sessions.find(({ current }) => current)?.id;
    const ended = await service.send({ method: "DELETE", path: `/auth/sessions/${id}`, headers });
    expect(cookiesIn(ended)).toEqual(both);
  });

  test("renews the session, and ends it", async () => {
    const renewed = await withCookie("refresh-token", undefined, mine.token);
    const { refreshToken } = dataOf(renewed);
    expect(cookiesOf(renewed)["refresh"]?.value).toBe(refreshToken);
    expect(outcome(await withCookie("refresh-token", {}, mine.token))).toBe("401 INVALID_TOKEN");
    const ended = await withCookie("logout", { logout_type: "others" }, String(refreshToken));
    expect(dataOf(ended)).toEqual({ deleted_tokens: 1, logout_type: "others" });
    expect(dataOf(await withCookie("logout", undefined, String(refreshToken)))).toMatchObject({
      deleted_tokens: 1,
    });
    expect(await countRows(service, "auth_tokens")).toBe(0);
  });

  test("a token in the body wins", async () => {
    const reply = await withCookie("logout", { token: mine.token }, other.token);
    expect(dataOf(reply)).toMatchObject({ deleted_tokens: 1 });
    expect(outcome(await withCookie("refresh-token", { refreshToken: mine.token }, other.token))).toBe(
      "401 INVALID_TOKEN",
    );
    expect(outcome(await withCookie("refresh-token", {}, other.token))).toBe("200");
  });

  // biome-ignore format: one case a line
  test.each<[string, string, OutgoingHttpHeaders, string]>([
    ["refresh-token", "no cookie", {}, "400 VALIDATION_ERROR refreshToken"],
    ["logout", "no cookie", {}, "400 VALIDATION_ERROR token"],
    ["refresh-token", "another cookie", { cookie: "other=x" }, "400 VALIDATION_ERROR refreshToken"],
    ["refresh-token", "a broken cookie", { cookie: "refresh=x" }, "401 INVALID_TOKEN"],
    ["refresh-token", "an empty cookie", { cookie: "refresh=" }, "401 INVALID_TOKEN"],
    ["refresh-token", "an access token", { cookie: `refresh=${signed(claimsOf("user"))}` }, "401 INVALID_TOKEN"],
    ["refresh-token", "two cookies", { cookie: `refresh=${mine.token}; refresh=${mine.token}` }, "401 INVALID_TOKEN"],
    ["logout", "two cookies", { cookie: `refresh=${mine.token}; refresh=${mine.token}` }, "401 INVALID_TOKEN"],
    ["logout", "a broken cookie", { cookie: "refresh=x" }, "404 NOT_FOUND"],
  ])("%s with %s", async (path, _, headers, refusal) => {
    const reply = await post(path, {}, headers);
    expect([outcome(reply), cookiesIn(reply)]).toEqual([refusal, []]);
    expect(await countRows(service, "auth_tokens")).toBe(2);
  });

  test.each(["refresh-token", "logout"])("%s is held to the rules of cookies", async (path) => {
    const denied = "403 PERMISSION_DENIED";
    const foreign = { origin: "https://x.example", "sec-fetch-site": "same-site" };
    const key = path === "logout" ? "token" : "refreshToken";
    const send = async (body: object | string | undefined, headers: OutgoingHttpHeaders) =>
      outcome(
        await service.send({
          ...requestOf(`POST /auth/${path}`),
          ...(body !== undefined && { body: JSON.parse(JSON.stringify(body)) }),
          headers: { cookie: `refresh=${other.token}`, ...headers },
        }),
      );
    expect(await send(undefined, foreign)).toBe(denied);
    // Before the body is judged.
    expect(await send({ unknown: 1 }, foreign)).toBe(denied);
    expect(await send("x", { ...foreign, "content-type": "text/plain" })).toBe(denied);
    expect(await send("{", { ...foreign, "content-type": "application/json" })).toBe(denied);
    expect(await send({ unknown: 1 }, {})).toBe("400 VALIDATION_ERROR unknown");
    expect(await send({ [key]: mine.token }, foreign)).toBe("200");
    expect(await send(undefined, { "sec-fetch-site": "same-origin" })).toBe("200");
  });

  test("without the setting it is neither set nor read", async () => {
    await without.store(given);
    expect(Object.keys(cookiesOf(await post("login", { email, password }, {}, without)))).toEqual(["access"]);
    const refused = await post("refresh-token", {}, { cookie: `refresh=${mine.token}` }, without);
    expect(outcome(refused)).toBe("400 VALIDATION_ERROR refreshToken");
  });
});

describe("cookie_only", () => {
  test.each(each)("leaves the tokens out of the answer of %s", async (path, body) => {
    const reply = await post(path, { ...(await body()), cookie_only: true });
    const { expiresIn, ...data } = dataOf(reply);
    expect(expiresIn).toBe(300);
    expect(Object.keys(data)).toEqual(path === "refresh-token" ? [] : ["user"]);
    expect(reply.text).not.toContain("eyJ");
    expect(Object.values(cookiesOf(reply)).map(({ value }) => value?.slice(0, 3))).toEqual(["eyJ", "eyJ"]);
  });

  test("a page keeps its session by cookies only", async () => {
    const jar = (reply: Reply) =>
      Object.entries(cookiesOf(reply))
        .map(([name, { value }]) => `${name}=${value}`)
        .join("; ");
    const signedIn = await post("login", { email, password, cookie_only: true });
    const renewed = await post("refresh-token", { cookie_only: true }, { cookie: jar(signedIn) });
    const headers = { cookie: jar(renewed) };
    expect(outcome(await service.send({ method: "GET", path: "/auth/me", headers }))).toBe("200");
    expect(outcome(await post("logout", {}, headers))).toBe("200");
    expect(outcome(await service.send({ method: "GET", path: "/auth/me", headers }))).toBe(
      "401 TOKEN_REVOKED",
    );
    expect(outcome(await post("refresh-token", {}, headers))).toBe("401 INVALID_TOKEN");
  });

  const registration = { email: "new@example.com", password };

  test("a registration sets cookies only with it", async () => {
    const plain = await post("register", { ...registration, email: "plain@example.com" });
    expect([Object.keys(dataOf(plain)).includes("accessToken"), cookiesIn(plain)]).toEqual([true, []]);
    const reply = await post("register", { ...registration, cookie_only: true });
    expect(Object.keys(cookiesOf(reply))).toEqual(["access", "refresh"]);
    expect(reply.text).not.toContain("eyJ");
    const renewed = await withCookie("refresh-token", {}, cookiesOf(reply)["refresh"]?.value ?? "");
    expect(outcome(renewed)).toBe("200");
  });

  test.each([
    [["accessToken"], 1],
    [["accessToken", "refreshToken"], 0],
  ])("no cookie is set if a hook withholds %j; %i session is left", async (withheld, left) => {
    Object.assign(stage, {
      hooks: {
        after_register: ({ data, ...rest }: { data: object }) => ({
          ...rest,
          data: Object.fromEntries(Object.entries(data).filter(([name]) => !withheld.includes(name))),
        }),
      },
    });
    expect(cookiesIn(await post("register", { ...registration, cookie_only: true }))).toEqual([]);
    expect(await countRows(service, "auth_sessions")).toBe(left);
  });

  test("false changes nothing, another type is refused", async () => {
    const reply = await post("login", { email, password, cookie_only: false });
    expect(Object.keys(dataOf(reply))).toContain("refreshToken");
    const refused = await post("login", { email, password, cookie_only: "true" });
    expect(outcome(refused)).toBe("400 VALIDATION_ERROR cookie_only");
  });

  test.each([...each, ["register", async () => registration] as const])(
    "is unknown without the setting: %s",
    async (path, body) => {
      await without.store(given);
      const reply = await post(path, { ...(await body()), cookie_only: true }, {}, without);
      expect(outcome(reply)).toBe("400 VALIDATION_ERROR cookie_only");
    },
  );
});

test("the document describes the cookie", () => {
  const operation = (path: string) => document.paths[`/auth/${path}`]?.["post"];
  expect(document.components.securitySchemes["refreshCookie"]).toEqual({
    type: "apiKey",
    in: "cookie",
    name: "refresh",
  });
  expect(operation("refresh-token")?.security).toEqual([{}, { refreshCookie: [] }]);
  expect(operation("logout")?.security).toEqual([{}, { bearer: [] }, { cookie: [] }, { refreshCookie: [] }]);
  const optional = { required: false };
  expect(operation("refresh-token")?.["requestBody"]).toMatchObject(optional);
  expect(operation("logout")?.["requestBody"]).toMatchObject(optional);
  expect(JSON.stringify(operation("login"))).toContain('"cookie_only":{"type":"boolean"');
});
