import { describe, expect, test } from "vitest";
import { secretKey } from "#runtime/core/config/secret-keys";
import { SignedLinks, withParameter } from "#runtime/modules/auth/links/signed-link";
import { signToken } from "#runtime/modules/auth/tokens/access-token";

const key = secretKey("signs the links of this test, 32 bytes at least");
const links = new SignedLinks([key], 7, {
  verifyEmail: "https://a.example/auth/verify-email",
  resetPassword: "https://a.example/reset",
  changeEmail: "https://a.example/change",
  invitation: "https://a.example/welcome",
});
const now = Date.parse("2026-01-01T00:00:00Z");

describe("withParameter", () => {
  test.each([
    ["https://a.example/reset", "https://a.example/reset?token=T"],
    ["https://a.example/reset?", "https://a.example/reset?token=T"],
    ["https://a.example/reset?lang=de", "https://a.example/reset?lang=de&token=T"],
    ["https://a.example/reset?lang=de&", "https://a.example/reset?lang=de&token=T"],
    ["https://a.example/reset#form", "https://a.example/reset?token=T#form"],
    ["https://a.example/reset?lang=de#form", "https://a.example/reset?lang=de&token=T#form"],
    ["https://a.example/#/reset?x=1", "https://a.example/?token=T#/reset?x=1"],
    ["https://a.example", "https://a.example?token=T"],
  ])("%s", (page, link) => {
    expect(withParameter(page, "token", "T")).toBe(link);
  });
});

test("a link without an address is refused", () => {
  const iat = now / 1000;
  const claims = { sub: "7", email: "", type: "email_verification", iat, exp: iat + 60 };
  expect(links.readVerification(signToken(claims, [key]), now)).toBeNull();
});
