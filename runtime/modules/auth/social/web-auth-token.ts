import { randomUUID } from "node:crypto";
import type { SecretKeys } from "../../../core/config/index.ts";
import type { Queryable } from "../../../core/database/index.ts";
import { invalid, ServiceError } from "../../../core/errors/index.ts";
import { StoredTokens } from "../tokens/stored-tokens.ts";
import { challengeOf } from "./state/sign-in-state.ts";

/** How long a token is valid, in seconds (docs/social.md#routes). */
const lifetime = 300;

/**
 * Tokens that the provider's callback passes to a page of the app, which redeems each for a session. They are
 * safe in a URL, since each is valid once and for a short time.
 */
export class WebAuthTokens extends StoredTokens<"web_auth"> {
  constructor(keys: SecretKeys) {
    super("web_auth", keys, lifetime);
  }

  /**
   * `challenge` binds the token to a verifier (PKCE, S256). Challenge and provider are a part of the signed
   * `jti`.
   */
  issueFor(
    connection: Queryable,
    userId: string,
    { provider, challenge }: { readonly provider: string; readonly challenge: string | null },
    now: number,
  ): Promise<string> {
    return this.issue(connection, userId, now, [randomUUID(), challenge ?? "", provider].join("."));
  }

  /**
   * Returns the user's id and the provider. A verifier must match the challenge of the sign-in. Without a
   * challenge, another person can have begun the sign-in, so a verifier is refused. Errors: `INVALID_TOKEN`,
   * also for an expired token and a wrong verifier; `VALIDATION_ERROR` for a missing verifier.
   */
  read(token: string, verifier: string | undefined, now: number): { userId: string; provider: string } {
    const { sub: userId, jti } = this.#claims(token, now);
    const [, challenge = "", provider = ""] = jti.split(".");
    if (challenge !== "" && verifier === undefined)
      throw invalid([{ field: "code_verifier", message: "is required" }]);
    const given = verifier === undefined ? "" : challengeOf(verifier, "base64url");
    if (given !== challenge) throw new ServiceError("INVALID_TOKEN");
    return { userId, provider };
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
