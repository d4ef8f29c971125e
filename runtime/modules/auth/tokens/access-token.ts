import { createHmac, type KeyObject, randomBytes } from "node:crypto";
import jsonwebtoken from "jsonwebtoken";
import { isGroupRole } from "../../../../vocabulary/accounts/role-names.ts";
import { BoundedCache } from "../../../core/concurrency/index.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import { derivedKey } from "../crypto/hash.ts";

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
export function signToken(claims: Claims, key: KeyObject): string {
  return jsonwebtoken.sign(claims, key, { algorithm: "HS256" });
}

/**
 * Returns the claims of a token of one kind. Accepts only HS256, and only known fields in the header. `now`
 * is in milliseconds. Errors: `TOKEN_EXPIRED`, `INVALID_TOKEN`.
 */
export function readToken<Type extends string, Texts extends string>(
  token: string,
  kind: TokenKind<Type, Texts>,
  key: KeyObject,
  now: number,
): ClaimsOf<TokenKind<Type, Texts>> {
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
  throw new ServiceError("INVALID_TOKEN");
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

/** The version of a user's credentials. */
export interface Credentials {
  readonly id: string;
  /** ISO-8601, different for each change of a user; null for never. */
  readonly credentialsChangedAt: string | null;
}

const stampedIdPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * Token ids that contain a stamp of the user's credentials at that time. The claims have no other field for
 * it. `iat` has whole seconds, so it cannot distinguish a token before a change from the first one after it.
 * An id is a UUID of version 8 (RFC 9562). One half is random. The other half is a keyed hash of the first
 * half and the credentials.
 */
export class StampedIds {
  readonly #key: Buffer;

  constructor(secret: KeyObject) {
    this.#key = derivedKey(secret, "token id");
  }

  /** A new id for a token of this user. */
  next(credentials: Credentials): string {
    const bytes = randomBytes(8);
    bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f);
    const head = bytes.toString("hex");
    const all = head + this.#stamp(head, credentials);
    return all.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  }

  /** Whether an id was made for these credentials; null for an id that this class did not make. */
  isOf(id: string, credentials: Credentials): boolean | null {
    if (!stampedIdPattern.test(id)) return null;
    const all = id.replaceAll("-", "");
    return all.slice(16) === this.#stamp(all.slice(0, 16), credentials);
  }

  #stamp(head: string, { id, credentialsChangedAt }: Credentials): string {
    const text = `${head} ${id} ${credentialsChangedAt ?? ""}`;
    const bytes = createHmac("sha256", this.#key).update(text).digest().subarray(0, 8);
    bytes[0] = 0x80 | ((bytes[0] ?? 0) & 0x3f);
    return bytes.toString("hex");
  }
}

const kind = { type: "access", texts: ["sub", "role", "email", "jti"], mayBeEmpty: ["email"] } as const;

/** The claims of an access token: exactly these. Times are in seconds. */
export type AccessClaims = ClaimsOf<typeof kind>;

/** The user of a token. */
interface TokenSubject extends Credentials {
  readonly role: string;
  readonly email: string | null;
}

/** Signs and verifies access tokens with one key. Caches verified tokens. */
export class AccessTokens {
  readonly #key: KeyObject;
  /** The lifetime of a token, in seconds. */
  readonly lifetime: number;
  readonly #ids: StampedIds;
  readonly #verified = new BoundedCache<AccessClaims>({ entries: 10_000 });

  constructor(key: KeyObject, lifetime: number) {
    this.#key = key;
    this.lifetime = lifetime;
    this.#ids = new StampedIds(key);
  }

  /** Returns a new token. `now` is in milliseconds. */
  sign(subject: TokenSubject, now: number): string {
    const { id, role, email } = subject;
    const iat = Math.floor(now / 1000);
    const claims: AccessClaims = {
      sub: id,
      role,
      email: email ?? "",
      jti: this.#ids.next(subject),
      type: "access",
      iat,
      exp: iat + this.lifetime,
    };
    return signToken(claims, this.#key);
  }

  /** Returns the claims of a token. Errors: `TOKEN_EXPIRED`, `INVALID_TOKEN`. `now` is in milliseconds. */
  verify(token: string, now: number = Date.now()): AccessClaims {
    const known = this.#verified.get(token);
    if (known !== undefined && known.exp * 1000 > now) return known;
    const claims = readToken(token, kind, this.#key, now);
    if (isGroupRole(claims.role)) throw new ServiceError("INVALID_TOKEN");
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
