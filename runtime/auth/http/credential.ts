import type { IncomingMessage } from "node:http";
import { ServiceError } from "../../errors/index.ts";

/** A credential as it was sent, before anybody looked whether it is any good. */
export type Credential = { readonly kind: "token" | "api-key"; readonly text: string };

/** What a request says of its credential and of the page that sent it. Without a method it counts as a write. */
export type CredentialRequest = Pick<IncomingMessage, "headers" | "method">;

/** The auth cookie, and which pages can act with it. */
export interface AuthCookie {
  readonly name: string;
  readonly allowsOrigin: (origin: string) => boolean;
}

/**
 * The credential of a request, or null. The Bearer token wins over `X-API-Key`, and both over the cookie (docs/auth.md#credentials).
 * Errors: `INVALID_TOKEN` for an `Authorization` header of another form and for two cookies of the name; `PERMISSION_DENIED` for a
 * write by the cookie from a page of a foreign origin.
 */
export function sentCredential(request: CredentialRequest, cookie: AuthCookie | null): Credential | null {
  const { authorization } = request.headers;
  if (authorization !== undefined) return bearer(authorization);
  const key = request.headers["x-api-key"];
  if (key !== undefined) return { kind: "api-key", text: String(key) };
  return cookie === null ? null : cookieCredential(request, cookie);
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

function cookieCredential(request: CredentialRequest, { name, allowsOrigin }: AuthCookie): Credential | null {
  const [first, ...others] = cookiePairs(request).filter((pair) => pair[0] === name);
  if (first === undefined) return null;
  if (!isOwnPage(request, allowsOrigin))
    throw new ServiceError(
      "PERMISSION_DENIED",
      "A page of this origin cannot write with the cookie. Allow its origin in cors.origins, or send the token in the Authorization header.",
    );
  // A page of another subdomain can set a second one, and browsers do not say which is whose.
  if (others.length > 0)
    throw new ServiceError("INVALID_TOKEN", `The request has several cookies with the name ${name}.`);
  return { kind: "token", text: first[1] };
}

/** Whether the app's own page or a program sent a request, or it only reads: browsers attach cookies to requests of any page. */
function isOwnPage(
  { method, headers }: CredentialRequest,
  allowsOrigin: AuthCookie["allowsOrigin"],
): boolean {
  if (method === "GET" || method === "HEAD") return true;
  const { origin, "sec-fetch-site": site } = headers;
  if (site === "same-origin" || site === "none") return true;
  return origin === undefined ? site === undefined : allowsOrigin(origin);
}

/** The cookies of a request by name; the first of several with one name. */
export function sentCookies(request: Pick<IncomingMessage, "headers">): ReadonlyMap<string, string> {
  return new Map(cookiePairs(request).reverse());
}

function cookiePairs({ headers }: Pick<IncomingMessage, "headers">): [name: string, text: string][] {
  return (headers.cookie ?? "").split(";").flatMap((pair): [string, string][] => {
    const equals = pair.indexOf("=");
    return equals === -1 ? [] : [[pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()]];
  });
}
