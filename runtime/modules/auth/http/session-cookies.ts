import type { IncomingMessage } from "node:http";
import type { CookieOptions, Response } from "express";
import { isJsonObject, type JsonObject } from "../../../../vocabulary/json.ts";
import type { Config } from "../../../core/config/index.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import { credentialedOrigins } from "../../../core/http/index.ts";
import type { IssuedTokens } from "../sessions/sessions.ts";
import { type AuthCookie, requireOwnPage, sentCookie, sentCookies } from "./authenticate.ts";

/** The cookies with the tokens of a session; null if the manifest names none. */
export interface SessionCookies {
  readonly access: AuthCookie | null;
  readonly refresh: AuthCookie | null;
}

/** The origin of `base_url` and those of `cors` can act with the cookies. */
export function sessionCookiesOf({ auth, baseUrl, cors }: Config): SessionCookies {
  const { origin: own } = new URL(baseUrl);
  const isAllowed = credentialedOrigins(cors);
  const allowsOrigin = (origin: string) => origin === own || isAllowed(origin);
  const cookie = (name: string | null) => (name === null ? null : { name, allowsOrigin });
  return { access: cookie(auth.cookieName), refresh: cookie(auth.refreshCookieName) };
}

/** Sets the cookies of a session, or deletes them if `tokens` is null (docs/credentials.md#cookie). */
export function setSessionCookies(
  response: Response,
  { auth, baseUrl, authPrefix }: Pick<Config, "auth" | "baseUrl" | "authPrefix">,
  tokens: IssuedTokens | null,
): void {
  const { cookieName, refreshCookieName, cookieDomain: domain, accessTokenSeconds } = auth;
  const set = (name: string | null, text: string | undefined, seconds: number, options: CookieOptions) => {
    if (name === null) return;
    const all = { httpOnly: true, secure: true, ...(domain !== null && { domain }), ...options };
    if (text === undefined) response.clearCookie(name, all);
    else response.cookie(name, text, { ...all, maxAge: seconds * 1000 });
  };
  const { refreshSeconds = 0 } = tokens ?? {};
  const accessSeconds =
    auth.longestSessionSeconds === null ? accessTokenSeconds : Math.min(accessTokenSeconds, refreshSeconds);
  set(cookieName, tokens?.pair.accessToken, accessSeconds, { sameSite: "lax", path: "/" });
  // The path of the public URL, which can have a prefix.
  const { pathname: path } = new URL(`${baseUrl}${authPrefix}`);
  set(refreshCookieName, tokens?.pair.refreshToken, refreshSeconds, { sameSite: "strict", path });
}

/** The data of an answer without tokens, for pages that keep them only in cookies. */
export function withoutTokens(data: unknown): unknown {
  if (!isJsonObject(data)) return data;
  const { accessToken: _, refreshToken: __, ...rest } = data;
  return rest;
}

/**
 * Reads a body, and adds the token of the refresh cookie as `key` if the body has none. Errors: those of
 * `read`; `PERMISSION_DENIED` before them if a foreign page needs the cookie; `INVALID_TOKEN`.
 */
export async function readBodyOrCookie(
  request: IncomingMessage,
  cookie: AuthCookie,
  key: string,
  read: () => Promise<JsonObject | undefined>,
): Promise<JsonObject | undefined> {
  if (!sentCookies(request).has(cookie.name)) return read();
  const sent = await read().catch((error: unknown) => {
    requireOwnPage(request, cookie);
    throw error;
  });
  if (sent?.[key] !== undefined) return sent;
  const token = sentCookie(request, cookie);
  if (token === null || token === "") throw new ServiceError("INVALID_TOKEN");
  return { ...sent, [key]: token };
}
