import { randomUUID } from "node:crypto";
import jsonwebtoken from "jsonwebtoken";

/** The secret of services under test. */
export const jwtSecret = "a secret of the tests, 32 bytes at least";

/** Who calls: a role, or a role with claims. Null is a guest, without any credential. */
export type Caller =
  | string
  | { readonly role: string; readonly sub?: string; readonly email?: string }
  | null;

/** The claims of an access token that is good for an hour. */
export function claimsOf(caller: Exclude<Caller, null>): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000);
  const { role, sub = "1", email = "" } = typeof caller === "string" ? { role: caller } : caller;
  return { sub, role, email, jti: randomUUID(), type: "access", iat: now, exp: now + 3600 };
}

/** Signs claims as they are. */
export function signed(
  claims: Record<string, unknown>,
  options: jsonwebtoken.SignOptions = {},
  secret: jsonwebtoken.Secret = jwtSecret,
): string {
  return jsonwebtoken.sign(claims, secret, { algorithm: "HS256", ...options });
}

const tokens = new Map<string, string>();

/** An access token of a caller; the same for the same one. */
export function tokenOf(caller: Exclude<Caller, null>): string {
  const key = JSON.stringify(caller);
  const known = tokens.get(key) ?? signed(claimsOf(caller));
  tokens.set(key, known);
  return known;
}
