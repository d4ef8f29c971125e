import { invalid, ServiceError } from "../../../core/errors/index.ts";
import { type Answers, readPath } from "./conversation/paths.ts";
import type { Provider } from "./declared-provider.ts";
import { type Document, documentOf, type Outbound } from "./outbound.ts";
import { appSecretProof } from "./protocols/calls.ts";
import { checkedClaims } from "./protocols/id-token.ts";
import type { KeySets, ProtocolContext } from "./protocols/index.ts";
import { SocialFailure } from "./social-failure.ts";
import type { Platform } from "./state/sign-in-state.ts";

/**
 * Returns the profile of a Facebook access token. The proof fails for a token of another app, and
 * `debug_token` confirms app and user. Errors: `SocialFailure`.
 */
async function profileOfToken(outbound: Outbound, provider: Provider, token: string): Promise<Document> {
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
  const debug = {
    profile: await ask(provider.endpoint("debug_token_url", "https://graph.facebook.com/debug_token"), {
      input_token: token,
      access_token: `${provider.clientId}|${provider.clientSecret}`,
    }),
  };
  const isOurs =
    readPath("data.is_valid", debug) === "true" &&
    readPath("data.app_id", debug) === provider.clientId &&
    readPath("data.user_id", debug) === readPath("id", { profile });
  if (!isOurs) throw new SocialFailure("the token is invalid, or was issued to another app or another user");
  return profile;
}

/** Tokens that a mobile app got from the provider. */
export interface MobileTokens {
  readonly idToken: unknown;
  readonly accessToken: unknown;
}

/** A mobile app's request. */
export interface MobileRequest extends MobileTokens {
  readonly deviceToken: string | null;
  /** The user's name from the app. A new account gets it if the token has no name. */
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly platform: Platform | null;
}

const longestToken = 16_384;

/**
 * Verifies a token of Google, Apple or Facebook, and returns its claims or profile. Errors:
 * `MOBILE_SIGN_IN_NOT_SUPPORTED` for another provider, and for Facebook without `appsecret_proof`;
 * `VALIDATION_ERROR` for a missing token; `SocialFailure` for an invalid token.
 */
export async function mobileAnswers(
  { outbound, now }: ProtocolContext,
  keys: KeySets,
  provider: Provider,
  { idToken, accessToken }: MobileTokens,
): Promise<Answers> {
  if (provider.name === "facebook" && provider.isOn("appsecret_proof") !== false)
    return { profile: await profileOfToken(outbound, provider, requireToken("access_token", accessToken)) };
  if (provider.name !== "google-oauth2" && provider.name !== "apple-id")
    throw new ServiceError("MOBILE_SIGN_IN_NOT_SUPPORTED");
  const token = requireToken("id_token", idToken);
  const facts = idTokenFacts(provider);
  const claims = await checkedClaims(token, {
    keys: keys.at(facts.keys),
    needsKeyId: true,
    algorithms: ["RS256"],
    issuers: facts.issuers,
    audience: provider.list("audience") ?? [provider.clientId],
    // The service does not know the app's nonce, and an app can send its token later.
    nonce: null,
    longestAge: null,
    accessToken: null,
    // On Android, `azp` is another client id of the same app.
    party: null,
    now: now(),
  });
  return { profile: claims, id_token: claims };
}

function idTokenFacts(provider: Provider): { readonly keys: URL; readonly issuers: readonly string[] } {
  const { row } = provider;
  const set = provider.text("id_token_issuer");
  if (row.protocol === "oauth2" && row.idToken !== undefined)
    return {
      keys: provider.endpoint("jwks_uri", row.idToken.keys),
      issuers: set === null ? row.idToken.issuers : [set],
    };
  if (row.protocol === "oidc" && row.endpoints !== undefined)
    return {
      keys: provider.endpoint("jwks_uri", row.endpoints.keys),
      issuers: [set ?? row.idTokenIssuer ?? row.issuer].flat(),
    };
  throw new ServiceError("MOBILE_SIGN_IN_NOT_SUPPORTED");
}

function requireToken(field: string, token: unknown): string {
  if (token === undefined || token === "") throw invalid([{ field, message: "is required" }]);
  if (typeof token !== "string") throw invalid([{ field, message: "must be a string" }]);
  if (Buffer.byteLength(token) > longestToken)
    throw invalid([{ field, message: `is longer than ${longestToken} bytes` }]);
  return token;
}
