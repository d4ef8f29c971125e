import type { Provider } from "../../declared-provider.ts";
import type { Document } from "../../outbound/index.ts";
import { SocialFailure } from "../../social-failure.ts";
import { claimsOf } from "../id-token.ts";

/** The claims of an access token that is a JWT, signed with the key that the settings name. Errors: `SocialFailure`. */
export async function claimsOfAccessToken(provider: Provider, token: string, now: number): Promise<Document> {
  const algorithm = provider.text("algorithm") ?? "RS256";
  if (!/^(RS|PS|ES)(256|384|512)$|^EdDSA$/.test(algorithm))
    throw new SocialFailure("the algorithm is no signature");
  const body = (provider.text("public_key") ?? "").replace(/-----[^-]+-----|\s+/g, "");
  try {
    const { importSPKI, jwtVerify } = await import("jose");
    const key = await importSPKI(`-----BEGIN PUBLIC KEY-----\n${body}\n-----END PUBLIC KEY-----`, algorithm);
    await jwtVerify(token, key, {
      algorithms: [algorithm],
      audience: provider.clientId,
      requiredClaims: ["exp"],
      currentDate: new Date(now),
      clockTolerance: 60,
    });
  } catch (error) {
    throw new SocialFailure(
      `the access token was refused: ${error instanceof Error ? error.name : "unknown"}`,
    );
  }
  return claimsOf(token);
}
