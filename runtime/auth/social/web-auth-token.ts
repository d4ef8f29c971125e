import { type KeyObject, randomUUID } from "node:crypto";
import type { Queryable } from "../../database/index.ts";
import { invalid, ServiceError } from "../../errors/index.ts";
import { type ClaimsOf, readToken, signToken } from "../tokens/access-token.ts";
import { StoredTokens } from "../tokens/stored-tokens.ts";
import { challengeOf } from "./state/sign-in-state.ts";

const kind = { type: "web_auth", texts: ["sub", "jti"] } as const;

/** How long a token is good, in seconds (decisions, part 9). */
const lifetime = 300;

/**
 * Tokens that lead from the page of a provider to a page of the app, where they are redeemed for a session: safe in an
 * address, as each is good once and not for long (contract: "Social sign-in", 7). Moments are in milliseconds.
 */
export class WebAuthTokens {
  readonly #key: KeyObject;
  readonly #stored = new StoredTokens(kind.type);

  constructor(key: KeyObject) {
    this.#key = key;
  }

  /** `challenge` binds the token to a verifier (PKCE, S256). It is a part of the `jti`, and so signed and hashed with the token. */
  async issue(connection: Queryable, userId: string, challenge: string | null, now: number): Promise<string> {
    const jti = challenge === null ? randomUUID() : `${randomUUID()}.${challenge}`;
    const iat = Math.floor(now / 1000);
    const exp = iat + lifetime;
    const claims: ClaimsOf<typeof kind> = { sub: userId, jti, type: "web_auth", iat, exp };
    const token = signToken(claims, this.#key);
    await this.#stored.store(connection, userId, token, exp);
    return token;
  }

  /**
   * The user that a token says it is for. A page that sends a verifier gets no session of a sign-in that was begun without one: someone else
   * may have begun that. Errors: `INVALID_TOKEN`, also for a token that has expired and for a verifier of another sign-in;
   * `VALIDATION_ERROR` for a verifier that is missing.
   */
  subjectOf(token: string, verifier: string | undefined, now: number): string {
    const { sub, jti } = this.#claimsOf(token, now);
    const [, challenge] = jti.split(".");
    if (challenge !== undefined && verifier === undefined)
      throw invalid([{ field: "code_verifier", message: "is required" }]);
    const given = verifier === undefined ? undefined : challengeOf(verifier, "base64url");
    if (given !== challenge) throw new ServiceError("INVALID_TOKEN");
    return sub;
  }

  #claimsOf(token: string, now: number): ClaimsOf<typeof kind> {
    try {
      return readToken(token, kind, this.#key, now);
    } catch (error) {
      if (error instanceof ServiceError) throw new ServiceError("INVALID_TOKEN");
      throw error;
    }
  }

  /** Uses a token up; false when it was used, or has expired. The user's row is locked. */
  consume(connection: Queryable, userId: string, token: string): Promise<boolean> {
    return this.#stored.consume(connection, userId, token);
  }
}
