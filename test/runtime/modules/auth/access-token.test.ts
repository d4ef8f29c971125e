import { createHmac, createSecretKey, randomUUID } from "node:crypto";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { sentCredential } from "#runtime/modules/auth/http/authenticate";
import { AccessTokens } from "#runtime/modules/auth/index";
import { StampedIds } from "#runtime/modules/auth/tokens/token-ids";

const key = createSecretKey(Buffer.from("a secret of more than thirty-two bytes"));
const tokens = () => new AccessTokens([key], 3600);
const now = Date.UTC(2026, 0, 1);
const iat = now / 1000;
const claims = { sub: "1", role: "user", email: "", jti: "j", type: "access", iat, exp: iat + 60 };

const part = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

/** A token with any header and payload, signed with the right key. */
function made(payload: unknown = claims, header: unknown = { alg: "HS256", typ: "JWT" }): string {
  const text = `${part(header)}.${part(payload)}`;
  return `${text}.${createHmac("sha256", key).update(text).digest("base64url")}`;
}

const invalid = expect.objectContaining({ code: "INVALID_TOKEN", status: 401 });
const expired = expect.objectContaining({ code: "TOKEN_EXPIRED", status: 401 });

describe("AccessTokens", () => {
  it("a remembered token is refused from the second in which it expires", () => {
    const verifier = tokens();
    const token = made();
    expect(verifier.verify(token, now)).toEqual(claims);
    expect(verifier.verify(token, now + 59_999)).toEqual(claims);
    expect(() => verifier.verify(token, now + 60_000)).toThrow(expired);
    expect(() => verifier.verify(token, now + 60_000)).toThrow(expired);
    expect(() => tokens().verify(token, now + 60_000)).toThrow(expired);
  });

  it("a refused token is not remembered, nor one that only resembles a good one", () => {
    const verifier = tokens();
    const good = made();
    verifier.verify(good, now);
    for (const token of [
      `${good}=`,
      `${good}.`,
      ` ${good}`,
      `${good} `,
      good.toLowerCase(),
      good.slice(0, -1),
      `${good}A`,
      `.${good}`,
    ]) {
      expect(() => verifier.verify(token, now)).toThrow(invalid);
      expect(() => verifier.verify(token, now)).toThrow(invalid);
    }
  });

  it("no character of a token can be another one", () => {
    const verifier = tokens();
    const good = made();
    const character = fc.constantFrom(..."ABCDEFabcdef0189-_+/=.% ");
    fc.assert(
      fc.property(fc.nat(good.length - 1), character, (at, other) => {
        fc.pre(good[at] !== other);
        expect(() => verifier.verify(good.slice(0, at) + other + good.slice(at + 1), now)).toThrow(invalid);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it.each([
    "",
    ".",
    "..",
    "...",
    "a.b.c",
    "null",
    "x".repeat(16_000),
    `${"a".repeat(5000)}.${"b".repeat(5000)}.c`,
    "🙂.🙂.🙂",
  ])("no token at all: %.20s", (text) => {
    expect(() => tokens().verify(text, now)).toThrow(invalid);
  });

  it("remembers a bounded number of tokens, and still knows the others", () => {
    const verifier = tokens();
    const first = made({ ...claims, jti: "first" });
    verifier.verify(first, now);
    for (let n = 0; n < 300; n++) verifier.verify(made({ ...claims, jti: String(n) }), now);
    expect(verifier.verify(first, now).jti).toBe("first");
  });
});

const ids = new StampedIds([key]);
const changed = (credentialsChangedAt: string | null, id = "7") => ({ id, credentialsChangedAt });
const moment = "2026-01-01T00:00:00.500Z";
const second = Date.parse(moment) / 1000 - 0.5;

describe("an id", () => {
  test("is a UUID of version 8, and no two are the same", () => {
    const many = Array.from({ length: 1000 }, () => ids.next(changed(null), null));
    expect(new Set(many).size).toBe(1000);
    for (const id of many)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test("matches only the credentials that it was made for", () => {
    for (const own of [changed(null), changed(moment)]) {
      const id = ids.next(own, null);
      expect(new StampedIds([key]).isOf(id, own)).toBe(true);
      for (const other of [changed("2026-01-01T00:00:00.501Z"), changed(moment, "8"), changed(null, "8")])
        expect(ids.isOf(id, other)).toBe(false);
    }
    expect(ids.isOf(ids.next(changed(null), null), changed(moment))).toBe(false);
  });

  test("cannot be stamped without the secret", () => {
    const foreign = new StampedIds([createSecretKey(Buffer.from("another secret of thirty-two bytes"))]);
    expect(ids.isOf(foreign.next(changed(null), null), changed(null))).toBe(false);
  });

  test.each([randomUUID(), "", "j", `${ids.next(changed(null), null)}0`])("%j is of other making", (id) => {
    expect(ids.isOf(id, changed(null))).toBeNull();
  });
});

describe("a token", () => {
  const tokens = new AccessTokens([key], 3600);
  const user = { id: "7", role: "user", email: null };
  const issued = (credentialsChangedAt: string | null, now: number) =>
    tokens.verify(tokens.sign({ ...user, credentialsChangedAt }, now, null), now);

  test.each([-3600, 0, 3600])("is current by its stamp at any clock skew: %i seconds away", (seconds) => {
    const now = Date.parse(moment) + seconds * 1000;
    expect(tokens.isCurrent(issued(moment, now), changed(moment))).toBe(true);
    expect(tokens.isCurrent(issued(null, now), changed(moment))).toBe(false);
  });

  test.each([
    [-1, false],
    [0, false],
    [1, true],
  ])("without a stamp it goes by its second: %i after the change", (seconds, expected) => {
    const iat = second + seconds;
    // biome-ignore format: many a line
    const claims = {
      sub: "7", role: "user", email: "", jti: randomUUID(), type: "access" as const, iat, exp: iat + 60,
    };
    expect(tokens.isCurrent(claims, changed(moment))).toBe(expected);
    expect(tokens.isCurrent(claims, changed(null))).toBe(true);
  });
});

const someToken = "eyJ.token.1";

/** What a request brings: `token:…`, `api-key:…`, or null. */
function sent(headers: Record<string, string>, name: string | null = "session"): string | null {
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, headers);
  const cookie = name === null ? null : { name, allowsOrigin: () => false };
  const credential = sentCredential(request, cookie);
  return credential === null ? null : `${credential.kind}:${credential.text}`;
}

const refused = (code: string) => expect.objectContaining({ code, status: 401 });

describe("sentCredential", () => {
  it("a caller without credentials is a guest", () => {
    expect(sent({})).toBeNull();
    expect(sent({ cookie: "" })).toBeNull();
    expect(sent({ cookie: "other=x; sessions=y; xsession=z" })).toBeNull();
    expect(sent({ cookie: `session=${someToken}` }, null)).toBeNull();
  });

  it.each(["Bearer", "bearer", "BEARER", "bEaReR"])(
    "%s names the scheme, with one blank or several",
    (scheme) => {
      expect(sent({ authorization: `${scheme} ${someToken}` })).toBe(`token:${someToken}`);
      expect(sent({ authorization: `${scheme}   ${someToken}` })).toBe(`token:${someToken}`);
    },
  );

  it.each([
    "",
    " ",
    "Bearer",
    "Bearer ",
    `Bearer\t${someToken}`,
    `Bearer\u00a0${someToken}`,
    `Bearer${someToken}`,
    `Bearer:${someToken}`,
    `Bearer ${someToken}, Bearer ${someToken}`,
    `Basic ${someToken}`,
    `Token ${someToken}`,
    someToken,
    `Bearer ${someToken} x`,
    `x Bearer ${someToken}`,
    `Bearer${" ".repeat(15_000)}`,
  ])("%.40j is not a credential, and not a guest's either", (authorization) => {
    expect(() => sent({ authorization })).toThrow(refused("INVALID_TOKEN"));
    expect(() => sent({ authorization, cookie: `session=${someToken}` })).toThrow(refused("INVALID_TOKEN"));
  });

  it("the order is Bearer, API key, cookie; the first that is there decides", () => {
    const cookie = "session=other";
    expect(sent({ authorization: `Bearer ${someToken}`, "x-api-key": "kk_x", cookie })).toBe(
      `token:${someToken}`,
    );
    expect(sent({ "x-api-key": "kk_x", cookie })).toBe("api-key:kk_x");
    expect(sent({ "x-api-key": "", cookie })).toBe("api-key:");
    expect(sent({ authorization: "Bearer kk_x", cookie })).toBe("api-key:kk_x");
    expect(sent({ cookie: `a=b; session=${someToken} ; c=d` })).toBe(`token:${someToken}`);
  });

  it("a cookie is taken as it stands and never mended; two of the name are refused", () => {
    expect(sent({ cookie: "session=" })).toBe("token:");
    expect(sent({ cookie: `session="${someToken}"` })).toBe(`token:"${someToken}"`);
    expect(() => sent({ cookie: `session=x; session=${someToken}` })).toThrow(refused("INVALID_TOKEN"));
    expect(sent({ cookie: `session=${someToken}=` })).toBe(`token:${someToken}=`);
  });
});
