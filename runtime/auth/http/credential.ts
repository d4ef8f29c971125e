import type { IncomingMessage } from "node:http";
import { ServiceError } from "../../errors/index.ts";

/** A credential as it was sent, before anybody looked whether it is any good. */
export type Credential = { readonly kind: "token" | "api-key"; readonly text: string };

/**
 * The credential of a request, or null. The Bearer token wins over `X-API-Key`, and both over the cookie (contract:
 * "Mechanisms and precedence"). Errors: `INVALID_TOKEN` for an `Authorization` header of another form.
 */
export function sentCredential(
  { headers }: Pick<IncomingMessage, "headers">,
  cookieName: string | null,
): Credential | null {
  const { authorization } = headers;
  if (authorization !== undefined) return bearer(authorization);
  const key = headers["x-api-key"];
  if (key !== undefined) return { kind: "api-key", text: String(key) };
  const token = cookieName === null ? undefined : sentCookies({ headers }).get(cookieName);
  return token === undefined ? null : { kind: "token", text: token };
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

/** The cookies of a request by name; of one that stands twice the first. */
export function sentCookies({ headers }: Pick<IncomingMessage, "headers">): ReadonlyMap<string, string> {
  const pairs = (headers.cookie ?? "").split(";").flatMap((pair) => {
    const equals = pair.indexOf("=");
    return equals === -1 ? [] : [[pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()] as const];
  });
  return new Map(pairs.reverse());
}
