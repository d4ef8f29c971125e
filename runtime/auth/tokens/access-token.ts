import { type KeyObject, randomUUID } from "node:crypto";
import { BoundedCache } from "../../memory/bounded-cache.ts";
import { type ClaimsOf, readToken, signToken } from "./jwt.ts";

const kind = { type: "access", texts: ["sub", "role", "email", "jti"], mayBeEmpty: ["email"] } as const;

/** The claims of an access token: exactly these (contract: "Tokens"). Times are in seconds. */
export type AccessClaims = ClaimsOf<typeof kind>;

/** Whom a token is for. */
export interface TokenSubject {
  readonly id: string;
  readonly role: string;
  readonly email: string | null;
}

/** Signs and verifies access tokens with one key. A verified token is remembered until it expires. */
export class AccessTokens {
  readonly #key: KeyObject;
  /** Life of a token in seconds. */
  readonly lifetime: number;
  readonly #verified = new BoundedCache<AccessClaims>({ entries: 10_000 });

  constructor(key: KeyObject, lifetime: number) {
    this.#key = key;
    this.lifetime = lifetime;
  }

  /** A new token. `now` is in milliseconds. */
  sign({ id, role, email }: TokenSubject, now: number): string {
    const iat = Math.floor(now / 1000);
    const claims: AccessClaims = {
      sub: id,
      role,
      email: email ?? "",
      jti: randomUUID(),
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
    return this.#verified.add(token, claims);
  }
}
