import type { IncomingMessage } from "node:http";
import { guest, type Principal } from "../access/index.ts";
import { ServiceError } from "../errors/index.ts";
import type { AccessTokens } from "./access-token.ts";

/** A credential as it was sent, before anybody looked whether it is any good. */
type Credential = { readonly kind: "token" | "api-key"; readonly text: string };

/**
 * Tells who calls, once per request (contract: "Request authentication rules"). Only an absent credential is a guest; a
 * present one that is not valid is refused: `INVALID_TOKEN`, `TOKEN_EXPIRED`, `INVALID_API_KEY`.
 */
export function authenticator(tokens: AccessTokens, cookieName: string | null) {
  return (request: IncomingMessage): Principal => {
    const credential = sentCredential(request, cookieName);
    if (credential === null) return guest;
    // No API key can exist before the account routes do, so each one is unknown.
    if (credential.kind === "api-key") throw new ServiceError("INVALID_API_KEY");
    const claims = tokens.verify(credential.text);
    return { user_id: claims.sub, role: claims.role, email: claims.email };
  };
}

/** The Bearer token wins over `X-API-Key`, and both over the cookie. */
function sentCredential(request: IncomingMessage, cookieName: string | null): Credential | null {
  const { authorization, cookie } = request.headers;
  if (authorization !== undefined) return bearer(authorization);
  const key = request.headers["x-api-key"];
  if (key !== undefined) return { kind: "api-key", text: String(key) };
  if (cookieName === null || cookie === undefined) return null;
  const token = cookieValue(cookie, cookieName);
  return token === null ? null : { kind: "token", text: token };
}

function bearer(authorization: string): Credential {
  const text = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (text === undefined) throw new ServiceError("INVALID_TOKEN");
  return { kind: text.startsWith("kk_") ? "api-key" : "token", text };
}

function cookieValue(header: string, name: string): string | null {
  for (const pair of header.split(";")) {
    const equals = pair.indexOf("=");
    if (equals !== -1 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return null;
}
