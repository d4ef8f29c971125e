import { invalid } from "../../../../errors/index.ts";
import type { Provider } from "../../declared-provider.ts";
import { SocialFailure } from "../../social-failure.ts";

/**
 * Checks that the query came from Shopify, with its own library: an HMAC over all other parameters, of a moment ago. It is an
 * optional package, and loaded where somebody declares the provider. Errors: 400 `VALIDATION_ERROR`, `SocialFailure`.
 */
export async function requireSignedByShop(
  provider: Provider,
  form: ReadonlyMap<string, string>,
): Promise<void> {
  const { utils } = await library(provider);
  if (utils.sanitizeShop(form.get("shop") ?? "") === null)
    throw invalid([{ field: "shop", message: "is malformed" }]);
  let isGenuine = false;
  try {
    isGenuine = await utils.validateHmac(Object.fromEntries(form));
  } catch {
    // It throws where the HMAC or the moment is missing, and where the moment is past.
  }
  if (!isGenuine) throw new SocialFailure("the shop's signature is wrong, or old");
}

async function library({ clientId, clientSecret, callbackUrl }: Provider) {
  await import("@shopify/shopify-api/adapters/node");
  const { ApiVersion, LogSeverity, shopifyApi } = await import("@shopify/shopify-api");
  return shopifyApi({
    apiKey: clientId,
    apiSecretKey: clientSecret,
    // Nothing is called with it.
    apiVersion: ApiVersion.Unstable,
    hostName: new URL(callbackUrl).host,
    isEmbeddedApp: false,
    logger: { level: LogSeverity.Error, log: () => undefined },
  });
}
