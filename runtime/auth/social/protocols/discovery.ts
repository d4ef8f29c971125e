import { isJsonObject } from "../../../../vocabulary/json.ts";
import type { OpenIdConnectProvider } from "../../../../vocabulary/social/provider.ts";
import { isProviderAddress } from "../../../../vocabulary/social/provider-settings.ts";
import { fillAddress, fillText, readPath } from "../conversation/paths.ts";
import type { Provider } from "../declared-provider.ts";
import { type Document, documentOf, member } from "../outbound/index.ts";
import { SocialFailure } from "../social-failure.ts";
import { Remembered } from "./key-sets.ts";
import type { Surroundings } from "./protocol.ts";

/** Finds out where a provider of OpenID Connect is: settings go before discovery (decisions, part 9). */
export class Discovery {
  readonly #documents: Remembered<Document>;

  constructor({ outbound, now }: Surroundings) {
    this.#documents = new Remembered(async (url) => {
      const document = documentOf(await outbound.ask({ method: "GET", url }));
      if (!isJsonObject(document)) throw new SocialFailure("the discovery document is no object");
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

  /** Null where the provider has none. */
  async userinfo(provider: Provider<OpenIdConnectProvider>): Promise<URL | null> {
    const set = provider.text("userinfo_url");
    if (set !== null) return new URL(set);
    if (provider.row.userinfo === false || isKnown(provider)) return null;
    return addressAt(provider, await this.#document(provider), "userinfo_endpoint");
  }

  /** What the issuer of a token must be, with the places of its claims still in it. */
  async issuers(provider: Provider<OpenIdConnectProvider>): Promise<readonly string[]> {
    const set = provider.text("id_token_issuer") ?? provider.row.idTokenIssuer;
    if (set !== undefined) return [set].flat().map((one) => fillIssuer(provider, one));
    const issuer = readPath("issuer", { profile: await this.#document(provider) });
    if (issuer === null) throw this.#useless(provider, "issuer");
    return [issuer];
  }

  /** The algorithms that the provider says it signs with; null where it does not say, or is not asked. */
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
    if (address === null) throw this.#useless(provider, published);
    return address;
  }

  #document(provider: Provider<OpenIdConnectProvider>): Promise<Document> {
    return this.#documents.get(documentAddress(provider));
  }

  /** The next sign-in looks again: it may be mended by then. */
  #useless(provider: Provider<OpenIdConnectProvider>, lacks: string): SocialFailure {
    this.#documents.forget(documentAddress(provider));
    return new SocialFailure(`the discovery document has no ${lacks} that can be used`);
  }
}

/** Whether everything that a sign-in needs is known without the discovery document. */
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

/** An address that the document names: never one that is less protected than the document was. */
function addressAt(provider: Provider<OpenIdConnectProvider>, document: Document, name: string): URL | null {
  const text = readPath(name, { profile: document });
  if (text === null || !isProviderAddress(text)) return null;
  const address = new URL(text);
  const isWeaker = address.protocol === "http:" && documentAddress(provider).protocol === "https:";
  return isWeaker ? null : address;
}

/** Settings in an issuer; the tenant is the token's. */
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
