import { type KeyObject, randomUUID } from "node:crypto";
import type { Queryable } from "../../../core/database/index.ts";
import { invalid, ServiceError } from "../../../core/errors/index.ts";
import { StoredTokens } from "../tokens/stored-tokens.ts";
import { challengeOf } from "./state/sign-in-state.ts";

/** How long a token is good, in seconds (docs/social.md#routes). */
const lifetime = 300;

/**
 * Tokens that lead from the page of a provider to a page of the app, which redeems each of them for a session: safe in an address, as each
 * is good once and not for long.
 */
export class WebAuthTokens extends StoredTokens<"web_auth"> {
  constructor(key: KeyObject) {
    super("web_auth", key, lifetime);
  }

  /** `challenge` binds the token to a verifier (PKCE, S256). It is a part of the `jti`, and so signed and hashed with the token. */
  issueFor(connection: Queryable, userId: string, challenge: string | null, now: number): Promise<string> {
    const id = randomUUID();
    return this.issue(connection, userId, now, challenge === null ? id : `${id}.${challenge}`);
  }

  /**
   * The user that a token says it is for. A page that sends a verifier gets no session of a sign-in that was begun without one: someone else
   * may have begun that. Errors: `INVALID_TOKEN`, also for a token that has expired and for a verifier of another sign-in;
   * `VALIDATION_ERROR` for a verifier that is missing.
   */
  subjectOf(token: string, verifier: string | undefined, now: number): string {
    const { sub, jti } = this.#claims(token, now);
    const [, challenge] = jti.split(".");
    if (challenge !== undefined && verifier === undefined)
      throw invalid([{ field: "code_verifier", message: "is required" }]);
    const given = verifier === undefined ? undefined : challengeOf(verifier, "base64url");
    if (given !== challenge) throw new ServiceError("INVALID_TOKEN");
    return sub;
  }

  #claims(token: string, now: number) {
    try {
      return this.claimsOf(token, now);
    } catch (error) {
      if (error instanceof ServiceError) throw new ServiceError("INVALID_TOKEN");
      throw error;
    }
  }
}
