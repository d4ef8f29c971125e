import type { OpenId2Provider } from "../../../../../vocabulary/social/provider.ts";
import { isProviderAddress } from "../../../../../vocabulary/social/provider-settings.ts";
import { invalid } from "../../../../errors/index.ts";
import { requireParameter } from "../../conversation/browser-parameters.ts";
import type { Provider } from "../../declared-provider.ts";

type Row = OpenId2Provider;

/** The address of the server, or of the identity that somebody says is theirs. Errors: 400 `VALIDATION_ERROR`, `SocialFailure`. */
export function identifierOf(provider: Provider<Row>, query: URLSearchParams): URL {
  const { loginParameter: needed, url } = provider.row;
  if (!isNamed(provider) || needed === undefined)
    return withoutFragment(provider.endpoint("openid_url", url));
  const value = requireParameter(needed, query.get(needed));
  if (needed !== "openid_identifier")
    return provider.endpoint("openid_url", url, provider.lookup({}, { [needed]: value }));
  const identifier = identifierIn(value);
  if (identifier === null || !isOwnHost(provider, identifier))
    throw invalid([{ field: needed, message: "is no address at one of the hosts that may be asked" }]);
  return identifier;
}

/** An address without a scheme is one of https (OpenID 2.0, 7.2); XRIs are none. */
function identifierIn(text: string): URL | null {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const [bare = ""] = address.split("#");
  return isProviderAddress(bare) ? new URL(bare) : null;
}

/** Whether people name the server, or a place on it: nothing that it says of others counts without a look at these. */
export function isNamed({ row, text }: Provider<Row>): boolean {
  return row.loginParameter !== undefined && text("openid_url") === null;
}

/** Whether a host is the provider's: one of those that the settings list, or the one of the table with all below it. */
export function isOwnHost(provider: Provider<Row>, { host, hostname }: URL): boolean {
  const allowed = provider.list("allowed_hosts");
  if (allowed !== null) return allowed.some((one) => one.toLowerCase() === host);
  const server = provider.text("openid_url") ?? provider.row.url;
  const own = new URL(server.replace(/\{[^{}]*\}\./, "")).hostname;
  return hostname === own || hostname.endsWith(`.${own}`);
}

/** The address as it is looked up. */
export function withoutFragment(address: URL): URL {
  const bare = new URL(address);
  bare.hash = "";
  return bare;
}
