import type { CookieOptions, Response } from "express";
import type { Config } from "../../../core/config/index.ts";
import { answersByPost, type Conversation, signInCookie, stateSeconds } from "../social/index.ts";

/** Sets the cookie that binds a sign-in to this browser, or deletes it if the value is null. */
export function setSignInCookie(
  response: Response,
  { baseUrl, authPrefix }: Config,
  { provider }: Conversation,
  value: string | null,
): void {
  const secure = baseUrl.startsWith("https:");
  const options: CookieOptions = {
    httpOnly: true,
    secure,
    // Browsers send only SameSite=None cookies with a cross-site POST, and accept them over https only.
    sameSite: secure && answersByPost(provider) ? "none" : "lax",
    // The path of the public URL, which can have a prefix.
    path: new URL(`${baseUrl}${authPrefix}`).pathname,
  };
  if (value === null) response.clearCookie(signInCookie, options);
  else response.cookie(signInCookie, value, { ...options, maxAge: stateSeconds * 1000 });
}
