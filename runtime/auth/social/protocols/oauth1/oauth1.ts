import type { OAuth1Provider, ProviderCall, Templates } from "../../../../../vocabulary/social/provider.ts";
import type { Lookup } from "../../conversation/fill-template.ts";
import { type Answers, readPath } from "../../conversation/paths.ts";
import type { Provider } from "../../declared-provider.ts";
import { type Document, documentOf, parseJson } from "../../outbound/index.ts";
import { SocialFailure } from "../../social-failure.ts";
import { fillAll } from "../calls.ts";
import { refuseRefusal, requireSent } from "../code.ts";
import type { Arrival, Departure, Login, Protocol, Surroundings } from "../protocol.ts";
import { returnAddress } from "../return-address.ts";
import { identifyClaims } from "./mediawiki.ts";
import type { Credentials } from "./oauth1-signature.ts";
import { SignedCalls } from "./signed-calls.ts";

type Row = OAuth1Provider;

/** OAuth 1.0a (RFC 5849): every call is signed, and the request token with its secret travels sealed with the browser. */
export function oauth1(surroundings: Surroundings): Protocol<Row> {
  const calls = new SignedCalls(surroundings);
  return {
    begin: (login) => begin(calls, login),
    finish: (arrival) => finish(calls, surroundings.now, arrival),
  };
}

async function begin(calls: SignedCalls, { provider, state }: Login<Row>): Promise<Departure> {
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

/** Where the provider sends people back to: the address that the app is registered with, where that is fixed (MediaWiki). */
function callbackOf(provider: Provider<Row>, state: string): string {
  const { callbackUrl } = provider;
  return returnAddress({ callbackUrl: provider.text("callback") ?? callbackUrl }, state);
}

async function finish(calls: SignedCalls, now: () => number, arrival: Arrival<Row>): Promise<Answers> {
  const { provider, form } = arrival;
  const request = begunWith(arrival);
  const verifier = requireSent(form, "oauth_verifier");
  const { token: exchange, profile, details } = provider.row;
  const token = documentOf(
    await calls.send(provider, {
      method: exchange.method ?? "POST",
      url: provider.endpoint("access_token_url", exchange.url),
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

/** The request token that this browser was sent away with. Errors: 400 `VALIDATION_ERROR`, `SocialFailure`. */
function begunWith({ form, secret }: Arrival<Row>): Credentials {
  refuseRefusal(form);
  const problem = form.get("oauth_problem");
  if (form.has("denied") || problem === "user_refused" || problem === "permission_denied")
    throw new SocialFailure("the user refused", "cancelled");
  if (problem !== undefined) throw new SocialFailure("the provider refused");
  const token = requireSent(form, "oauth_token");
  const begun: unknown = secret === null ? null : parseJson(secret);
  const [key, tokenSecret] = Array.isArray(begun) ? begun.map(String) : [];
  if (key !== token || tokenSecret === undefined) throw new SocialFailure("another request token came back");
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

/** A token and its secret, which may be empty. Errors: `SocialFailure`. */
function credentialsIn(profile: Document): Credentials {
  const key = readPath("oauth_token", { profile });
  if (key === null) throw new SocialFailure("there was no token");
  return { key, secret: readPath("oauth_token_secret", { profile }) ?? "" };
}

/** Without the parameters that a setting gives which nobody has set. */
function known(templates: Templates = {}, lookup: Lookup): Templates {
  const isKnown = (template: string) =>
    [...template.matchAll(/\{([^{}]+)\}/g)].every(([, name = ""]) => lookup(name) !== null);
  return Object.fromEntries(Object.entries(templates).filter(([, template]) => isKnown(template)));
}

function addAll(url: URL, parameters: Templates): void {
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
}
