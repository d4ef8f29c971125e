import type { KeyObject } from "node:crypto";
import jsonwebtoken from "jsonwebtoken";
import { ServiceError } from "../../errors/index.ts";

/** Claims that every token of ours has. Times are in seconds. */
export interface Claims {
  readonly sub: string;
  /** The purpose; a token of another one is refused at every door (decisions, part 7). */
  readonly type: string;
  readonly iat: number;
  readonly exp: number;
}

/** A kind of token: which claims it has, beside `type`, `iat` and `exp` exactly these, all of them texts. */
export interface TokenKind<Type extends string, Texts extends string> {
  readonly type: Type;
  readonly texts: readonly Texts[];
  /** Texts that may be empty. */
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
 * The claims of a token of one kind. HS256 alone; of the header nothing else is trusted or even allowed. `now` is in
 * milliseconds. Errors: `TOKEN_EXPIRED`, `INVALID_TOKEN`.
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
