import { createHash, createHmac } from "node:crypto";
import type { CallSignature, Templates } from "../../../../vocabulary/social/provider.ts";
import type { Provider } from "../declared-provider.ts";

/** The signature that a call carries; null where the app has switched it off. */
export function signatureOf(
  kind: CallSignature,
  provider: Provider,
  parameters: Templates,
  accessToken: string,
): string | null {
  switch (kind) {
    case "facebook-proof":
      return provider.isOn("appsecret_proof") === false ? null : appSecretProof(provider, accessToken);
    case "mailru-signature":
      return md5(`${sorted(parameters)}${provider.clientSecret}`);
    case "odnoklassniki-signature": {
      const { access_token: _, ...signed } = parameters;
      return md5(`${sorted(signed)}${md5(`${accessToken}${provider.clientSecret}`)}`);
    }
  }
}

/** Proves that a call comes from who has the app's secret: without it Facebook takes a token from anybody. */
export function appSecretProof({ clientSecret }: Provider, accessToken: string): string {
  return createHmac("sha256", clientSecret).update(accessToken).digest("hex");
}

function sorted(parameters: Templates): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join("");
}

/** Providers from before 2010 sign with it; who knows no secret cannot make one all the same. */
export function md5(text: string): string {
  return createHash("md5").update(text).digest("hex");
}
