import type { SocialProvider } from "./provider.ts";

/** Where a social sign-in runs. */
export const platforms = ["web", "ios", "android"] as const;

/** What the app calls a social sign-in. */
export const flows = ["login", "signup"] as const;

/** The longest device token, in characters. */
export const longestDeviceToken = 512;

/** A code challenge: a SHA-256 in base64url. */
export const codeChallengePattern = "^[\\w-]{43}$";

/** A declared provider. */
interface HasRow {
  readonly row: SocialProvider;
}

/** Whether a page of the app begins the sign-in, so that the login redirects nowhere. */
export function startsOnPage({ row }: HasRow): boolean {
  return "flow" in row && row.authorize === undefined;
}

/** Whether a provider calls back by a cross-site POST. Browsers send only SameSite=None cookies with it. */
export function answersByPost({ row }: HasRow): boolean {
  return row.protocol === "saml" || (row.protocol === "oidc" && row.formPost === true);
}

/**
 * The methods that a provider's callback accepts. A page of the app that begins the sign-in can send a POST.
 * SAML has no GET, which would put the assertion into a URL.
 */
export function callbackMethods(provider: HasRow): readonly ("GET" | "POST")[] {
  if (provider.row.protocol === "saml") return ["POST"];
  return answersByPost(provider) || startsOnPage(provider) ? ["GET", "POST"] : ["GET"];
}
