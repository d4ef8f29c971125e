import { RE2JS } from "re2js";
import type { Located } from "../load/read.ts";
import type { LintContext } from "./lint-context.ts";

/** Unrelated origins. An expression that matches all of them matches every origin. */
const strangers = [
  "https://attacker.example",
  "http://x.invalid:8080",
  "https://a.b.test",
  "http://localhost:1",
];

const leastBcryptCost = 10;

/** Finds settings of the manifest that open the service. */
export function lintManifest(context: LintContext): void {
  lintCookie(context);
  lintBcryptCost(context);
  lintProxies(context);
  lintLimits(context);
  lintStorage(context);
}

function lintCookie({ manifest, report }: LintContext): void {
  const { cookieName, origins, allowOriginRegex } = manifest;
  if (cookieName === null) return;
  const note = (at: Located<string>["at"], message: string) =>
    report("cookie-any-origin", at, message, 'list the origins of your own pages in "cors.origins"');
  for (const { value, at } of origins)
    if (value === "*")
      note(
        at,
        `with "*" browsers send no cookie: "auth.cookie_name" does not work for pages of other origins, and any page can read the data of guests`,
      );
  if (allowOriginRegex !== null && matchesAll(allowOriginRegex.value))
    note(
      allowOriginRegex.at,
      "the expression matches every origin: any page can send requests with the user's cookie and read the answers",
    );
}

function matchesAll(pattern: string): boolean {
  const compiled = RE2JS.compile(pattern);
  return strangers.every((origin) => compiled.matches(origin));
}

function lintBcryptCost({ manifest: { bcryptCost }, report }: LintContext): void {
  if (bcryptCost === null || bcryptCost.value >= leastBcryptCost) return;
  const message = `with a bcrypt cost of ${bcryptCost.value}, an attacker with the hashes can test passwords ${2 ** (12 - bcryptCost.value)} times as fast as with the default`;
  report("weak-password-hash", bcryptCost.at, message, `use ${leastBcryptCost} or more; the default is 12`);
}

function lintProxies({ manifest, report }: LintContext): void {
  for (const { value, at } of manifest.trustedProxies) {
    if (!value.endsWith("/0")) continue;
    const message = `"${value}" trusts every address: any caller can send a false address in a header and avoid the rate limits`;
    report("trust-any-proxy", at, message, "name the addresses of your own proxies");
  }
}

function lintLimits({ manifest, report }: LintContext): void {
  const { enabled } = manifest.rateLimits;
  if (enabled?.value !== false) return;
  const message =
    "rate limits are off: anyone can guess passwords and codes, and trigger mails, as fast as the server answers";
  report(
    "rate-limits-off",
    enabled.at,
    message,
    'remove the key; to exempt one model, give it "rate_limit": { "enabled": false }',
  );
}

function lintStorage({ manifest: { storage }, report }: LintContext): void {
  if (storage.enabled === null || storage.scope !== null) return;
  const message =
    '"storage.scope" is not set, so it is "shared": every signed-in user can read, replace and delete every file';
  const hint =
    'write "scope": "user" for private folders (users/<user id>/), or "shared" if that is intended';
  report("storage-scope", storage.enabled.at, message, hint);
}
