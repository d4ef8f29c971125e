import { isIP } from "node:net";
import type { CheckContext } from "./check-context.ts";

/** Values of the manifest that its JSON Schema cannot check. */
export function checkManifest({ manifest, report }: CheckContext): void {
  for (const { value, at } of manifest?.trustedProxies ?? []) {
    if (isAddressOrRange(value)) continue;
    const message = `${JSON.stringify(value)} in "rate_limit.trusted_proxy_ips" of the manifest is no address`;
    report("invalid-value", at, message, 'such as "10.0.0.1", "10.0.0.0/8" or "fd00::/8"');
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

function isAddressOrRange(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  const family = isIP(address);
  if (family === 0 || address.includes("%") || more.length > 0) return false;
  return bits === undefined || (/^(0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
