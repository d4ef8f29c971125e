import { invalid } from "../../../errors/index.ts";
import { type Flow, flows, type Platform, platforms } from "./sign-in-state.ts";

/** What the query of a login asks for. */
export interface SignInWishes {
  readonly platform: Platform;
  readonly flow: Flow;
  readonly deviceToken: string | null;
  /** The page that the browser is sent on to in the end. */
  readonly redirectTo: string | null;
  /** What the web auth token of the page is bound to (PKCE, S256). */
  readonly codeChallenge: string | null;
}

/** How long the token of a device may be, in characters (decisions, part 9). */
export const longestDeviceToken = 512;

/** Reads the query of a login. Errors: 400 `VALIDATION_ERROR` with `details.field`. */
export function wishesOf(query: URLSearchParams, redirectUrls: readonly string[]): SignInWishes {
  const platform = oneOf(platforms, "platform", query) ?? "web";
  const redirectTo = query.get("redirect_to");
  if (redirectTo !== null && (platform !== "web" || !redirectUrls.includes(redirectTo)))
    throw invalid([
      { field: "redirect_to", message: "is none of auth.social_redirect_urls, or not on the web" },
    ]);
  const deviceToken = query.get("device_token");
  if ((deviceToken?.length ?? 0) > longestDeviceToken)
    throw invalid([{ field: "device_token", message: `is longer than ${longestDeviceToken} characters` }]);
  const codeChallenge = query.get("code_challenge");
  if (codeChallenge !== null && !/^[\w-]{43}$/.test(codeChallenge))
    throw invalid([{ field: "code_challenge", message: "must be a SHA-256 in base64url, 43 characters" }]);
  return { platform, flow: oneOf(flows, "flow", query) ?? "login", deviceToken, redirectTo, codeChallenge };
}

function oneOf<const Value extends string>(
  values: readonly Value[],
  field: string,
  query: URLSearchParams,
): Value | null {
  const text = query.get(field);
  const value = values.find((one) => one === text);
  if (text !== null && value === undefined)
    throw invalid([{ field, message: `must be one of ${values.join(", ")}` }]);
  return value ?? null;
}
