import { randomUUID } from "node:crypto";
import type { SecretKeys } from "../../../core/config/index.ts";
import type { Queryable } from "../../../core/database/index.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import { type ClaimsOf, readToken, signToken, type TokenKind } from "../tokens/access-token.ts";
import { StoredTokens } from "../tokens/stored-tokens.ts";

/** Adds a query parameter to the URL of a page, before the fragment. Does not encode `value`. */
export function withParameter(page: string, name: string, value: string): string {
  const hash = page.indexOf("#");
  const address = hash === -1 ? page : page.slice(0, hash);
  const fragment = hash === -1 ? "" : page.slice(hash);
  const separator = !address.includes("?") ? "?" : /[?&]$/.test(address) ? "" : "&";
  return `${address}${separator}${name}=${value}${fragment}`;
}

const verification = { type: "email_verification", texts: ["sub", "email"] } as const;

const emailChange = { type: "email_change", texts: ["sub", "jti"] } as const;

const verificationSeconds = 24 * 60 * 60;
const emailChangeSeconds = 24 * 60 * 60;
const resetSeconds = 60 * 60;

type VerificationClaims = ClaimsOf<typeof verification>;

/** The pages that links open. */
interface LinkTargets {
  readonly verifyEmail: string;
  /** Can have a query and a fragment. */
  readonly resetPassword: string;
  /** Can have a query and a fragment. */
  readonly changeEmail: string;
  /** Can have a query and a fragment. */
  readonly invitation: string;
}

/**
 * Links signed with `SERVICE_AUTH_VERIFICATION_KEY`. Reading a token returns null if it is forged, expired,
 * or for another purpose. `now` is in milliseconds.
 */
export class SignedLinks {
  readonly #keys: SecretKeys;
  readonly #targets: LinkTargets;
  /** The tokens of reset links. A token is valid while its hash is stored. */
  readonly resets: StoredTokens<"password_reset">;
  /** The tokens of invitations. A token is valid while its hash is stored. */
  readonly invitations: StoredTokens<"invitation">;

  constructor(keys: SecretKeys, invitationDays: number, targets: LinkTargets) {
    this.#keys = keys;
    this.resets = new StoredTokens("password_reset", keys, resetSeconds);
    this.invitations = new StoredTokens("invitation", keys, invitationDays * 24 * 60 * 60);
    this.#targets = targets;
  }

  /** Returns a link that verifies this address of this user, for 24 hours. Nothing is stored. */
  verificationUrl(userId: string, email: string, now: number): string {
    const iat = Math.floor(now / 1000);
    const claims: VerificationClaims = {
      sub: userId,
      email,
      type: "email_verification",
      iat,
      exp: iat + verificationSeconds,
    };
    return withParameter(this.#targets.verifyEmail, "token", signToken(claims, this.#keys));
  }

  /** Returns a link that sets a new password once, within an hour. The user's row must be locked. */
  async resetUrl(transaction: Queryable, userId: string, now: number): Promise<string> {
    const token = await this.resets.issue(transaction, userId, now);
    return withParameter(this.#targets.resetPassword, "token", token);
  }

  /** Returns a link that sets the first password of an account once. The user's row must be locked. */
  async invitationUrl(transaction: Queryable, userId: string, now: number): Promise<string> {
    const token = await this.invitations.issue(transaction, userId, now);
    return withParameter(this.#targets.invitation, "token", token);
  }

  /** Returns a new token that confirms another address of this user, for 24 hours, and when it expires. */
  emailChange(userId: string, now: number): { readonly token: string; readonly expiresAt: number } {
    const iat = Math.floor(now / 1000);
    const expiresAt = iat + emailChangeSeconds;
    const claims: ClaimsOf<typeof emailChange> = {
      sub: userId,
      jti: randomUUID(),
      type: "email_change",
      iat,
      exp: expiresAt,
    };
    return { token: signToken(claims, this.#keys), expiresAt };
  }

  /** The link with the token of a change. */
  emailChangeUrl(token: string): string {
    return withParameter(this.#targets.changeEmail, "token", token);
  }

  /** Returns the user's id of a link for a new address, or null. */
  subjectOfEmailChange(token: string, now: number): string | null {
    return orNull(() => this.#read(token, emailChange, emailChangeSeconds, now).sub);
  }

  readVerification(token: string, now: number): VerificationClaims | null {
    return orNull(() => this.#read(token, verification, verificationSeconds, now));
  }

  #read<Type extends string, Texts extends string>(
    token: string,
    kind: TokenKind<Type, Texts>,
    longest: number,
    now: number,
  ): ClaimsOf<TokenKind<Type, Texts>> {
    return readToken(token, kind, { keys: this.#keys, longest }, now);
  }

  /** Returns the user's id of an invitation, or null. */
  subjectOfInvitation(token: string, now: number): string | null {
    return orNull(() => this.invitations.claimsOf(token, now).sub);
  }

  /** Returns the user's id of a reset link, or null. */
  subjectOfReset(token: string, now: number): string | null {
    return orNull(() => this.resets.claimsOf(token, now).sub);
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
