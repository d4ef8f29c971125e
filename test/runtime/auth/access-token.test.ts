import { createHmac, createSecretKey } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AccessTokens } from "#runtime/auth/index";

const key = createSecretKey(Buffer.from("a secret of more than thirty-two bytes"));
const tokens = () => new AccessTokens(key, 3600);
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
