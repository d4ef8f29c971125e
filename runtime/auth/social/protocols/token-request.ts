import type { OAuth2Provider } from "../../../../vocabulary/social/provider.ts";
import type { Provider } from "../declared-provider.ts";
import type { OutboundAnswer } from "../outbound/index.ts";
import { fillAll, formType, requireSuccess } from "./calls.ts";
import type { Surroundings } from "./protocol.ts";

/** What a code is exchanged with. */
interface Exchange {
  readonly code: string;
  /** Null without PKCE. */
  readonly verifier: string | null;
  readonly form: Readonly<Record<string, string>>;
}

/** Exchanges the code for an access token, as the row says. Errors: `SocialFailure`. */
export async function exchangeCode(
  { outbound }: Surroundings,
  provider: Provider<OAuth2Provider>,
  { code, verifier, form }: Exchange,
): Promise<OutboundAnswer> {
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

/** Credentials of an app as a header (RFC 6749, 2.3.1). */
export function basic(id: string, secret: string): string {
  const text = [id, secret].map((part) => new URLSearchParams([["", part]]).toString().slice(1)).join(":");
  return `Basic ${Buffer.from(text).toString("base64")}`;
}
