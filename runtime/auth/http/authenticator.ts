import { guest, type Principal } from "../../access/index.ts";
import type { Awaitable } from "../../concurrency/index.ts";
import { ServiceError } from "../../errors/index.ts";
import type { Claiming } from "../../operations/index.ts";
import type { Blacklist } from "../blacklist/blacklist.ts";
import type { AccessClaims, AccessTokens } from "../tokens/access-token.ts";
import { type AuthCookie, type CredentialRequest, sentCredential } from "./credential.ts";
import { TokenCheck } from "./token-check.ts";

/** Whom a credential names, and what is still to be asked of it. */
export interface Claimant extends Claiming {
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
    const credential = sentCredential(request, this.#options.cookie);
    if (credential === null) return guest;
    if (credential.kind === "api-key") return this.#options.apiKeys.principalOf(credential.text);
    return principalOf(await this.#valid(credential.text));
  }

  /**
   * Whom the credential of a request names; at once where nothing has to be asked for that. Whether an access token was revoked may still be
   * open: then that is for `credential` to find out. `onHeld` is called once it is known that the credential holds. Errors: as above.
   */
  claimant(request: CredentialRequest, onHeld: (principal: Principal) => void): Awaitable<Claimant> {
    const sent = sentCredential(request, this.#options.cookie);
    if (sent === null) return admitted(guest, onHeld);
    if (sent.kind === "api-key")
      return this.#options.apiKeys.principalOf(sent.text).then((owner) => admitted(owner, onHeld));
    const { accessTokens, blacklist } = this.#options;
    const claims = accessTokens.verify(sent.text);
    const principal = principalOf(claims);
    const question = blacklist.question(claims.jti);
    if (question === null) return this.#valid(sent.text).then(() => admitted(principal, onHeld));
    const held = () => onHeld(principal);
    return { principal, credential: new TokenCheck(claims.jti, blacklist, question, held) };
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
    if (await this.#options.blacklist.has(claims.jti)) throw new ServiceError("TOKEN_REVOKED");
    return claims;
  }
}

function admitted(principal: Principal, onHeld: (principal: Principal) => void): Claimant {
  onHeld(principal);
  return { principal, credential: null };
}

/** Whom the claims of an access token name. */
export function principalOf({ sub, role, email }: AccessClaims): Principal {
  return { user_id: sub, role, email };
}
