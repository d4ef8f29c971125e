import { isJsonObject } from "../../../../../../vocabulary/json.ts";
import type { OpenId2Provider } from "../../../../../../vocabulary/social/provider.ts";
import { isProviderAddress } from "../../../../../../vocabulary/social/provider-settings.ts";
import { invalid } from "../../../../../core/errors/index.ts";
import type { Provider } from "../../declared-provider.ts";
import {
  type Document,
  documentOf,
  member,
  type Outbound,
  type OutboundResponse,
  scalar,
} from "../../outbound.ts";
import { SocialFailure } from "../../social-failure.ts";
import { requireParameter } from "../browser-parameters.ts";
import { FetchCache } from "../key-sets.ts";
import type { ProtocolContext } from "../protocol.ts";

/** The sign-in service that a document announces. */
interface OpenIdService {
  readonly endpoint: string;
  /** Whether users choose their identity at the server. Otherwise, the address is the identity. */
  readonly isServer: boolean;
  /** The user's identifier at the server (`LocalID`), if it differs. */
  readonly localId: string | null;
}

const serverType = "http://specs.openid.net/auth/2.0/server";
const identityType = "http://specs.openid.net/auth/2.0/signon";

/** Returns the first service of an XRDS document: servers first, then by priority (OpenID 2.0, 7.3.2). */
function serviceOf(document: Document): OpenIdService | null {
  const last = listOf(member(member(document, "XRDS"), "XRD")).at(-1);
  const services = byPriority(listOf(member(last, "Service")));
  for (const type of [serverType, identityType]) {
    const service = services.find((one) => listOf(member(one, "Type")).map(textOf).includes(type));
    const endpoint = textOf(byPriority(listOf(member(service, "URI")))[0]);
    const localId = textOf(listOf(member(service, "LocalID"))[0]);
    if (endpoint !== null) return { endpoint, isServer: type === serverType, localId };
  }
  return null;
}

function listOf(value: Document): readonly Document[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

function textOf(value: Document): string | null {
  return scalar(isJsonObject(value) ? member(value, "#text") : value);
}

/** The lowest number comes first; elements without a number come last. */
function byPriority(list: readonly Document[]): readonly Document[] {
  const priority = (one: Document) => Number(scalar(member(one, "priority")) ?? Number.POSITIVE_INFINITY);
  return list.toSorted((one, other) =>
    priority(one) < priority(other) ? -1 : Number(priority(one) > priority(other)),
  );
}

/** Returns the sign-in service that the head of a page announces (OpenID 2.0, 7.3.3). */
export function serviceInPage(html: string): OpenIdService | null {
  const links = tagsIn(html, "link");
  const find = (relation: string) =>
    links
      .find((link) => (link.get("rel") ?? "").toLowerCase().split(/\s+/).includes(relation))
      ?.get("href") ?? null;
  const endpoint = find("openid2.provider");
  return endpoint === null ? null : { endpoint, isServer: false, localId: find("openid2.local_id") };
}

/** Returns the URL of the XRDS document that a page announces, or null. */
export function xrdsLocationIn(html: string): string | null {
  const meta = tagsIn(html, "meta").find((one) => one.get("http-equiv")?.toLowerCase() === "x-xrds-location");
  return meta?.get("content") ?? null;
}

/** Returns the head's tags with a name, by attribute. Ignores the body, which can hold users' content. */
function tagsIn(html: string, name: string): ReadonlyMap<string, string>[] {
  return headOf(html).flatMap((tag) => {
    const end = tag.indexOf(">");
    return end !== -1 && nameOf(tag) === name ? [attributesIn(tag.slice(0, end))] : [];
  });
}

/** The searched length of a page, in characters. A longer head is ignored. */
const longestLook = 65_536;

/** Returns the text after each `<` of the head. The page is not trusted: parsing takes linear time. */
function headOf(html: string): readonly string[] {
  const tags = withoutComments(html.slice(0, longestLook)).split("<").slice(1);
  const names = tags.map(nameOf);
  const begin = names.indexOf("head");
  const end = names.findIndex((name) => name === "/head" || name === "body");
  return begin === -1 || end < begin ? [] : tags.slice(begin + 1, end);
}

/** An unclosed comment extends to the end. */
function withoutComments(html: string): string {
  const parts: string[] = [];
  for (let at = 0; at !== -1; ) {
    const begin = html.indexOf("<!--", at);
    parts.push(html.slice(at, begin === -1 ? undefined : begin));
    const end = begin === -1 ? -1 : html.indexOf("-->", begin + "<!--".length);
    at = end === -1 ? -1 : end + "-->".length;
  }
  return parts.join("");
}

function nameOf(tag: string): string {
  return /^\/?[a-z]{1,16}\b/i.exec(tag)?.[0].toLowerCase() ?? "";
}

function attributesIn(tag: string): ReadonlyMap<string, string> {
  const pattern = /(?<![\w-])([\w-]{1,40})\s{0,16}=\s{0,16}(?:"([^"]{0,2048})"|'([^']{0,2048})')/g;
  return new Map(
    [...tag.matchAll(pattern)].map(
      ([, key = "", one, other = ""]) =>
        [key.toLowerCase(), (one ?? other).replaceAll("&amp;", "&")] as const,
    ),
  );
}

type Row = OpenId2Provider;

/**
 * Returns the URL for discovery: that of the server, or the identifier of the user. Errors: 400
 * `VALIDATION_ERROR`, `SocialFailure`.
 */
export function identifierOf(provider: Provider<Row>, query: URLSearchParams): URL {
  const { loginParameter: needed, url } = provider.row;
  if (!takesIdentifier(provider) || needed === undefined)
    return withoutFragment(provider.endpoint("openid_url", url));
  const value = requireParameter(needed, query.get(needed));
  if (needed !== "openid_identifier")
    return provider.endpoint("openid_url", url, provider.lookup({}, { [needed]: value }));
  const identifier = identifierIn(value);
  if (identifier === null || !isOwnHost(provider, identifier))
    throw invalid([{ field: needed, message: "must be an address at one of the allowed hosts" }]);
  return identifier;
}

/** Returns the URL of an identifier, https if it has no scheme (OpenID 2.0, 7.2); null for an invalid one. */
function identifierIn(text: string): URL | null {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const [bare = ""] = address.split("#");
  return isProviderAddress(bare) ? new URL(bare) : null;
}

/** Whether users name the server or a page on it. Such a server is trusted for pages that announce it. */
export function takesIdentifier({ row, text }: Provider<Row>): boolean {
  return row.loginParameter !== undefined && text("openid_url") === null;
}

/**
 * Whether a host is in `allowed_hosts`. Without this setting: whether it is the server's host or a subdomain.
 */
export function isOwnHost(provider: Provider<Row>, { host, hostname }: URL): boolean {
  const allowed = provider.list("allowed_hosts");
  if (allowed !== null) return allowed.some((one) => one.toLowerCase() === host);
  const server = provider.text("openid_url") ?? provider.row.url;
  const own = new URL(server.replace(/\{[^{}]*\}\./, "")).hostname;
  return hostname === own || hostname.endsWith(`.${own}`);
}

export function withoutFragment(address: URL): URL {
  const bare = new URL(address);
  bare.hash = "";
  return bare;
}

/** Whether an address can be called. */
type IsAllowed = (url: URL) => boolean;

/** A service whose endpoint was checked. */
interface FoundService extends Omit<OpenIdService, "endpoint"> {
  readonly endpoint: URL;
}

/** Finds the sign-in service of an address (Yadis 1.0; OpenID 2.0, 7.3). Errors: `SocialFailure`. */
export class OpenIdDiscovery {
  readonly #outbound: Outbound;
  readonly #servers: FetchCache<FoundService>;

  constructor({ outbound, now }: ProtocolContext) {
    this.#outbound = outbound;
    this.#servers = new FetchCache((url) => this.#find(url, () => true), now);
  }

  /**
   * Returns the service of an address. If users name the address, only hosts of the provider are called, and
   * nothing is cached: the number of such addresses has no limit.
   */
  of(provider: Provider<OpenId2Provider>, address: URL): Promise<FoundService> {
    if (!takesIdentifier(provider)) return this.#servers.get(address);
    return this.#find(address, (url) => isOwnHost(provider, url));
  }

  async #find(address: URL, isAllowed: IsAllowed): Promise<FoundService> {
    const answer = await this.#ask(address, isAllowed);
    const location = answer.headers.get("x-xrds-location") ?? xrdsLocationIn(answer.text);
    const service = isXrds(answer)
      ? serviceOf(documentOf(answer))
      : location !== null && URL.canParse(location, address.href)
        ? serviceOf(documentOf(await this.#ask(new URL(location, address), isAllowed)))
        : serviceInPage(answer.text);
    if (service === null || !isProviderAddress(service.endpoint))
      throw new SocialFailure("the address announces no valid sign-in service");
    const endpoint = new URL(service.endpoint);
    if (!isAllowed(endpoint)) throw new SocialFailure("the sign-in service is at a host that is not allowed");
    return { ...service, endpoint };
  }

  #ask(url: URL, isAllowed: IsAllowed): Promise<OutboundResponse> {
    if (!isAllowed(url)) throw new SocialFailure("the host is not allowed");
    const headers = { accept: "application/xrds+xml, text/html;q=0.9" };
    return this.#outbound.ask({ method: "GET", url, headers });
  }
}

function isXrds({ headers }: OutboundResponse): boolean {
  return /^application\/xrds\+xml\b/i.test(headers.get("content-type") ?? "");
}
