import { createHash } from "node:crypto";
import type { JWTVerifyGetKey } from "jose";
import { isSameText } from "../../crypto/hash.ts";
import { readPath } from "../conversation/paths.ts";
import { type Document, parseJson } from "../outbound.ts";
import { SocialFailure } from "../social-failure.ts";

/** The requirements for an id_token. */
export interface IdTokenChecks {
  readonly keys: JWTVerifyGetKey;
  /** Whether the token must have a `kid`. Otherwise it can omit it, if the set has one key. */
  readonly needsKeyId: boolean;
  readonly algorithms: readonly string[];
  /** `{tid}` or `{tenantid}` in an issuer is the claim `tid` of the token (Microsoft). */
  readonly issuers: readonly string[];
  /** The accepted audiences. The token needs one of them. */
  readonly audience: readonly string[];
  /** Null if the request had none. */
  readonly nonce: string | null;
  /** The required `azp` of a token with several audiences; null for any. */
  readonly party: string | null;
  /** The maximum age of the token, in seconds; null for any age. */
  readonly longestAge: number | null;
  /** Compared with `at_hash`, if the token has one. */
  readonly accessToken: string | null;
  /** Milliseconds. */
  readonly now: number;
}

/** How far clocks may differ, in seconds. */
const clockTolerance = 30;

/** The accepted signature algorithms: no HMAC with a shared secret, and not `none`. */
export const signatureAlgorithms = ["RS256", "RS512", "ES256", "PS256", "EdDSA"] as const;

/**
 * Returns the claims of an id_token (OpenID Connect Core, 3.1.3.7), with numbers as strings. Errors:
 * `SocialFailure` for any invalid token.
 */
export async function checkedClaims(token: string, checks: IdTokenChecks): Promise<Document> {
  try {
    const { decodeProtectedHeader, jwtVerify } = await import("jose");
    if (decodeProtectedHeader(token).kid === undefined && checks.needsKeyId)
      throw refused("it has no key id (kid)");
    await jwtVerify(token, checks.keys, {
      algorithms: [...checks.algorithms],
      audience: [...checks.audience],
      requiredClaims: ["iss", "sub", "aud", "exp", "iat"],
      currentDate: new Date(checks.now),
      clockTolerance,
      ...(checks.longestAge !== null && { maxTokenAge: checks.longestAge }),
    });
  } catch (error) {
    if (error instanceof SocialFailure) throw error;
    throw refused(error instanceof Error ? error.name : "unknown");
  }
  const claims = claimsOf(token);
  // The library compares `iat` only if there is a maximum age.
  if (Number(read(claims, "iat")) > checks.now / 1000 + clockTolerance)
    throw refused("its issue time is in the future");
  requireIssuer(claims, checks.issuers);
  requireParty(claims, checks.party);
  if (checks.nonce !== null && !isSameText(checks.nonce, read(claims, "nonce") ?? ""))
    throw refused("another nonce");
  await requireAccessToken(token, claims, checks.accessToken);
  return claims;
}

/** Returns the claims of a verified token, with numbers as strings. Errors: `SocialFailure`. */
export function claimsOf(token: string): Document {
  try {
    return parseJson(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
  } catch {
    throw refused("it is malformed");
  }
}

function requireIssuer(claims: Document, issuers: readonly string[]): void {
  const tenant = read(claims, "tid") ?? "";
  const issuer = read(claims, "iss");
  const isKnown = issuers.some((one) => {
    const names = /\{(tid|tenantid)\}/g;
    // The tenant is inserted into a host or a path, so other characters could produce a different issuer.
    return (!names.test(one) || /^[\w-]+$/.test(tenant)) && one.replace(names, tenant) === issuer;
  });
  if (!isKnown) throw refused("another issuer");
}

/** Checks `azp`: a token with several audiences names the app that requested it. */
function requireParty(claims: Document, party: string | null): void {
  if (party !== null && read(claims, "aud[1]") !== null && read(claims, "azp") !== party)
    throw refused("another authorized party");
}

async function requireAccessToken(
  token: string,
  claims: Document,
  accessToken: string | null,
): Promise<void> {
  const expected = read(claims, "at_hash");
  if (expected === null || accessToken === null) return;
  const { decodeProtectedHeader } = await import("jose");
  const { alg = "" } = decodeProtectedHeader(token);
  const hash = createHash(/512$|^EdDSA$/.test(alg) ? "sha512" : "sha256")
    .update(accessToken)
    .digest();
  const half = hash.subarray(0, hash.length / 2).toString("base64url");
  if (!isSameText(half, expected)) throw refused("another at_hash");
}

function read(claims: Document, path: string): string | null {
  return readPath(path, { profile: claims });
}

function refused(reason: string): SocialFailure {
  return new SocialFailure(`the token was refused: ${reason}`);
}
