import { createHmac, timingSafeEqual } from "node:crypto";
import type { Provider } from "../../declared-provider.ts";
import { SocialFailure } from "../../social-failure.ts";

/** Checks that the query came from Shopify: an HMAC over all other parameters, by name. Errors: `SocialFailure`. */
export async function requireSignedByShop(
  { clientSecret }: Provider,
  form: ReadonlyMap<string, string>,
): Promise<void> {
  const signed = [...form]
    .filter(([name]) => name !== "hmac" && name !== "signature")
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join("&");
  const expected = createHmac("sha256", clientSecret).update(signed).digest();
  const given = Buffer.from(form.get("hmac") ?? "", "hex");
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new SocialFailure("the shop's signature is wrong");
}
