import { randomUUID } from "node:crypto";
import { secretKey } from "#runtime/core/config/secret-keys";
import type { Settings } from "./service.ts";
import { signed } from "./service-token.ts";
import type { TestSmtp } from "./smtp.ts";

/** What links are signed with in tests. */
export const verificationSecret = "signs links in tests, 32 bytes at least";

/** Settings of a service that signs links. */
export const signing: Settings = {
  baseUrl: "https://shop.example",
  secrets: { verification: [secretKey(verificationSecret)] },
};

/** Settings of a service that signs links, and mails them through this server. */
export function mailing({ url }: TestSmtp): Settings {
  return {
    ...signing,
    // Their tests turn them on. Elsewhere the next mail is the one with a link.
    auth: { securityNotices: false },
    email: { provider: "smtp", smtpUrl: url, from: "shop@example.com", hourlyLimitPerRecipient: 1_000_000 },
  };
}

const now = () => Math.floor(Date.now() / 1000);

/** The token of a verification link; `changes` are made to its claims. */
export function verificationToken(
  userId: number,
  email: string,
  changes: object = {},
  secret = verificationSecret,
): string {
  const iat = now();
  const claims = { sub: String(userId), email, type: "email_verification", iat, exp: iat + 86_400 };
  return signed({ ...claims, ...changes }, {}, secret);
}

/** The token of a reset link, which is not stored; `changes` are made to its claims. */
export function resetToken(userId: number, changes: object = {}, secret = verificationSecret): string {
  const iat = now();
  const claims = { sub: String(userId), jti: randomUUID(), type: "password_reset", iat, exp: iat + 3600 };
  return signed({ ...claims, ...changes }, {}, secret);
}

/** The token in a link. */
export function tokenIn(link: string): string {
  return new URL(link).searchParams.get("token") ?? "";
}

/** The claims of a token, unchecked. */
export function claimsIn(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
}
