import { readPath } from "./conversation/paths.ts";
import type { Provider } from "./declared-provider.ts";
import { type Document, documentOf, type Outbound } from "./outbound/index.ts";
import { appSecretProof } from "./protocols/signatures.ts";
import { SocialFailure } from "./social-failure.ts";

/**
 * The profile of who an access token of Facebook is for. A token of another app does not fit the proof; who it was issued
 * to is asked all the same. Errors: `SocialFailure`.
 */
export async function profileOfToken(
  outbound: Outbound,
  provider: Provider,
  token: string,
): Promise<Document> {
  const ask = async (url: URL, parameters: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return documentOf(await outbound.ask({ method: "GET", url }));
  };
  const profile = await ask(
    provider.endpoint("userinfo_url", "https://graph.facebook.com/v{api_version}/me"),
    {
      fields: "id,name,first_name,last_name,email",
      access_token: token,
      appsecret_proof: appSecretProof(provider, token),
    },
  );
  const told = {
    profile: await ask(provider.endpoint("debug_token_url", "https://graph.facebook.com/debug_token"), {
      input_token: token,
      access_token: `${provider.clientId}|${provider.clientSecret}`,
    }),
  };
  const isOurs =
    readPath("data.is_valid", told) === "true" &&
    readPath("data.app_id", told) === provider.clientId &&
    readPath("data.user_id", told) === readPath("id", { profile });
  if (!isOurs) throw new SocialFailure("the token was issued to another app, or to somebody else");
  return profile;
}
