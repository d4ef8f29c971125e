import { type KeyObject, randomUUID } from "node:crypto";
import { ServiceError } from "../../errors/index.ts";
import { type ClaimsOf, readToken, signToken } from "../tokens/access-token.ts";

/** The address of a page with a parameter: behind the query that is there, before the fragment (decisions, part 7). */
export function withParameter(page: string, name: string, value: string): string {
  const hash = page.indexOf("#");
  const address = hash === -1 ? page : page.slice(0, hash);
  const fragment = hash === -1 ? "" : page.slice(hash);
  const separator = !address.includes("?") ? "?" : /[?&]$/.test(address) ? "" : "&";
  return `${address}${separator}${name}=${value}${fragment}`;
}

const verification = { type: "email_verification", texts: ["sub", "email"] } as const;
const reset = { type: "password_reset", texts: ["sub", "jti"] } as const;

const verificationSeconds = 24 * 60 * 60;
const resetSeconds = 60 * 60;

type VerificationClaims = ClaimsOf<typeof verification>;
type ResetClaims = ClaimsOf<typeof reset>;

/** The pages that links open. */
interface LinkTargets {
  readonly verifyEmail: string;
  /** May have a query and a fragment. */
  readonly resetPassword: string;
}

/** A token for a new password, which counts once its hash is stored. */
interface ResetLink {
  readonly token: string;
  readonly url: string;
  /** Seconds. */
  readonly exp: number;
}

/**
 * Links that are signed with `SERVICE_AUTH_VERIFICATION_KEY` (contract: "E-mail verification and reset secrets"). What
 * reads a token gives null for one that is forged, expired, or for another purpose. `now` is in milliseconds.
 */
export class SignedLinks {
  readonly #key: KeyObject;
  readonly #targets: LinkTargets;

  constructor(key: KeyObject, targets: LinkTargets) {
    this.#key = key;
    this.#targets = targets;
  }

  /** Verifies this address of this user, for 24 hours. Nothing is stored. */
  verificationUrl(userId: string, email: string, now: number): string {
    const iat = Math.floor(now / 1000);
    const claims: VerificationClaims = {
      sub: userId,
      email,
      type: "email_verification",
      iat,
      exp: iat + verificationSeconds,
    };
    return withParameter(this.#targets.verifyEmail, "token", signToken(claims, this.#key));
  }

  /** Lets a user set a new password, for an hour. */
  reset(userId: string, now: number): ResetLink {
    const iat = Math.floor(now / 1000);
    const exp = iat + resetSeconds;
    const claims: ResetClaims = { sub: userId, jti: randomUUID(), type: "password_reset", iat, exp };
    const token = signToken(claims, this.#key);
    return { token, exp, url: withParameter(this.#targets.resetPassword, "token", token) };
  }

  readVerification(token: string, now: number): VerificationClaims | null {
    return orNull(() => readToken(token, verification, this.#key, now));
  }

  readReset(token: string, now: number): ResetClaims | null {
    return orNull(() => readToken(token, reset, this.#key, now));
  }
}

function orNull<Claims>(read: () => Claims): Claims | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}
