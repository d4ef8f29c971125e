import { randomInt } from "node:crypto";
import { TOTP, URI } from "otpauth";
import { describe, expect, test } from "vitest";
import { newBackupCodes } from "#runtime/modules/auth/mfa/second-factor";
import { base32, newTotpSecret, provisioningUri, totpStep } from "#runtime/modules/auth/mfa/totp";

test.each([
  ["", ""],
  ["f", "M"],
  ["fo", "MZX"],
  ["foo", "MZXW"],
  ["foob", "MZXW6Y"],
  ["fooba", "MZXW6YTB"],
  ["foobar", "MZXW6YTBO"],
])("base32 of %j as in RFC 4648, without the padding and incomplete characters", (text, expected) => {
  expect(base32(Buffer.from(text))).toBe(expected);
});

describe("a TOTP code", () => {
  const secret = base32(Buffer.from("12345678901234567890"));

  test.each([
    [59, "287082"],
    [1111111109, "081804"],
    [1111111111, "050471"],
    [1234567890, "005924"],
    [2000000000, "279037"],
    [20000000000, "353130"],
  ])("at second %d is that of RFC 6238: %s", (second, code) => {
    const step = Math.floor(second / 30);
    expect(totpStep(secret, code, second * 1000)).toBe(step);
    expect(totpStep(secret, code, (second + 30) * 1000)).toBe(step);
    expect(totpStep(secret, code, (second - 30) * 1000)).toBe(step);
    expect(totpStep(secret, code, (second + 60) * 1000)).toBeNull();
    expect(totpStep(secret, code, (second - 60) * 1000)).toBeNull();
  });

  test("of another implementation, at any time and for any secret, is right", () => {
    for (let run = 0; run < 200; run++) {
      const [any, now] = [newTotpSecret(), randomInt(2 ** 42)];
      const code = (steps: number) => new TOTP({ secret: any }).generate({ timestamp: now + steps * 30_000 });
      const present = Math.floor(now / 30_000);
      // Two of a million pairs of steps have the same code.
      const found = [-1, 0, 1].map((steps) => [steps, totpStep(any, code(steps), now)]);
      if (new Set([-1, 0, 1].map(code)).size === 3)
        expect({ any, now, found }).toEqual({
          any,
          now,
          found: [-1, 0, 1].map((steps) => [steps, present + steps]),
        });
    }
  });

  test("begins and ends with its step", () => {
    expect(totpStep(secret, "287082", 30_000 - 30_000)).toBe(1);
    expect(totpStep(secret, "287082", 89_999)).toBe(1);
    expect(totpStep(secret, "287082", 90_000)).toBeNull();
  });
});

test("secrets are 160 bits, and none is like another", () => {
  const secrets = Array.from({ length: 100 }, newTotpSecret);
  for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(new Set(secrets).size).toBe(100);
});

test("backup codes use the whole alphabet", () => {
  const codes = Array.from({ length: 100 }, newBackupCodes).flat();
  expect(new Set(codes).size).toBe(1000);
  expect(new Set(codes.join("")).size).toBe(33);
});

test("the address for authenticators holds nothing that ends a part of it early", () => {
  const uri = provisioningUri({ secret: "AAAA", issuer: "a?b&c=d/e#f:g h", label: "x@y?secret=B&z" });
  const { searchParams, pathname, hash } = new URL(uri);
  expect(Object.fromEntries(searchParams)).toEqual({
    secret: "AAAA",
    issuer: "a?b&c=d/e#f:g h",
    algorithm: "SHA1",
    digits: "6",
    period: "30",
  });
  expect(pathname.split(":").map(decodeURIComponent).at(-1)).toBe("x@y?secret=B&z");
  expect(hash).toBe("");
  expect(URI.parse(uri)).toMatchObject({ issuer: "a?b&c=d/e#f:g h", digits: 6, period: 30 });
});
