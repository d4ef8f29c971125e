import { createHmac, randomBytes } from "node:crypto";
import type { OAuth1Provider, ProviderCall, Templates } from "../../../../../vocabulary/social/provider.ts";
import { isSameText } from "../../crypto/hash.ts";
import { type Answers, type Lookup, readPath } from "../conversation/paths.ts";
import type { Provider } from "../declared-provider.ts";
import { type Document, documentOf, type Outbound, type OutboundResponse, parseJson } from "../outbound.ts";
import { SocialFailure } from "../social-failure.ts";
import { requireField, requireNoError, returnAddress } from "./browser-parameters.ts";
import { fillAll, requireSuccess } from "./calls.ts";
import { claimsOf } from "./id-token.ts";
import type { AuthorizationRequest, Login, Protocol, ProtocolContext, ProviderCallback } from "./protocol.ts";

/** Returns the claims of MediaWiki's JWT. Checks signature, app and nonce. Errors: `SocialFailure`. */
async function identifyClaims(
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
    throw refusedClaims(error instanceof Error ? error.name : "unknown");
  }
  const claims = claimsOf(token);
  const read = (name: string) => readPath(name, { profile: claims }) ?? "";
  if (!isSameText(nonce, read("nonce"))) throw refusedClaims("another nonce");
  if (hostOf(read("iss")) !== hostOf(provider.text("mediawiki_url") ?? ""))
    throw refusedClaims("another wiki");
  return claims;
}

function hostOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).host : null;
}

function refusedClaims(reason: string): SocialFailure {
  return new SocialFailure(`the JWT of the user was refused: ${reason}`);
}

/** A key and its secret, of the app or of a token. */
interface Credentials {
  readonly key: string;
  readonly secret: string;
}

type Parameters = Readonly<Record<string, string>>;

/** Returns the signature base string of a request without a body (RFC 5849, 3.4.1). */
export function signatureBase(method: "GET" | "POST", url: URL, parameters: Parameters): string {
  const pairs = [...url.searchParams, ...Object.entries(parameters)]
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort((one, other) => compare(one[0], other[0]) || compare(one[1], other[1]))
    .map((pair) => pair.join("="));
  return [method, `${url.protocol}//${url.host}${url.pathname}`, pairs.join("&")].map(encode).join("&");
}

/** Returns the HMAC-SHA1 signature of a base string, in base64 (RFC 5849, 3.4.2). */
export function oauth1Signature(base: string, app: Credentials, token: Credentials | null): string {
  const key = `${encode(app.secret)}&${encode(token?.secret ?? "")}`;
  return createHmac("sha1", key).update(base).digest("base64");
}

/** Returns the Authorization header with the parameters (RFC 5849, 3.5.1). */
export function authorizationHeader(parameters: Parameters): string {
  const pairs = Object.entries(parameters).map(([name, value]) => `${encode(name)}="${encode(value)}"`);
  return `OAuth ${pairs.join(", ")}`;
}

/** Percent-encodes all characters except letters, digits and `-._~` (RFC 5849, 3.6). */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The order by bytes, because encoded texts are ASCII. */
function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** A call to sign. */
interface SignedCall {
  readonly method: "GET" | "POST";
  readonly url: URL;
  /** Null for the call that requests a token. */
  readonly token: Credentials | null;
  /** `oauth_callback` or `oauth_verifier`. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The name of the call in messages. */
  readonly what: string;
}

/** Makes OAuth 1.0a requests: each has its own nonce, timestamp and signature (RFC 5849, 3.1). */
class SignedCalls {
  readonly #outbound: Outbound;
  readonly #now: () => number;

  constructor({ outbound, now }: ProtocolContext) {
    this.#outbound = outbound;
    this.#now = now;
  }

  /** Returns the response, and the nonce of the request. Errors: `SocialFailure` if the status is not 2xx. */
  async send(provider: Provider, call: SignedCall): Promise<OutboundResponse & { readonly nonce: string }> {
    const { method, url, token, what } = call;
    const nonce = randomBytes(16).toString("hex");
    const app = { key: provider.clientId, secret: provider.clientSecret };
    const parameters = {
      ...call.parameters,
      oauth_consumer_key: app.key,
      oauth_nonce: nonce,
      oauth_signature_method: "HMAC-SHA1",
      oauth_timestamp: String(Math.floor(this.#now() / 1000)),
      ...(token !== null && { oauth_token: token.key }),
      oauth_version: "1.0",
    };
    const oauth_signature = oauth1Signature(signatureBase(method, url, parameters), app, token);
    const headers = {
      ...call.headers,
      authorization: authorizationHeader({ ...parameters, oauth_signature }),
    };
    const body = method === "POST" ? { body: "" } : {};
    const answer = await this.#outbound.send({ method, url, headers, ...body });
    return { ...requireSuccess(answer, what), nonce };
  }
}

type Row = OAuth1Provider;

/** OAuth 1.0a (RFC 5849). The encrypted cookie holds the request token and its secret. */
export function oauth1(context: ProtocolContext): Protocol<Row> {
  const calls = new SignedCalls(context);
  return {
    begin: (login) => begin(calls, login),
    finish: (callback) => finish(calls, context.now, callback),
  };
}

async function begin(calls: SignedCalls, { provider, state }: Login<Row>): Promise<AuthorizationRequest> {
  const { request, authorize } = provider.row;
  const lookup = provider.lookup();
  const url = provider.endpoint("request_token_url", request.url);
  addAll(url, fillAll(request.parameters, lookup));
  const parameters = { oauth_callback: callbackOf(provider, state) };
  const { method } = request;
  const answer = documentOf(
    await calls.send(provider, { method, url, token: null, parameters, what: "request_token_url" }),
  );
  const confirmed = readPath("oauth_callback_confirmed", { profile: answer });
  if (confirmed !== null && confirmed !== "true")
    throw new SocialFailure("the provider did not confirm the callback");
  const { key, secret } = credentialsIn(answer);
  const location = provider.endpoint("authorization_url", authorize.url);
  addAll(location, fillAll(known(authorize.parameters, lookup), lookup));
  addAll(location, { ...provider.texts("auth_extra_arguments"), oauth_token: key });
  return { location, secret: JSON.stringify([key, secret]) };
}

/** Returns the callback URL. MediaWiki needs the registered URL, which is the setting `callback`. */
function callbackOf(provider: Provider<Row>, state: string): string {
  const { callbackUrl } = provider;
  return returnAddress({ callbackUrl: provider.text("callback") ?? callbackUrl }, state);
}

async function finish(
  calls: SignedCalls,
  now: () => number,
  callback: ProviderCallback<Row>,
): Promise<Answers> {
  const { provider, form } = callback;
  const request = requestTokenOf(callback);
  const verifier = requireField(form, "oauth_verifier");
  const { token: tokenCall, profile, details } = provider.row;
  const token = documentOf(
    await calls.send(provider, {
      method: tokenCall.method ?? "POST",
      url: provider.endpoint("access_token_url", tokenCall.url),
      token: request,
      parameters: { oauth_verifier: verifier },
      what: "access_token_url",
    }),
  );
  const access = credentialsIn(token);
  const ask = async (call: ProviderCall, setting: string, answers: Answers): Promise<Document> => {
    const answer = await calls.send(provider, signedCall(provider, call, setting, answers, access));
    if (provider.row.profileClaims !== true) return documentOf(answer);
    return identifyClaims(provider, answer.text.trim(), answer.nonce, now());
  };
  let answers: Answers = { form: Object.fromEntries(form), token };
  if (profile !== undefined) answers = { ...answers, profile: await ask(profile, "userinfo_url", answers) };
  if (details !== undefined) answers = { ...answers, details: await ask(details, "profile_url", answers) };
  return answers;
}

/** Returns the request token of cookie and callback. Errors: 400 `VALIDATION_ERROR`, `SocialFailure`. */
function requestTokenOf({ form, secret }: ProviderCallback<Row>): Credentials {
  requireNoError(form);
  const problem = form.get("oauth_problem");
  if (form.has("denied") || problem === "user_refused" || problem === "permission_denied")
    throw new SocialFailure("the user refused", "cancelled");
  if (problem !== undefined) throw new SocialFailure("the provider refused");
  const token = requireField(form, "oauth_token");
  const begun: unknown = secret === null ? null : parseJson(secret);
  const [key, tokenSecret] = Array.isArray(begun) ? begun.map(String) : [];
  if (key !== token || tokenSecret === undefined)
    throw new SocialFailure("the request token does not match the one of this sign-in");
  return { key, secret: tokenSecret };
}

function signedCall(
  provider: Provider<Row>,
  call: ProviderCall,
  setting: string,
  answers: Answers,
  token: Credentials,
) {
  const lookup = provider.lookup(answers);
  const url = provider.endpoint(setting, call.url, lookup);
  addAll(url, fillAll(call.parameters, lookup));
  const headers = fillAll(call.headers, lookup);
  return { method: call.method ?? "GET", url, token, headers, what: setting } as const;
}

/** Returns a token and its secret, which can be empty. Errors: `SocialFailure`. */
function credentialsIn(profile: Document): Credentials {
  const key = readPath("oauth_token", { profile });
  if (key === null) throw new SocialFailure("the response has no token");
  return { key, secret: readPath("oauth_token_secret", { profile }) ?? "" };
}

/** Returns the parameters whose placeholders all have a value. */
function known(templates: Templates = {}, lookup: Lookup): Templates {
  const isKnown = (template: string) =>
    [...template.matchAll(/\{([^{}]+)\}/g)].every(([, name = ""]) => lookup(name) !== null);
  return Object.fromEntries(Object.entries(templates).filter(([, template]) => isKnown(template)));
}

function addAll(url: URL, parameters: Templates): void {
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
}
