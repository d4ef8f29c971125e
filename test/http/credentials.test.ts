import { createHmac, generateKeyPairSync } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { outcome, type Scenario, scenarios } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";
import { claimsOf, jwtSecret, signed, tokenOf } from "../support/service-token.ts";

const service = await testService({ auth: { cookieName: "session", bcryptCost: 4 } });

const claims = claimsOf("admin");
const now = Math.floor(Date.now() / 1000);
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const without = (name: string) => Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));

/** A token with any header at all, with a correct HS256 signature. */
function withHeader(header: object): string {
  const text = `${base64(header)}.${base64(claims)}`;
  return `${text}.${createHmac("sha256", jwtSecret).update(text).digest("base64url")}`;
}

/** A request that only an admin may make; guests would be denied with 403, which is never the answer here. */
const sending = (name: string, headers: Scenario["headers"], fails?: string): Scenario => ({
  name,
  send: "GET /docs/count",
  ...(headers !== undefined && { headers }),
  ...(fails === undefined ? { data: { count: 0 } } : { fails }),
});
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const invalid = "401 INVALID_TOKEN";
const good = tokenOf("admin");

describe("who is calling", () => {
  scenarios(service, [
    sending("a request without credentials is a guest", {}, "403 PERMISSION_DENIED"),
    sending("a valid token", bearer(good)),
    sending("the scheme in any case", { authorization: `bearer ${good}` }),
    sending("several blanks", { authorization: `Bearer   ${good}` }),
    sending("the same token again", bearer(good)),
    sending("the cookie", { cookie: `a=b; session=${good}` }),
    sending("a cookie with another name is ignored", { cookie: `other=${good}` }, "403 PERMISSION_DENIED"),
    sending("the Bearer token before cookie", { ...bearer(good), cookie: "session=broken" }),
    sending("the Bearer token before the API key", { ...bearer(good), "x-api-key": "kk_x" }),
    sending("a token in the query string is a filter", undefined, "403 PERMISSION_DENIED"),
  ]);

  test("the caller is whom the token names", async () => {
    await service.store({
      tasks: [
        { id: 1, title: "a", user: 7 },
        { id: 2, title: "b", user: 8 },
      ],
    });
    const path = "/tasks/fetch?select_fields=id";
    for (const [sub, id] of [
      ["7", 1],
      ["8", 2],
    ] as const) {
      const reply = await service.send({ method: "GET", path }, { role: "user", sub });
      expect(reply.envelope.data).toEqual([{ id }]);
    }
  });
});

test("no cache keeps what one caller may see, refusals included; what guests see it may", async () => {
  const cacheControl = async (path: string, headers: Record<string, string>) =>
    (await service.send({ method: "GET", path, headers })).headers["cache-control"];
  for (const headers of [bearer(good), { cookie: `session=${good}` }]) {
    expect(await cacheControl("/docs/count", headers)).toBe("no-store");
    expect(await cacheControl("/docs/count?nothing=1", headers)).toBe("no-store");
  }
  expect(await cacheControl("/things/fetch", {})).toBeUndefined();
});

describe("a credential that is there and not valid is never a guest", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    sending("another scheme", { authorization: "Basic YTpi" }, invalid),
    sending("an empty header", { authorization: "" }, invalid),
    sending("no token", { authorization: "Bearer" }, invalid),
    sending("an empty token", { authorization: "Bearer " }, invalid),
    sending("two tokens", { authorization: `Bearer ${good} ${good}` }, invalid),
    sending("no scheme", { authorization: good }, invalid),
    sending("no JWT", bearer("abc"), invalid),
    sending("two parts", bearer(good.split(".").slice(0, 2).join(".")), invalid),
    sending("no signature", bearer(`${good.split(".").slice(0, 2).join(".")}.`), invalid),
    sending("a changed signature", bearer(`${good.slice(0, -4)}AAAA`), invalid),
    sending("changed claims", bearer(good.replace(/\.[^.]+\./, `.${base64({ ...claims, role: "root" })}.`)), invalid),
    sending("expired", bearer(signed({ ...claims, iat: now - 100, exp: now - 1 })), "401 TOKEN_EXPIRED"),
    sending("expires right now", bearer(signed({ ...claims, exp: now })), "401 TOKEN_EXPIRED"),
    sending("expired and of another key", bearer(signed({ ...claims, exp: now - 1 }, {}, "another secret of 32 bytes or more")), invalid),
    sending("another key", bearer(signed(claims, {}, "another secret of 32 bytes or more")), invalid),
    sending("alg none", bearer(`${base64({ alg: "none", typ: "JWT" })}.${base64(claims)}.`), invalid),
    sending("alg None with a signature", bearer(withHeader({ alg: "None", typ: "JWT" })), invalid),
    sending("no alg", bearer(withHeader({ typ: "JWT" })), invalid),
    sending("HS512", bearer(signed(claims, { algorithm: "HS512" })), invalid),
    sending("HS384", bearer(signed(claims, { algorithm: "HS384" })), invalid),
    sending("RS256", bearer(signed(claims, { algorithm: "RS256" }, rsa.privateKey)), invalid),
    sending("RS256 that is signed with HS256", bearer(withHeader({ alg: "RS256", typ: "JWT" })), invalid),
    sending("kid", bearer(signed(claims, { keyid: "../../dev/null" })), invalid),
    ...["jku", "jwk", "x5u", "crit"].map((name) =>
      sending(name, bearer(withHeader({ alg: "HS256", typ: "JWT", [name]: "https://example.org" })), invalid),
    ),
    sending("a refresh token", bearer(signed({ ...claims, type: "refresh" })), invalid),
    ...["state", "ACCESS", "", null].map((type) => sending(`type ${type}`, bearer(signed({ ...claims, type })), invalid)),
    ...["sub", "role", "email", "jti", "type", "exp"].map((name) => sending(`no ${name}`, bearer(signed(without(name))), invalid)),
    sending("no iat", bearer(signed(without("iat"), { noTimestamp: true })), invalid),
    sending("one claim more", bearer(signed({ ...claims, admin: true })), invalid),
    sending("nbf", bearer(signed({ ...claims, nbf: now - 10 })), invalid),
    sending("a numeric sub", bearer(withClaims({ sub: 1 })), invalid),
    sending("an empty sub", bearer(withClaims({ sub: "" })), invalid),
    sending("a list of roles", bearer(withClaims({ role: ["admin"] })), invalid),
    sending("an exp that is a text", bearer(withClaims({ exp: "9999999999" })), invalid),
    sending("an exp with a fraction", bearer(withClaims({ exp: now + 100.5 })), invalid),
    sending("claims that are a list", bearer(withPayload([])), invalid),
    sending("claims that are a text", bearer(withPayload("admin")), invalid),
    sending("an API key", { "x-api-key": "kk_".padEnd(67, "0") }, "401 INVALID_API_KEY"),
    sending("an empty API key", { "x-api-key": "" }, "401 INVALID_API_KEY"),
    sending("an API key as Bearer", bearer("kk_".padEnd(67, "0")), "401 INVALID_API_KEY"),
    sending("an invalid Bearer before a good cookie", { ...bearer("x"), cookie: `session=${good}` }, invalid),
    sending("an API key before a good cookie", { "x-api-key": "kk_x", cookie: `session=${good}` }, "401 INVALID_API_KEY"),
    sending("a broken cookie", { cookie: "session=x" }, invalid),
    sending("an empty cookie", { cookie: "session=" }, invalid),
    sending("an expired cookie", { cookie: `session=${signed({ ...claims, exp: now - 1 })}` }, "401 TOKEN_EXPIRED"),
  ]);

  test("on routes that are open to everybody too", async () => {
    const replies = await Promise.all(
      ["x", signed({ ...claims, exp: now - 1 })].map((token) =>
        service.send({ method: "GET", path: "/things/fetch", headers: bearer(token) }),
      ),
    );
    expect(replies.map(outcome)).toEqual(["401 INVALID_TOKEN", "401 TOKEN_EXPIRED"]);
  });

  test("before access, body or fields are checked", async () => {
    const headers = bearer("x");
    const replies = await Promise.all([
      service.send({ method: "POST", path: "/docs/create", headers, body: "{" }),
      service.send({ method: "GET", path: "/docs/fetch?nothing=1", headers }),
      service.send({ method: "GET", path: "/people/fetch?salary=1", headers }),
    ]);
    expect(replies.map(outcome)).toEqual([invalid, invalid, invalid]);
  });

  test("a route that does not exist is 404 all the same", async () => {
    const reply = await service.send({ method: "GET", path: "/nothing/fetch", headers: bearer("x") });
    expect(outcome(reply)).toBe("404 NOT_FOUND");
  });
});

test("a token that was good expires while it is remembered", async () => {
  const headers = bearer(signed({ ...claims, exp: now + 60 }));
  const ask = async () => outcome(await service.send({ method: "GET", path: "/docs/count", headers }));
  expect(await ask()).toBe("200");
  const present = vi.spyOn(Date, "now");
  try {
    present.mockReturnValue((now + 60) * 1000 - 1);
    expect(await ask()).toBe("200");
    present.mockReturnValue((now + 60) * 1000);
    expect(await ask()).toBe("401 TOKEN_EXPIRED");
  } finally {
    present.mockRestore();
  }
});

function withClaims(changed: object): string {
  return withPayload({ ...claims, ...changed });
}

/** Any payload at all, correctly signed. */
function withPayload(payload: unknown): string {
  const text = `${base64({ alg: "HS256", typ: "JWT" })}.${base64(payload)}`;
  return `${text}.${createHmac("sha256", jwtSecret).update(text).digest("base64url")}`;
}
