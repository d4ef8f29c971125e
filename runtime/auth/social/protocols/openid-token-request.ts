import type { OpenIdConnectProvider } from "../../../../vocabulary/social/provider.ts";
import type { Provider } from "../declared-provider.ts";
import { type Document, documentOf } from "../outbound/index.ts";
import { appleSecret } from "./apple-secret.ts";
import { formType, requireSuccess } from "./calls.ts";
import type { Surroundings } from "./protocol.ts";
import { basic } from "./token-request.ts";

type Row = OpenIdConnectProvider;

/** What a code is exchanged with. */
interface Exchange {
  readonly url: URL;
  readonly code: string;
  /** Null without PKCE. */
  readonly verifier: string | null;
}

/** Exchanges the code for tokens (OpenID Connect Core, 3.1.3). Errors: `SocialFailure`. */
export async function exchangeForTokens(
  { outbound, now }: Surroundings,
  provider: Provider<Row>,
  { url, code, verifier }: Exchange,
): Promise<Document> {
  const proof = await proofOf(provider, now());
  const isBasic = provider.row.tokenCredentials === "basic" && "client_secret" in proof;
  const resource = provider.text("resource");
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: provider.callbackUrl,
    ...(!isBasic && { client_id: provider.clientId, ...proof }),
    ...(verifier !== null && { code_verifier: verifier }),
    ...(resource !== null && { resource }),
  });
  const headers = {
    ...formType,
    ...(isBasic && { authorization: basic(provider.clientId, provider.clientSecret) }),
  };
  const answer = await outbound.send({ method: "POST", url, headers, body: body.toString() });
  return documentOf(requireSuccess(answer, "the token endpoint"));
}

/** What proves that the app is the app: a secret, one that it makes, or an assertion in place of one. */
async function proofOf(provider: Provider<Row>, now: number): Promise<Readonly<Record<string, string>>> {
  if (provider.row.signedSecret === true) return { client_secret: await appleSecret(provider, now) };
  const assertion = provider.secret("client_assertion");
  if (assertion === null || provider.secret("client_secret") !== null)
    return { client_secret: provider.clientSecret };
  return {
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: assertion,
  };
}
