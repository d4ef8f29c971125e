import type { CookieOptions, Response } from "express";
import type { AuthSettings } from "../../config/index.ts";

/** Writes the access token as a cookie, or deletes it, where the manifest names one (contract: "Auth cookie"). */
export function answerCookie(response: Response, token: string | null, settings: AuthSettings): void {
  const { cookieName, cookieDomain, accessTokenSeconds } = settings;
  if (cookieName === null) return;
  const options: CookieOptions = {
    httpOnly: true,
    secure: true,
    sameSite: "lax",
    path: "/",
    ...(cookieDomain !== null && { domain: cookieDomain }),
  };
  if (token === null) response.clearCookie(cookieName, options);
  else response.cookie(cookieName, token, { ...options, maxAge: accessTokenSeconds * 1000 });
}
