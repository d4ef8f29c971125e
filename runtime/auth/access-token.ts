import type { KeyObject } from "node:crypto";
import jsonwebtoken from "jsonwebtoken";
import { ServiceError } from "../errors/index.ts";

/** The claims of an access token: exactly these (contract: "Tokens"). Times are in seconds. */
export interface AccessClaims {
  readonly sub: string;
  readonly role: string;
  readonly email: string;
  readonly jti: string;
  readonly type: "access";
  readonly iat: number;
  readonly exp: number;
}

const claimNames = ["email", "exp", "iat", "jti", "role", "sub", "type"].join();
const headerNames = new Set(["alg", "typ"]);
const rememberedTokens = 10_000;

/** Verifies access tokens with one key. A verified token is remembered until it expires. */
export class AccessTokens {
  readonly #key: KeyObject;
  readonly #verified = new Map<string, AccessClaims>();

  constructor(key: KeyObject) {
    this.#key = key;
  }

  /** The claims of a valid token. Errors: `TOKEN_EXPIRED`, `INVALID_TOKEN`. `now` is in milliseconds. */
  verify(token: string, now: number = Date.now()): AccessClaims {
    const known = this.#verified.get(token);
    if (known !== undefined) {
      if (known.exp * 1000 > now) return known;
      this.#verified.delete(token);
    }
    const claims = this.#check(token, now);
    this.#remember(token, claims);
    return claims;
  }

  #check(token: string, now: number): AccessClaims {
    try {
      const { header, payload } = jsonwebtoken.verify(token, this.#key, {
        algorithms: ["HS256"],
        clockTimestamp: Math.floor(now / 1000),
        complete: true,
      });
      if (Object.keys(header).every((name) => headerNames.has(name)) && isAccessClaims(payload))
        return payload;
    } catch (error) {
      if (error instanceof jsonwebtoken.TokenExpiredError) throw new ServiceError("TOKEN_EXPIRED");
    }
    throw new ServiceError("INVALID_TOKEN");
  }

  #remember(token: string, claims: AccessClaims): void {
    if (this.#verified.size >= rememberedTokens) {
      const [oldest] = this.#verified.keys();
      if (oldest !== undefined) this.#verified.delete(oldest);
    }
    this.#verified.set(token, claims);
  }
}

function isAccessClaims(payload: unknown): payload is AccessClaims {
  if (typeof payload !== "object" || payload === null) return false;
  if (Object.keys(payload).sort().join() !== claimNames) return false;
  const claims: Partial<Record<keyof AccessClaims, unknown>> = payload;
  return (
    claims.type === "access" &&
    isText(claims.sub) &&
    isText(claims.role) &&
    isText(claims.jti) &&
    typeof claims.email === "string" &&
    Number.isSafeInteger(claims.iat) &&
    Number.isSafeInteger(claims.exp)
  );
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
