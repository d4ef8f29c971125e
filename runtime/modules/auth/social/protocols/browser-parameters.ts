import type { BrowserParameter } from "../../../../../vocabulary/social/provider.ts";
import { invalid } from "../../../../core/errors/index.ts";
import { withParameter } from "../../links/signed-link.ts";
import type { Provider } from "../declared-provider.ts";
import { SocialFailure } from "../social-failure.ts";

/** They become a part of an address, so that nothing else may be in them. */
const patterns: Readonly<Record<BrowserParameter, RegExp>> = {
  shop: /^[a-z0-9][a-z0-9-]{0,61}\.myshopify\.com$/i,
  openid_lj_user: /^[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?$/i,
  openid_identifier: /^.{1,512}$/,
  domain_prefix: /^[a-z0-9-]{1,63}$/i,
  idp: /^[\w-][\w.-]{0,62}$/,
};

/** The value of a parameter that a provider needs. Errors: 400 `VALIDATION_ERROR` where it is missing or malformed. */
export function requireParameter(name: BrowserParameter, value: string | null | undefined): string {
  if (value == null || value === "") throw invalid([{ field: name, message: "is required" }]);
  if (!patterns[name].test(value)) throw invalid([{ field: name, message: "is malformed" }]);
  return value;
}

/** The code that the provider gave to the browser. Errors: 400 `VALIDATION_ERROR` where it is missing, `SocialFailure`. */
export function requireCode(form: ReadonlyMap<string, string>): string {
  requireNoError(form);
  return requireField(form, "code");
}

/** A required parameter of the browser. Errors: 400 `VALIDATION_ERROR` if it is missing. */
export function requireField(form: ReadonlyMap<string, string>, name: string): string {
  const value = form.get(name) ?? "";
  if (value === "") throw invalid([{ field: name, message: "is required" }]);
  return value;
}

/** Errors by which providers say that the user cancelled: RFC 6749, 4.1.2.1; Apple and LinkedIn. */
const cancellations = new Set(["access_denied", "user_cancelled_authorize", "user_cancelled_login"]);

/** The user, or the provider, said no. Errors: `SocialFailure`. */
export function requireNoError(form: ReadonlyMap<string, string>): void {
  const error = form.get("error");
  if (error === undefined) return;
  const reason = cancellations.has(error) ? "cancelled" : "refused";
  throw new SocialFailure(`the provider came back with ${known(error)}`, reason);
}

/** Why a state without its cookie is refused: most often a user reloads the callback. */
export const usedState = "was used already, or the sign-in began in another browser";

/** Returns the error code if it is safe to log. The text comes from the request and is not trusted. */
function known(error: string): string {
  return /^[a-z_]{1,40}$/.test(error) ? error : "an error";
}

/** The address to which a provider without states redirects: it contains the state. */
export function returnAddress({ callbackUrl }: Pick<Provider, "callbackUrl">, state: string): string {
  return withParameter(callbackUrl, "state", state);
}
