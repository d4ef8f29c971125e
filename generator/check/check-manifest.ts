import { refreshCookieProblem } from "../../vocabulary/accounts/cookie-names.ts";
import { browserOrigin, isAddressOrRange } from "../../vocabulary/addresses.ts";
import { declarableCode, errorCodes, isBuiltInErrorCode } from "../../vocabulary/error-codes.ts";
import { passkeyProblems } from "../../vocabulary/passkeys.ts";
import { settingProblems } from "../../vocabulary/social/provider-settings.ts";
import { providerNameProblem, providerRow } from "../../vocabulary/social/providers.ts";
import type { RawManifest, RawProviderSettings } from "../load/raw.ts";
import type { CheckContext } from "./check-context.ts";

/** Checks declared providers of social sign-in and their settings. Secrets are checked when a server starts. */
export function checkSocial(context: CheckContext): void {
  const { manifest, report } = context;
  if (manifest === null) return;
  for (const { value: name, at } of manifest.socialProviders) {
    const wrong = providerNameProblem(name);
    if (wrong !== null) report("unknown-provider", at, wrong.message, wrong.hint);
    else
      checkSettings(
        context,
        name,
        at,
        manifest.social.find((one) => one.name.value === name),
      );
  }
  const declared = new Set(manifest.socialProviders.map(({ value }) => value));
  for (const { name } of manifest.social) {
    if (declared.has(name.value)) continue;
    const message = `"auth.social" has settings of "${name.value}", which is not declared: they have no effect`;
    report("undeclared-provider", name.at, message, 'add it to "auth.social_providers", or remove them');
  }
}

function checkSettings(
  { report }: CheckContext,
  name: string,
  declaredAt: CheckContext["models"][number]["at"],
  given: RawProviderSettings | undefined,
): void {
  const row = providerRow(name);
  if (row === undefined) return;
  const values = Object.fromEntries([...(given?.settings ?? [])].map(([key, { value }]) => [key, value]));
  for (const { setting, kind, message, hint } of settingProblems(name, row, values)) {
    const at = (setting === null ? given?.name.at : given?.settings.get(setting)?.at) ?? declaredAt;
    report(codes[kind], at, message, hint ?? undefined);
  }
}

const codes = { unknown: "unknown-key", missing: "missing-key", invalid: "invalid-value" } as const;

/** Checks values of the manifest that its JSON Schema cannot check. */
export function checkManifest({ manifest, report }: CheckContext): void {
  for (const { value, at } of manifest?.trustedProxies ?? []) {
    if (isAddressOrRange(value)) continue;
    const message = `${JSON.stringify(value)} in "rate_limit.trusted_proxy_ips" of the manifest is not an address`;
    report(
      "invalid-value",
      at,
      message,
      'write an address or a range, such as "10.0.0.1", "10.0.0.0/8" or "fd00::/8"',
    );
  }
  for (const { value, at } of manifest?.origins ?? []) {
    if (browserOrigin(value) !== null) continue;
    const message = `${JSON.stringify(value)} in "cors.origins" of the manifest is not an origin that browsers send`;
    const hint =
      'write an origin such as "https://www.example.com", or "*" for all; "cors.allow_origin_regex" takes patterns';
    report("invalid-value", at, message, hint);
  }
  const refreshCookie = manifest?.refreshCookieName ?? null;
  const refreshProblem = refreshCookieProblem({
    cookieName: manifest?.cookieName?.value ?? null,
    refreshCookieName: refreshCookie?.value ?? null,
  });
  if (refreshCookie !== null && refreshProblem !== null)
    report("invalid-value", refreshCookie.at, `"auth.refresh_cookie_name" of the manifest ${refreshProblem}`);
  if (manifest !== null) checkPasskeys(manifest, report);
  const name = manifest?.name ?? null;
  if (name !== null && (/\p{Cc}/u.test(name.value) || !name.value.isWellFormed())) {
    report(
      "invalid-value",
      name.at,
      '"name" of the manifest has control characters or half of a surrogate pair',
    );
  }
}

/** Without `base_url` its defaults are checked when a server starts. */
function checkPasskeys({ passkeys, baseUrl }: RawManifest, report: CheckContext["report"]): void {
  if (passkeys === null) return;
  const place = { baseUrl: baseUrl?.value ?? null, production: false };
  for (const { key, message } of passkeyProblems(passkeys.value, place))
    report("invalid-value", passkeys.at, `"auth.passkeys.${key}" of the manifest ${message}`);
}

/** Checks the codes of custom errors. */
export function checkErrors({ errors, report }: CheckContext): void {
  for (const { code } of errors) {
    const { value, at } = code;
    if (isBuiltInErrorCode(value)) {
      const message = `"${value}" is a built-in error with status ${errorCodes[value].status}`;
      report("reserved-error-code", at, message, "throw the built-in error, or choose another code");
    } else if (!declarableCode.test(value)) {
      const message = `"${value}" is not a valid error code`;
      report("invalid-error-code", at, message, hint(value));
    }
  }
}

function hint(value: string): string {
  const near = value
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toUpperCase();
  return declarableCode.test(near) && !isBuiltInErrorCode(near)
    ? `did you mean "${near}"?`
    : "use 3 to 63 capital letters, digits and underscores, starting with a letter";
}
