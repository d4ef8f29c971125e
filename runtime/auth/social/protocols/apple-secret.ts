import type { Provider } from "../declared-provider.ts";
import { SocialFailure } from "../social-failure.ts";

/** The secret that an app makes of its team's key for each request, good for five minutes. Errors: `SocialFailure`. */
export async function appleSecret(provider: Provider, now: number): Promise<string> {
  const seconds = Math.floor(now / 1000);
  try {
    const { importPKCS8, SignJWT } = await import("jose");
    return await new SignJWT()
      .setProtectedHeader({ alg: "ES256", kid: provider.text("key_id") ?? "" })
      .setIssuer(provider.text("team_id") ?? "")
      .setSubject(provider.clientId)
      .setAudience("https://appleid.apple.com")
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + 300)
      .sign(await importPKCS8(provider.clientSecret, "ES256"));
  } catch {
    throw new SocialFailure(`the secret of "${provider.name}" is no private key in PEM`);
  }
}
