import { createHash, createHmac } from "node:crypto";
import type { Texts } from "./facts.ts";

/**
 * What the facts describe in words in the place of a parameter: `{hmac_sha256(…)}`, `{md5(…)}`. `others` are the parameters
 * beside it, the token among them.
 */
export function computed(
  description: string,
  others: Texts,
  accessToken: string,
  secret: string,
): string | null {
  const { access_token: _, ...untokened } = others;
  switch (description) {
    case "{hmac_sha256(access_token, client_secret) as hex}":
      return createHmac("sha256", secret).update(accessToken).digest("hex");
    case '{md5 of sorted "k=v" concatenated + client_secret}':
      return md5(joined(others) + secret);
    case '{md5(sorted "k=v" without access_token, concatenated, + md5(access_token + client_secret))}':
      return md5(joined(untokened) + md5(accessToken + secret));
    default:
      return null;
  }
}

/** Shopify signs what the browser brings. */
export function shopSignature(query: Texts, secret: string): string {
  const text = Object.keys(query)
    .sort()
    .map((name) => `${name}=${query[name]}`)
    .join("&");
  return createHmac("sha256", secret).update(text).digest("hex");
}

function joined(parameters: Texts): string {
  const names = Object.keys(parameters).sort();
  return names.map((name) => `${name}=${parameters[name]}`).join("");
}

function md5(text: string): string {
  return createHash("md5").update(text).digest("hex");
}
