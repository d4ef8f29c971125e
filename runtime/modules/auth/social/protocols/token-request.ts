import type { OAuth2Provider, OpenIdConnectProvider } from "../../../../../vocabulary/social/provider.ts";
import type { Provider } from "../declared-provider.ts";
import { type Document, documentOf, type OutboundResponse } from "../outbound.ts";
import { SocialFailure } from "../social-failure.ts";
import { fillAll, formType, requireSuccess } from "./calls.ts";
import type { ProtocolContext } from "./protocol.ts";

/** The parameters of a code exchange in OAuth 2.0. */
interface CodeExchange {
  readonly code: string;
  /** Null without PKCE. */
  readonly verifier: string | null;
  readonly form: Readonly<Record<string, string>>;
}

/** Exchanges the code for an access token, as defined in the row. Errors: `SocialFailure`. */
export async function exchangeCode(
  { outbound }: ProtocolContext,
  provider: Provider<OAuth2Provider>,
  { code, verifier, form }: CodeExchange,
): Promise<OutboundResponse> {
  const { token, names = {} } = provider.row;
  const lookup = provider.lookup({ form });
  const url = provider.endpoint("access_token_url", token.url, lookup);
  const without: ReadonlySet<string> = new Set(token.without ?? []);
  const inBody = token.credentials !== "basic" && token.credentials !== "none";
  const parameters: Record<string, string> = {
    ...(!without.has("grant_type") && { grant_type: "authorization_code" }),
    code,
    ...(!without.has("redirect_uri") && { [names.redirect ?? "redirect_uri"]: provider.callbackUrl }),
    ...(inBody && { [names.id ?? "client_id"]: provider.clientId }),
    ...(inBody &&
      token.credentials !== "id-in-body" && { [names.secret ?? "client_secret"]: provider.clientSecret }),
    ...(verifier !== null && { code_verifier: verifier }),
    ...fillAll(token.parameters, lookup),
  };
  const withBasic = token.credentials === "basic" || token.credentials === "basic-and-body";
  const headers = {
    ...(withBasic && { authorization: basic(provider.clientId, provider.clientSecret) }),
    ...fillAll(token.headers, lookup),
  };
  if (token.method === "GET") {
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return requireSuccess(await outbound.send({ method: "GET", url, headers }), "access_token_url");
  }
  const [type, body] =
    token.body === "json"
      ? [{ "content-type": "application/json" }, JSON.stringify(parameters)]
      : [formType, new URLSearchParams(parameters).toString()];
  const answer = await outbound.send({ method: "POST", url, headers: { ...type, ...headers }, body });
  return requireSuccess(answer, "access_token_url");
}

/** The app's credentials as an Authorization header (RFC 6749, 2.3.1). */
function basic(id: string, secret: string): string {
  const text = [id, secret].map((part) => new URLSearchParams([["", part]]).toString().slice(1)).join(":");
  return `Basic ${Buffer.from(text).toString("base64")}`;
}

/** Returns Apple's client secret: a JWT, signed with the team's key. Errors: `SocialFailure`. */
async function appleSecret(provider: Provider, now: number): Promise<string> {
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
    throw new SocialFailure(`the secret of "${provider.name}" is not a private key in PEM`);
  }
}

type Row = OpenIdConnectProvider;

/** The parameters of a code exchange in OpenID Connect. */
interface TokenExchange {
  readonly url: URL;
  readonly code: string;
  /** Null without PKCE. */
  readonly verifier: string | null;
}

/** Exchanges the code for tokens (OpenID Connect Core, 3.1.3). Errors: `SocialFailure`. */
export async function exchangeForTokens(
  { outbound, now }: ProtocolContext,
  provider: Provider<Row>,
  { url, code, verifier }: TokenExchange,
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

/** The client authentication: a secret, a generated secret, or an assertion. */
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
