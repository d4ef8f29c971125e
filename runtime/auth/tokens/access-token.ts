import type { KeyObject } from "node:crypto";
import { isRoleOfMany } from "../../../vocabulary/role-names.ts";
import { BoundedCache } from "../../concurrency/index.ts";
import { ServiceError } from "../../errors/index.ts";
import { type ClaimsOf, readToken, signToken } from "./jwt.ts";
import { type Credentials, StampedIds } from "./stamped-ids.ts";

const kind = { type: "access", texts: ["sub", "role", "email", "jti"], mayBeEmpty: ["email"] } as const;

/** The claims of an access token: exactly these (contract: "Tokens"). Times are in seconds. */
export type AccessClaims = ClaimsOf<typeof kind>;

/** Whom a token is for. */
export interface TokenSubject extends Credentials {
  readonly role: string;
  readonly email: string | null;
}

/** Signs and verifies access tokens with one key. A verified token is remembered until it expires. */
export class AccessTokens {
  readonly #key: KeyObject;
  /** Life of a token in seconds. */
  readonly lifetime: number;
  readonly #ids: StampedIds;
  readonly #verified = new BoundedCache<AccessClaims>({ entries: 10_000 });

  constructor(key: KeyObject, lifetime: number) {
    this.#key = key;
    this.lifetime = lifetime;
    this.#ids = new StampedIds(key);
  }

  /** A new token. `now` is in milliseconds. */
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

  /** The claims of a valid token. Errors: `TOKEN_EXPIRED`, `INVALID_TOKEN`. `now` is in milliseconds. */
  verify(token: string, now: number = Date.now()): AccessClaims {
    const known = this.#verified.get(token);
    if (known !== undefined && known.exp * 1000 > now) return known;
    const claims = readToken(token, kind, this.#key, now);
    if (isRoleOfMany(claims.role)) throw new ServiceError("INVALID_TOKEN");
    return this.#verified.add(token, claims);
  }

  /**
   * Whether a token was issued since its user's credentials were last changed. One that this service did not make itself
   * goes by its second, and is refused where that is the very second of the change.
   */
  isCurrent({ jti, iat }: Pick<AccessClaims, "jti" | "iat">, user: Credentials): boolean {
    const { credentialsChangedAt: changed } = user;
    return changed === null || (this.#ids.isOf(jti, user) ?? iat > Math.floor(Date.parse(changed) / 1000));
  }
}
