import type { BrowserParameter } from "../../../../../vocabulary/social/provider.ts";
import { invalid } from "../../../../core/errors/index.ts";
import { withParameter } from "../../links/signed-link.ts";
import type { Provider } from "../declared-provider.ts";
import { SocialFailure } from "../social-failure.ts";

/** The values become a part of a URL, so the patterns allow no other characters. */
const patterns: Readonly<Record<BrowserParameter, RegExp>> = {
  shop: /^[a-z0-9][a-z0-9-]{0,61}\.myshopify\.com$/i,
  openid_lj_user: /^[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?$/i,
  openid_identifier: /^.{1,512}$/,
  domain_prefix: /^[a-z0-9-]{1,63}$/i,
  idp: /^[\w-][\w.-]{0,62}$/,
};

/** Returns the value of a parameter. Errors: 400 `VALIDATION_ERROR` if it is missing or malformed. */
export function requireParameter(name: BrowserParameter, value: string | null | undefined): string {
  if (value == null || value === "") throw invalid([{ field: name, message: "is required" }]);
  if (!patterns[name].test(value)) throw invalid([{ field: name, message: "is malformed" }]);
  return value;
}

/** Returns the authorization code. Errors: 400 `VALIDATION_ERROR` if it is missing; `SocialFailure`. */
export function requireCode(form: ReadonlyMap<string, string>): string {
  requireNoError(form);
  return requireField(form, "code");
}

/** Returns a required parameter of the callback. Errors: 400 `VALIDATION_ERROR` if it is missing. */
export function requireField(form: ReadonlyMap<string, string>, name: string): string {
  const value = form.get(name) ?? "";
  if (value === "") throw invalid([{ field: name, message: "is required" }]);
  return value;
}

/** The error codes for a user who cancelled: RFC 6749, 4.1.2.1; Apple and LinkedIn. */
const cancellations = new Set(["access_denied", "user_cancelled_authorize", "user_cancelled_login"]);

/** Throws if the callback reports an error of the user or the provider. Errors: `SocialFailure`. */
export function requireNoError(form: ReadonlyMap<string, string>): void {
  const error = form.get("error");
  if (error === undefined) return;
  const reason = cancellations.has(error) ? "cancelled" : "refused";
  throw new SocialFailure(`the provider returned ${known(error)}`, reason);
}

/** The message for a state without its cookie. Most often, a user has reloaded the callback. */
export const usedStateMessage = "was used already, or the sign-in began in another browser";

/** Returns the error code if it is safe to log. The text comes from the request and is not trusted. */
function known(error: string): string {
  return /^[a-z_]{1,40}$/.test(error) ? error : "an error";
}

/** The callback URL with the state, for protocols that do not return a state. */
export function returnAddress({ callbackUrl }: Pick<Provider, "callbackUrl">, state: string): string {
  return withParameter(callbackUrl, "state", state);
}
