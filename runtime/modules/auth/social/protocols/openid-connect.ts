import { isUuid } from "../../../../../vocabulary/fields/uuid.ts";
import { isJsonObject } from "../../../../../vocabulary/json.ts";
import type { OpenIdConnectProvider } from "../../../../../vocabulary/social/provider.ts";
import { isProviderAddress } from "../../../../../vocabulary/social/provider-settings.ts";
import { type Answers, fillAddress, fillText, readPath } from "../conversation/paths.ts";
import type { Provider } from "../declared-provider.ts";
import { type Document, documentOf, member, parseJson } from "../outbound.ts";
import { SocialFailure } from "../social-failure.ts";
import { challengeOf } from "../state/sign-in-state.ts";
import { requireCode } from "./browser-parameters.ts";
import { fillAll } from "./calls.ts";
import { checkedClaims, signatureAlgorithms } from "./id-token.ts";
import { FetchCache, type KeySets } from "./key-sets.ts";
import type { AuthorizationRequest, Login, Protocol, ProtocolContext, ProviderCallback } from "./protocol.ts";
import { exchangeForTokens } from "./token-request.ts";

/** The endpoints, issuers and algorithms of a provider. Settings and rows have priority over discovery. */
class Discovery {
  readonly #documents: FetchCache<Document>;

  constructor({ outbound, now }: ProtocolContext) {
    this.#documents = new FetchCache(async (url) => {
      const document = documentOf(await outbound.ask({ method: "GET", url }));
      if (!isJsonObject(document)) throw new SocialFailure("the discovery document is not an object");
      return document;
    }, now);
  }

  authorize(provider: Provider<OpenIdConnectProvider>): Promise<URL> {
    return this.#endpoint(provider, "authorization_url", "authorize", "authorization_endpoint");
  }

  token(provider: Provider<OpenIdConnectProvider>): Promise<URL> {
    return this.#endpoint(provider, "access_token_url", "token", "token_endpoint");
  }

  keys(provider: Provider<OpenIdConnectProvider>): Promise<URL> {
    return this.#endpoint(provider, "jwks_uri", "keys", "jwks_uri");
  }

  /** Returns the userinfo endpoint; null if the sign-in does not use one. */
  async userinfo(provider: Provider<OpenIdConnectProvider>): Promise<URL | null> {
    const set = provider.text("userinfo_url");
    if (set !== null) return new URL(set);
    if (provider.row.userinfo === false || isKnown(provider)) return null;
    return addressAt(provider, await this.#document(provider), "userinfo_endpoint");
  }

  /** Returns the accepted issuers of a token. They can have placeholders for claims. */
  async issuers(provider: Provider<OpenIdConnectProvider>): Promise<readonly string[]> {
    const set = provider.text("id_token_issuer") ?? provider.row.idTokenIssuer;
    if (set !== undefined) return [set].flat().map((one) => fillIssuer(provider, one));
    const issuer = readPath("issuer", { profile: await this.#document(provider) });
    if (issuer === null) throw this.#incomplete(provider, "issuer");
    return [issuer];
  }

  /** Returns the signing algorithms in the discovery document; null if it has none, or is not needed. */
  async algorithms(provider: Provider<OpenIdConnectProvider>): Promise<readonly string[] | null> {
    if (isKnown(provider)) return null;
    const list = member(await this.#document(provider), "id_token_signing_alg_values_supported");
    return Array.isArray(list) ? list.map(String) : null;
  }

  async #endpoint(
    provider: Provider<OpenIdConnectProvider>,
    setting: string,
    known: "authorize" | "token" | "keys",
    published: string,
  ): Promise<URL> {
    const set = provider.text(setting) ?? provider.row.endpoints?.[known];
    if (set !== undefined) return new URL(set);
    const address = addressAt(provider, await this.#document(provider), published);
    if (address === null) throw this.#incomplete(provider, published);
    return address;
  }

  #document(provider: Provider<OpenIdConnectProvider>): Promise<Document> {
    return this.#documents.get(documentAddress(provider));
  }

  /** Deletes the document from the cache, so that the next sign-in fetches it again. */
  #incomplete(provider: Provider<OpenIdConnectProvider>, key: string): SocialFailure {
    this.#documents.delete(documentAddress(provider));
    return new SocialFailure(`the discovery document has no valid ${key}`);
  }
}

/** Whether a sign-in does not need the discovery document. */
function isKnown(provider: Provider<OpenIdConnectProvider>): boolean {
  const { endpoints, idTokenIssuer } = provider.row;
  const set = ["authorization_url", "access_token_url", "jwks_uri"].every(
    (name) => provider.text(name) !== null,
  );
  const issuer = provider.text("id_token_issuer") ?? idTokenIssuer;
  return endpoints !== undefined || (set && issuer !== undefined);
}

function documentAddress(provider: Provider<OpenIdConnectProvider>): URL {
  const { issuer, discoveryAtHostFor } = provider.row;
  const base = fillAddress(provider.text("oidc_endpoint") ?? issuer, provider.lookup());
  const path = base.pathname.replace(/\/+$/, "");
  base.pathname = `${path === discoveryAtHostFor ? "" : path}/.well-known/openid-configuration`;
  return base;
}

/** Returns a URL in the document; null if it is missing, invalid, or http in a document from https. */
function addressAt(provider: Provider<OpenIdConnectProvider>, document: Document, name: string): URL | null {
  const text = readPath(name, { profile: document });
  if (text === null || !isProviderAddress(text)) return null;
  const address = new URL(text);
  const isWeaker = address.protocol === "http:" && documentAddress(provider).protocol === "https:";
  return isWeaker ? null : address;
}

/** Inserts settings into an issuer. The tenant's placeholder stays: its value is a claim of the token. */
function fillIssuer(provider: Provider<OpenIdConnectProvider>, template: string): string {
  return fillText(template, (name) => {
    if (name === "tid" || name === "tenantid") return `{${name}}`;
    return (
      provider
        .text(name)
        ?.replace(/^https:\/\//, "")
        .replace(/\/+$/, "") ?? null
    );
  });
}

/**
 * Merges userinfo and the claims of the id_token; userinfo has priority. Errors: `SocialFailure` if userinfo
 * has another subject.
 */
function profileOf(claims: Document, userinfo: Document): Document {
  if (!isJsonObject(claims) || !isJsonObject(userinfo))
    throw new SocialFailure("the userinfo response is not an object");
  if (member(userinfo, "sub") !== member(claims, "sub"))
    throw new SocialFailure("userinfo is about another user");
  const known = Object.fromEntries(
    Object.entries(userinfo).filter(([, value]) => value !== null && value !== ""),
  );
  // `email_verified` applies only to the e-mail in the same document.
  if (!("email" in known)) return { ...claims, ...unconfirmed(known) };
  const isSame = member(known, "email") === member(claims, "email");
  return { ...(isSame ? claims : unconfirmed(claims)), ...known };
}

function unconfirmed({ email_verified: _, ...others }: Readonly<Record<string, unknown>>): object {
  return others;
}

/** Requires the claims that follow from the settings, such as tenant and policy. Errors: `SocialFailure`. */
function requireClaims(provider: Provider<OpenIdConnectProvider>, claims: Document): void {
  for (const [path, template] of Object.entries(provider.row.claims ?? {})) {
    const wanted = fillText(template, provider.lookup());
    // `common` and similar names mean any tenant.
    if (path === "tid" && !isUuid(wanted)) continue;
    if (readPath(path, { profile: claims })?.toLowerCase() !== wanted.toLowerCase())
      throw new SocialFailure(`the claim "${path}" does not match the settings`);
  }
}

/** Requires one of the listed groups or similar values, if the settings list any. Errors: `SocialFailure`. */
function requireAllowed(provider: Provider<OpenIdConnectProvider>, profile: Document): void {
  for (const [paths, setting] of Object.entries(provider.row.allowed ?? {})) {
    const allowed = provider.list(setting);
    const held = paths.split("|").flatMap((path) => path.split(".").reduce(member, profile));
    if (allowed !== null && !allowed.some((one) => held.includes(one)))
      throw new SocialFailure(`the user has no value of "${setting}"`);
  }
}

type Row = OpenIdConnectProvider;

/** The maximum age of an id_token, in seconds. */
const longestAge = 600;

/** OpenID Connect with a code. The signed id_token identifies the user. */
export class OpenIdConnect implements Protocol<Row> {
  readonly #context: ProtocolContext;
  readonly #discovery: Discovery;
  readonly #keys: KeySets;

  constructor(context: ProtocolContext, keys: KeySets) {
    this.#context = context;
    this.#discovery = new Discovery(context);
    this.#keys = keys;
  }

  readonly begin = async (login: Login<Row>): Promise<AuthorizationRequest> => {
    const location = await this.#discovery.authorize(login.provider);
    for (const [name, value] of Object.entries(requestOf(login))) location.searchParams.set(name, value);
    // Apple does not decode "+" as a blank.
    location.search = location.search.replaceAll("+", "%20");
    return { location };
  };

  readonly finish = async (callback: ProviderCallback<Row>): Promise<Answers> => {
    const { provider, secrets } = callback;
    const form = formOf(callback.form);
    const code = requireCode(callback.form);
    const token = await exchangeForTokens(this.#context, provider, {
      url: await this.#discovery.token(provider),
      code,
      verifier: usesPkce(provider) ? secrets.verifier : null,
    });
    const accessToken = readPath("access_token", { profile: token });
    const nonce = provider.row.nonce === false ? null : secrets.nonce;
    const claims = await this.#claims(provider, token, accessToken, nonce);
    requireClaims(provider, claims);
    const profile = await this.#profile(provider, accessToken, claims);
    requireAllowed(provider, profile);
    return { form, token, id_token: claims, profile };
  };

  async #claims(
    provider: Provider<Row>,
    token: Document,
    accessToken: string | null,
    nonce: string | null,
  ): Promise<Document> {
    const idToken = readPath("id_token", { profile: token });
    if (idToken === null) throw new SocialFailure("the token response has no id_token");
    const published = await this.#discovery.algorithms(provider);
    return checkedClaims(idToken, {
      keys: this.#keys.at(await this.#discovery.keys(provider)),
      needsKeyId: false,
      algorithms: signatureAlgorithms.filter((one) => published === null || published.includes(one)),
      issuers: await this.#discovery.issuers(provider),
      audience: [provider.clientId, ...(provider.list("audience") ?? [])],
      party: provider.clientId,
      nonce,
      longestAge,
      accessToken,
      now: this.#context.now(),
    });
  }

  /** Returns the claims of the id_token, merged with those of userinfo. */
  async #profile(provider: Provider<Row>, accessToken: string | null, claims: Document): Promise<Document> {
    const url = await this.#discovery.userinfo(provider);
    if (url === null || accessToken === null) return claims;
    const headers = { authorization: `Bearer ${accessToken}` };
    return profileOf(claims, documentOf(await this.#context.outbound.ask({ method: "GET", url, headers })));
  }
}

/** The authorization request (OpenID Connect Core, 3.1.2.1). Settings cannot replace security parameters. */
function requestOf({ provider, state, secrets }: Login<Row>): Readonly<Record<string, string>> {
  const { row } = provider;
  const scope = provider.scopes(row.scopes).join(" ");
  const resource = provider.text("resource");
  return {
    ...(scope !== "" && { scope, ...fillAll(row.parameters, provider.lookup()) }),
    ...(resource !== null && { resource }),
    ...provider.texts("auth_extra_arguments"),
    response_type: "code",
    client_id: provider.clientId,
    redirect_uri: provider.callbackUrl,
    state,
    ...(row.nonce !== false && { nonce: secrets.nonce }),
    ...(usesPkce(provider) && {
      code_challenge: challengeOf(secrets.verifier, "base64url"),
      code_challenge_method: "S256",
    }),
  };
}

function usesPkce(provider: Provider<Row>): boolean {
  return provider.row.pkce !== false && provider.isOn("pkce") !== false;
}

/** Apple sends the user's name as JSON in the field `user`, with the first sign-in only. */
function formOf(form: ReadonlyMap<string, string>): Document {
  const { user, ...others } = Object.fromEntries(form);
  if (user === undefined) return others;
  try {
    return { ...others, user: parseJson(user) };
  } catch {
    return others;
  }
}
