import { isAddressOrRange } from "../../vocabulary/address-range.ts";
import { browserOrigin } from "../../vocabulary/browser-origin.ts";
import type { CheckContext } from "./check-context.ts";

/** Values of the manifest that its JSON Schema cannot check. */
export function checkManifest({ manifest, report }: CheckContext): void {
  for (const { value, at } of manifest?.trustedProxies ?? []) {
    if (isAddressOrRange(value)) continue;
    const message = `${JSON.stringify(value)} in "rate_limit.trusted_proxy_ips" of the manifest is no address`;
    report("invalid-value", at, message, 'such as "10.0.0.1", "10.0.0.0/8" or "fd00::/8"');
  }
  for (const { value, at } of manifest?.origins ?? []) {
    if (browserOrigin(value) !== null) continue;
    const message = `no browser sends ${JSON.stringify(value)}, in "cors.origins" of the manifest, as an origin`;
    const hint =
      'such as "https://www.example.com", or "*" for all; "cors.allow_origin_regex" takes patterns';
    report("invalid-value", at, message, hint);
  }
  const name = manifest?.name ?? null;
  if (name !== null && (/\p{Cc}/u.test(name.value) || !name.value.isWellFormed())) {
    report(
      "invalid-value",
      name.at,
      '"name" of the manifest has control characters or half of a surrogate pair',
    );
  }
}
