import jsonwebtoken from "jsonwebtoken";
import { isReservedRole } from "../../../../vocabulary/accounts/role-names.ts";
import { BoundedCache } from "../../../core/concurrency/index.ts";
import type { SecretKeys } from "../../../core/config/index.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import { type Credentials, StampedIds } from "./token-ids.ts";

/** The claims of all Kirak tokens. Times are in seconds. */
interface Claims {
  readonly sub: string;
  /** The purpose. Each use accepts only tokens with its own purpose. */
  readonly type: string;
  readonly iat: number;
  readonly exp: number;
}

/** A kind of token. Its claims are `type`, `iat`, `exp` and exactly these texts. */
export interface TokenKind<Type extends string, Texts extends string> {
  readonly type: Type;
  readonly texts: readonly Texts[];
  /** Texts that can be empty. */
  readonly mayBeEmpty?: readonly Texts[];
}

/** The keys of tokens, and the longest life that a token of this kind has, in seconds. */
export interface TokenKeys {
  readonly keys: SecretKeys;
  readonly longest: number;
}

export type ClaimsOf<Kind> =
  Kind extends TokenKind<infer Type, infer Texts>
    ? { readonly [Name in Texts]: string } & {
        readonly type: Type;
        readonly iat: number;
        readonly exp: number;
      }
    : never;

const headerNames = new Set(["alg", "typ"]);

/** Signs claims with HS256. */
export function signToken(claims: Claims, [current]: SecretKeys): string {
  return jsonwebtoken.sign(claims, current, { algorithm: "HS256" });
}

/**
 * Returns the claims of a token of one kind. Accepts only HS256, and only known fields in the header. A token
 * of a previous key must not live longer than the service makes such tokens. `now` is in milliseconds. Errors:
 * `TOKEN_EXPIRED`, `INVALID_TOKEN`.
 */
export function readToken<Type extends string, Texts extends string>(
  token: string,
  kind: TokenKind<Type, Texts>,
  { keys, longest }: TokenKeys,
  now: number,
): ClaimsOf<TokenKind<Type, Texts>> {
  for (const key of keys) {
    const claims = claimsUnder(key, token, kind, now);
    if (claims === null) continue;
    if (key === keys[0] || claims.exp - claims.iat <= longest) return claims;
  }
  throw new ServiceError("INVALID_TOKEN");
}

/** Returns null if the token is not valid under this key. Errors: `TOKEN_EXPIRED`. */
function claimsUnder<Type extends string, Texts extends string>(
  key: SecretKeys[0],
  token: string,
  kind: TokenKind<Type, Texts>,
  now: number,
): ClaimsOf<TokenKind<Type, Texts>> | null {
  try {
    const { header, payload } = jsonwebtoken.verify(token, key, {
      algorithms: ["HS256"],
      clockTimestamp: Math.floor(now / 1000),
      complete: true,
    });
    if (Object.keys(header).every((name) => headerNames.has(name)) && hasClaims(payload, kind))
      return payload;
  } catch (error) {
    if (error instanceof jsonwebtoken.TokenExpiredError) throw new ServiceError("TOKEN_EXPIRED");
  }
  return null;
}

function hasClaims<Type extends string, Texts extends string>(
  payload: unknown,
  { type, texts, mayBeEmpty = [] }: TokenKind<Type, Texts>,
): payload is ClaimsOf<TokenKind<Type, Texts>> {
  if (typeof payload !== "object" || payload === null) return false;
  const claims = new Map<string, unknown>(Object.entries(payload));
  const isText = (name: Texts) => {
    const value = claims.get(name);
    return typeof value === "string" && (value !== "" || mayBeEmpty.includes(name));
  };
  return (
    claims.size === texts.length + 3 &&
    claims.get("type") === type &&
    texts.every(isText) &&
    Number.isSafeInteger(claims.get("iat")) &&
    Number.isSafeInteger(claims.get("exp"))
  );
}

const kind = { type: "access", texts: ["sub", "role", "email", "jti"], mayBeEmpty: ["email"] } as const;

/** The claims of an access token: exactly these. Times are in seconds. */
export type AccessClaims = ClaimsOf<typeof kind>;

/** The user of a token. */
interface TokenSubject extends Credentials {
  readonly role: string;
  readonly email: string | null;
}

/** Signs and verifies access tokens. Caches verified tokens. */
export class AccessTokens {
  readonly #keys: SecretKeys;
  /** The lifetime of a token, in seconds. */
  readonly lifetime: number;
  readonly #ids: StampedIds;
  readonly #verified = new BoundedCache<AccessClaims>({ entries: 10_000 });

  constructor(keys: SecretKeys, lifetime: number) {
    this.#keys = keys;
    this.lifetime = lifetime;
    this.#ids = new StampedIds(keys);
  }

  /** Returns a new token of a session; null for none. `now` is in milliseconds. */
  sign(subject: TokenSubject, now: number, sessionId: string | null): string {
    const { id, role, email } = subject;
    const iat = Math.floor(now / 1000);
    const claims: AccessClaims = {
      sub: id,
      role,
      email: email ?? "",
      jti: this.#ids.next(subject, sessionId),
      type: "access",
      iat,
      exp: iat + this.lifetime,
    };
    return signToken(claims, this.#keys);
  }

  /** Returns the claims of a token. Errors: `TOKEN_EXPIRED`, `INVALID_TOKEN`. `now` is in milliseconds. */
  verify(token: string, now: number = Date.now()): AccessClaims {
    const known = this.#verified.get(token);
    if (known !== undefined && known.exp * 1000 > now) return known;
    const claims = readToken(token, kind, { keys: this.#keys, longest: this.lifetime }, now);
    if (isReservedRole(claims.role)) throw new ServiceError("INVALID_TOKEN");
    return this.#verified.add(token, claims);
  }

  /**
   * Whether a token was issued after the last change of its user's credentials. A token with a foreign `jti`
   * is compared by its `iat`, and refused if it was issued in the second of the change.
   */
  isCurrent({ jti, iat }: Pick<AccessClaims, "jti" | "iat">, user: Credentials): boolean {
    const { credentialsChangedAt: changed } = user;
    return changed === null || (this.#ids.isOf(jti, user) ?? iat > Math.floor(Date.parse(changed) / 1000));
  }
}
