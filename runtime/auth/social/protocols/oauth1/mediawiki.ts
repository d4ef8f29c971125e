import { isSameText } from "../../../crypto/same-text.ts";
import { readPath } from "../../conversation/paths.ts";
import type { Provider } from "../../declared-provider.ts";
import type { Document } from "../../outbound/index.ts";
import { SocialFailure } from "../../social-failure.ts";
import { claimsOf } from "../id-token.ts";

/**
 * The claims of MediaWiki's answer about a person: a token that it signs with the secret of the app, for this app and as the
 * answer to this very request. Errors: `SocialFailure`.
 */
export async function identifyClaims(
  provider: Provider,
  token: string,
  nonce: string,
  now: number,
): Promise<Document> {
  try {
    const { jwtVerify } = await import("jose");
    await jwtVerify(token, Buffer.from(provider.clientSecret), {
      algorithms: ["HS256"],
      audience: provider.clientId,
      requiredClaims: ["iss", "aud", "iat", "nonce", "sub"],
      maxTokenAge: 600,
      clockTolerance: 30,
      currentDate: new Date(now),
    });
  } catch (error) {
    throw refused(error instanceof Error ? error.name : "unknown");
  }
  const claims = claimsOf(token);
  const read = (name: string) => readPath(name, { profile: claims }) ?? "";
  if (!isSameText(nonce, read("nonce"))) throw refused("another nonce");
  if (hostOf(read("iss")) !== hostOf(provider.text("mediawiki_url") ?? "")) throw refused("another wiki");
  return claims;
}

function hostOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).host : null;
}

function refused(reason: string): SocialFailure {
  return new SocialFailure(`the answer about the person was refused: ${reason}`);
}
