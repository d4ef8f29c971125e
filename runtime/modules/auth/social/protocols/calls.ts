import { createHash, createHmac } from "node:crypto";
import type { CallSignature, ProviderCall, Templates } from "../../../../../vocabulary/social/provider.ts";
import { fillText, type Lookup } from "../conversation/paths.ts";
import type { Provider } from "../declared-provider.ts";
import { type Document, documentOf, type OutboundResponse } from "../outbound.ts";
import { statusFailure } from "../social-failure.ts";
import type { ProtocolContext } from "./protocol.ts";

/** Returns the signature of a call; null if the app has switched it off. */
function signatureOf(
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

/** Returns Facebook's `appsecret_proof`. Facebook accepts a token without it from any caller. */
export function appSecretProof({ clientSecret }: Provider, accessToken: string): string {
  return createHmac("sha256", clientSecret).update(accessToken).digest("hex");
}

function sorted(parameters: Templates): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join("");
}

/** Only for old providers that sign with MD5. A signature still needs the secret. */
export function md5(text: string): string {
  return createHash("md5").update(text).digest("hex");
}

/** A call of a row, and the values for its templates. */
interface CallParts {
  readonly call: ProviderCall;
  /** The setting that replaces the URL of the row. */
  readonly setting: string;
  readonly accessToken: string;
  readonly lookup: Lookup;
}

/** Fills the templates of parameters or headers. Errors: `SocialFailure`. */
export function fillAll(templates: Templates | undefined, lookup: Lookup): Record<string, string> {
  return Object.fromEntries(
    Object.entries(templates ?? {}).map(([name, template]) => [name, fillText(template, lookup)]),
  );
}

/** Sends a request with the access token in the place that the row defines. Errors: `SocialFailure`. */
export function send(
  { outbound }: ProtocolContext,
  provider: Provider,
  { call, setting, accessToken, lookup }: CallParts,
): Promise<OutboundResponse> {
  const [carrier, name = ""] = (call.token ?? "scheme:Bearer").split(":");
  const parameters = {
    ...fillAll(call.parameters, lookup),
    ...(carrier === "query" && { [name]: accessToken }),
  };
  const { signature } = call;
  const text = signature && signatureOf(signature.by, provider, parameters, accessToken);
  if (signature !== undefined && text != null) parameters[signature.parameter] = text;
  const url = provider.endpoint(setting, call.url, lookup);
  for (const [key, value] of Object.entries(parameters)) url.searchParams.set(key, value);
  const headers = {
    ...(carrier === "scheme" && { authorization: `${name} ${accessToken}` }),
    ...(carrier === "header" && { [name]: accessToken }),
    ...fillAll(call.headers, lookup),
  };
  if (call.method !== "POST") return outbound.send({ method: "GET", url, headers });
  const body = carrier === "form" ? new URLSearchParams({ [name]: accessToken }).toString() : "";
  return outbound.send({ method: "POST", url, headers: { ...(body !== "" && formType), ...headers }, body });
}

export const formType = { "content-type": "application/x-www-form-urlencoded" } as const;

/** Sends a request and parses the response. Errors: `SocialFailure`, also if the status is not 2xx. */
export async function requestDocument(
  context: ProtocolContext,
  provider: Provider,
  parts: CallParts,
): Promise<Document> {
  return documentOf(requireSuccess(await send(context, provider, parts), parts.setting));
}

/** Returns the response if its status is 2xx. Errors: `SocialFailure`. */
export function requireSuccess(answer: OutboundResponse, what: string): OutboundResponse {
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw statusFailure("the provider", answer.status, ` at ${what}`);
}
