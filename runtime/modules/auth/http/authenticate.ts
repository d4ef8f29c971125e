import type { IncomingMessage } from "node:http";
import type { Awaitable } from "../../../core/concurrency/index.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import type { Identified } from "../../../data/operations/index.ts";
import { guest, type Principal } from "../../../models/access/index.ts";
import { prefixLength } from "../api-keys/api-keys.ts";
import type { Blacklist } from "../blacklist/blacklist.ts";
import type { AccessClaims, AccessTokens } from "../tokens/access-token.ts";

/** A credential as it was sent, before validation. */
type Credential = { readonly kind: "token" | "api-key"; readonly text: string };

/** The parts of a request that have the credential. A request without a method counts as a write. */
type CredentialRequest = Pick<IncomingMessage, "headers" | "method">;

/** A cookie with a token, and which pages can act with it. */
export interface AuthCookie {
  readonly name: string;
  readonly allowsOrigin: (origin: string) => boolean;
}

/**
 * Returns the credential of a request, or null: the Bearer token before `X-API-Key`, and both before the
 * cookie (docs/credentials.md#credentials). Errors: `INVALID_TOKEN` for a malformed `Authorization` header or
 * a duplicate cookie; `PERMISSION_DENIED` for a write with the cookie from a foreign origin.
 */
export function sentCredential(request: CredentialRequest, cookie: AuthCookie | null): Credential | null {
  const { authorization } = request.headers;
  if (authorization !== undefined) return bearer(authorization);
  const key = request.headers["x-api-key"];
  if (key !== undefined) return { kind: "api-key", text: String(key) };
  const token = cookie === null ? null : sentCookie(request, cookie);
  return token === null ? null : { kind: "token", text: token };
}

/** The prefix of the API key of a request, by which its owner knows it. Null for other callers. Errors: as above. */
export function sentKeyPrefix(request: CredentialRequest): string | null {
  const sent = sentCredential(request, null);
  return sent?.kind === "api-key" ? sent.text.slice(0, prefixLength) : null;
}

function bearer(authorization: string): Credential {
  const text = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (text === undefined)
    throw new ServiceError(
      "INVALID_TOKEN",
      "The Authorization header must be Bearer, a space, and the token.",
    );
  return { kind: text.startsWith("kk_") ? "api-key" : "token", text };
}

/** Returns the token of a cookie, or null. Errors: as above. */
export function sentCookie(request: CredentialRequest, cookie: AuthCookie): string | null {
  const { name } = cookie;
  const [first, ...others] = cookiePairs(request).filter((pair) => pair[0] === name);
  if (first === undefined) return null;
  requireOwnPage(request, cookie);
  // Another subdomain can set a second cookie, and the request does not show which cookie is the service's.
  if (others.length > 0)
    throw new ServiceError("INVALID_TOKEN", `The request has several cookies with the name ${name}.`);
  return first[1];
}

/** Refuses a foreign page that writes with the cookie: `PERMISSION_DENIED`. */
export function requireOwnPage(request: CredentialRequest, { allowsOrigin }: AuthCookie): void {
  if (isOwnPage(request, allowsOrigin)) return;
  throw new ServiceError(
    "PERMISSION_DENIED",
    "A page of this origin cannot write with the cookie. Allow its origin in cors.origins, or send the token itself.",
  );
}

/** Whether a request only reads, or is not from a foreign page. Browsers send cookies for any page. */
function isOwnPage(
  { method, headers }: CredentialRequest,
  allowsOrigin: AuthCookie["allowsOrigin"],
): boolean {
  if (method === "GET" || method === "HEAD") return true;
  const { origin, "sec-fetch-site": site } = headers;
  if (site === "same-origin" || site === "none") return true;
  return origin === undefined ? site === undefined : allowsOrigin(origin);
}

/** Returns the cookies of a request by name; of several with one name, the first. */
export function sentCookies(request: Pick<IncomingMessage, "headers">): ReadonlyMap<string, string> {
  return new Map(cookiePairs(request).reverse());
}

function cookiePairs({ headers }: Pick<IncomingMessage, "headers">): [name: string, text: string][] {
  return (headers.cookie ?? "").split(";").flatMap((pair): [string, string][] => {
    const equals = pair.indexOf("=");
    return equals === -1 ? [] : [[pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()]];
  });
}

/** The user of a credential, and the pending check whether its token was revoked. */
export interface Identity extends Identified {
  readonly principal: Principal;
}

/** Returns the owner of an API key. Errors: `INVALID_API_KEY`, `AUTH_UNAVAILABLE`. */
interface ApiKeyResolver {
  principalOf(key: string): Promise<Principal>;
}

interface AuthenticatorOptions {
  readonly accessTokens: AccessTokens;
  readonly blacklist: Blacklist;
  readonly apiKeys: ApiKeyResolver;
  /** Null if the service reads no cookie. */
  readonly cookie: AuthCookie | null;
}

/**
 * Identifies the caller, once per request. A request without a credential is a guest. A request with an
 * invalid credential is refused.
 */
export class Authenticator {
  readonly #options: AuthenticatorOptions;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  /**
   * Returns the caller of a model route. Errors: `INVALID_TOKEN`, `TOKEN_EXPIRED`, `TOKEN_REVOKED`,
   * `INVALID_API_KEY`, `AUTH_UNAVAILABLE`; `PERMISSION_DENIED` as for `sentCredential`.
   */
  async principal(request: CredentialRequest): Promise<Principal> {
    const { principal, ensureNotRevoked } = await this.identify(request, () => {});
    await ensureNotRevoked?.();
    return principal;
  }

  /**
   * Returns the user of a credential; a promise only for an API key. The code that calls this must run
   * `ensureNotRevoked`. `onGood` runs when the credential is known to be valid. Errors: as above.
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

  /** Returns the claims of an access token; refuses API keys. Errors: as above, and `MISSING_TOKEN`. */
  async session(request: CredentialRequest): Promise<AccessClaims> {
    const credential = sentCredential(request, this.#options.cookie);
    if (credential?.kind === "api-key")
      throw new ServiceError(
        "MISSING_TOKEN",
        "This route needs an access token and does not accept API keys.",
      );
    if (credential === null) throw new ServiceError("MISSING_TOKEN");
    return this.#valid(credential.text);
  }

  /** Returns the claims of an access token, or null (docs/sessions.md#logout). Errors: `PERMISSION_DENIED`. */
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

/** Shares one lookup among all callers. A failure without a waiting caller does not end the process. */
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

function principalOf({ sub, role, email }: AccessClaims): Principal {
  return { user_id: sub, role, email };
}
