import { guest, type Principal } from "../../access/index.ts";
import type { Awaitable } from "../../concurrency/index.ts";
import { ServiceError } from "../../errors/index.ts";
import type { Identified } from "../../operations/index.ts";
import type { Blacklist } from "../blacklist/blacklist.ts";
import type { AccessClaims, AccessTokens } from "../tokens/access-token.ts";
import { type AuthCookie, type CredentialRequest, sentCredential } from "./credential.ts";

/** Whom a credential names, and the look-up of its token that is left. */
export interface Identity extends Identified {
  readonly principal: Principal;
}

/** Tells whom an API key belongs to. Errors: `INVALID_API_KEY`, `AUTH_UNAVAILABLE`. */
export interface ApiKeyResolver {
  principalOf(key: string): Promise<Principal>;
}

export interface AuthenticatorOptions {
  readonly accessTokens: AccessTokens;
  readonly blacklist: Blacklist;
  readonly apiKeys: ApiKeyResolver;
  /** Null where no cookie is read. */
  readonly cookie: AuthCookie | null;
}

/**
 * Tells who calls, once per request (contract: "Request authentication rules"). Only an absent credential is a guest; a
 * present one that is not valid is refused.
 */
export class Authenticator {
  readonly #options: AuthenticatorOptions;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  /**
   * The caller of a model route. Errors: `INVALID_TOKEN`, `TOKEN_EXPIRED`, `TOKEN_REVOKED`, `INVALID_API_KEY`,
   * `AUTH_UNAVAILABLE`; `PERMISSION_DENIED` for a write by the cookie from a page of a foreign origin.
   */
  async principal(request: CredentialRequest): Promise<Principal> {
    const { principal, ensureNotRevoked } = await this.identify(request, () => {});
    await ensureNotRevoked?.();
    return principal;
  }

  /**
   * Whom the credential of a request names; at once where nothing has to be looked up for that. Whether an access token is revoked is left
   * to `ensureNotRevoked`. `onGood` is called once the credential is known to be good. Errors: as above.
   */
  identify(request: CredentialRequest, onGood: (principal: Principal) => void): Awaitable<Identity> {
    const { cookie, apiKeys, accessTokens, blacklist } = this.#options;
    const sent = sentCredential(request, cookie);
    if (sent === null) return identified(guest, onGood);
    if (sent.kind === "api-key")
      return apiKeys.principalOf(sent.text).then((owner) => identified(owner, onGood));
    const claims = accessTokens.verify(sent.text);
    if (blacklist.knows(claims.jti)) throw new ServiceError("TOKEN_REVOKED");
    const principal = principalOf(claims);
    const ensureNotRevoked = once(() => this.#requireGood(claims).then(() => onGood(principal)));
    return { principal, ensureNotRevoked };
  }

  /** The caller of a session route: an access token, never an API key. Also `MISSING_TOKEN`. */
  async session(request: CredentialRequest): Promise<AccessClaims> {
    const credential = sentCredential(request, this.#options.cookie);
    if (credential?.kind === "api-key")
      throw new ServiceError("MISSING_TOKEN", "This route needs an access token, and takes no API key.");
    if (credential === null) throw new ServiceError("MISSING_TOKEN");
    return this.#valid(credential.text);
  }

  /** The access token of a logout. One that is not valid is ignored (docs/auth.md#logout). Errors: `PERMISSION_DENIED` as above. */
  presented(request: CredentialRequest): AccessClaims | null {
    try {
      const credential = sentCredential(request, this.#options.cookie);
      return credential?.kind === "token" ? this.#options.accessTokens.verify(credential.text) : null;
    } catch (error) {
      if (error instanceof ServiceError && error.code !== "PERMISSION_DENIED") return null;
      throw error;
    }
  }

  async #valid(token: string): Promise<AccessClaims> {
    const claims = this.#options.accessTokens.verify(token);
    await this.#requireGood(claims);
    return claims;
  }

  async #requireGood(claims: AccessClaims): Promise<void> {
    if (await this.#options.blacklist.has(claims)) throw new ServiceError("TOKEN_REVOKED");
  }
}

function identified(principal: Principal, onGood: (principal: Principal) => void): Identity {
  onGood(principal);
  return { principal, ensureNotRevoked: null };
}

/** The same look-up for all who ask, begun by the first. A failure that no one waits for is no failure of the process. */
function once(look: () => Promise<void>): () => Promise<void> {
  let begun: Promise<void> | null = null;
  return () => {
    if (begun === null) {
      begun = look();
      begun.catch(() => {});
    }
    return begun;
  };
}

/** Whom the claims of an access token name. */
function principalOf({ sub, role, email }: AccessClaims): Principal {
  return { user_id: sub, role, email };
}
