import { type KeyObject, randomUUID } from "node:crypto";
import type { Queryable } from "../../database/index.ts";
import { ServiceError } from "../../errors/index.ts";
import { type ClaimsOf, readToken, signToken } from "../tokens/jwt.ts";
import { StoredTokens } from "../tokens/stored-tokens.ts";

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

  async issue(connection: Queryable, userId: string, now: number): Promise<string> {
    const iat = Math.floor(now / 1000);
    const exp = iat + lifetime;
    const claims: ClaimsOf<typeof kind> = { sub: userId, jti: randomUUID(), type: "web_auth", iat, exp };
    const token = signToken(claims, this.#key);
    await this.#stored.store(connection, userId, token, exp);
    return token;
  }

  /** The user that a token says it is for. Errors: `INVALID_TOKEN`, also for one that has expired. */
  subjectOf(token: string, now: number): string {
    try {
      return readToken(token, kind, this.#key, now).sub;
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
