import type { CookieOptions, Response } from "express";
import type { AuthSettings } from "../../config/index.ts";
import { sendAnswer } from "../../http/index.ts";

/** What a route answers in the envelope. */
export interface AuthAnswer {
  readonly message: string;
  readonly data: unknown;
  /** Goes into the auth cookie; null deletes that. */
  readonly accessToken?: string | null;
}

/** Sends an answer, and the auth cookie with it. */
export function sendAuthAnswer(
  response: Response,
  { message, data, accessToken }: AuthAnswer,
  settings: AuthSettings,
): void {
  // First, as it throws where a hook has left no JSON: a refusal sets no cookie.
  const text = JSON.stringify(data ?? null);
  if (accessToken !== undefined) answerCookie(response, accessToken, settings);
  sendAnswer(response, { message, data: text });
}

/** Writes the access token as a cookie, or deletes it, where the manifest names one (contract: "Auth cookie"). */
function answerCookie(response: Response, token: string | null, settings: AuthSettings): void {
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
