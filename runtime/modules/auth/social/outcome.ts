import { ServiceError } from "../../../core/errors/index.ts";
import type { AuthHookOrigin } from "../auth-hook.ts";
import { withParameter } from "../links/signed-link.ts";
import type { IssuedTokens } from "../sessions/sessions.ts";
import type { NewLink } from "./accounts/link-provider.ts";

/** A sign-in that has begun. */
export interface StartedSignIn {
  /** The URL of the redirect. Null if a page of the app continues the sign-in, with `state`. */
  readonly location: URL | null;
  readonly state: string;
  /** The value of the cookie that binds the sign-in to the browser. */
  readonly cookie: string;
}

/** The request with which a user returns from a provider. */
export interface CallbackRequest {
  readonly form: ReadonlyMap<string, string>;
  readonly cookies: ReadonlyMap<string, string>;
  /** The sign-in cookie, still encrypted. */
  readonly cookie: string | null;
  /** Whether it is a cross-site POST: with it, browsers send no sign-in cookie over http. */
  readonly crossSite: boolean;
}

/** The result of a callback. */
export type SocialOutcome =
  | {
      readonly kind: "answer";
      readonly message: string;
      readonly data: unknown;
      /** For the cookies; undefined if this response must not set these. */
      readonly tokens?: IssuedTokens;
      /** Undefined for a sign-in. */
      readonly made?: NewLink;
    }
  | { readonly kind: "page"; readonly location: string; readonly made?: NewLink };

/** Runs the end of a sign-in. If it fails, the page gets the code of the error. */
export async function orErrorPage(
  page: string,
  { log }: Pick<AuthHookOrigin, "log">,
  finish: () => Promise<SocialOutcome>,
): Promise<SocialOutcome> {
  try {
    return await finish();
  } catch (error) {
    const code = error instanceof ServiceError ? error.code : "INTERNAL_ERROR";
    if (!(error instanceof ServiceError) || error.status >= 500)
      log.error({ err: error }, "a social sign-in failed");
    return { kind: "page", location: withParameter(page, "error", code) };
  }
}
