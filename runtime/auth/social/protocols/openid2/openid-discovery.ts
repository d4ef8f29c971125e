import type { OpenId2Provider } from "../../../../../vocabulary/social/provider.ts";
import { isProviderAddress } from "../../../../../vocabulary/social/provider-settings.ts";
import type { Provider } from "../../declared-provider.ts";
import { documentOf, type Outbound, type OutboundAnswer } from "../../outbound/index.ts";
import { SocialFailure } from "../../social-failure.ts";
import type { Surroundings } from "../protocol.ts";
import { Remembered } from "../remembered.ts";
import { serviceInPage, xrdsLocationIn } from "./html-head.ts";
import { isNamed, isOwnHost } from "./openid-hosts.ts";
import { type OpenIdService, serviceOf } from "./xrds.ts";

/** Whether an address may be asked at all. */
type MayAsk = (url: URL) => boolean;

/** Where people sign in, once it is known. */
export interface FoundService extends Omit<OpenIdService, "endpoint"> {
  readonly endpoint: URL;
}

/** Finds out where people sign in (Yadis 1.0; OpenID 2.0, 7.3). Errors: `SocialFailure`. */
export class OpenIdDiscovery {
  readonly #outbound: Outbound;
  readonly #servers: Remembered<FoundService>;

  constructor({ outbound, now }: Surroundings) {
    this.#outbound = outbound;
    this.#servers = new Remembered((url) => this.#find(url, () => true), now);
  }

  /** What an address says. Where people name it, no host but the provider's is asked, and nothing is remembered: they could name any number. */
  of(provider: Provider<OpenId2Provider>, address: URL): Promise<FoundService> {
    if (!isNamed(provider)) return this.#servers.get(address);
    return this.#find(address, (url) => isOwnHost(provider, url));
  }

  async #find(address: URL, mayAsk: MayAsk): Promise<FoundService> {
    const answer = await this.#ask(address, mayAsk);
    const location = answer.headers.get("x-xrds-location") ?? xrdsLocationIn(answer.text);
    const service = isXrds(answer)
      ? serviceOf(documentOf(answer))
      : location !== null && URL.canParse(location, address.href)
        ? serviceOf(documentOf(await this.#ask(new URL(location, address), mayAsk)))
        : serviceInPage(answer.text);
    if (service === null || !isProviderAddress(service.endpoint))
      throw new SocialFailure("the provider does not say where people sign in");
    const endpoint = new URL(service.endpoint);
    if (!mayAsk(endpoint)) throw new SocialFailure("people would sign in at a host that may not be asked");
    return { ...service, endpoint };
  }

  #ask(url: URL, mayAsk: MayAsk): Promise<OutboundAnswer> {
    if (!mayAsk(url)) throw new SocialFailure("a host may not be asked");
    const headers = { accept: "application/xrds+xml, text/html;q=0.9" };
    return this.#outbound.ask({ method: "GET", url, headers });
  }
}

function isXrds({ headers }: OutboundAnswer): boolean {
  return /^application\/xrds\+xml\b/i.test(headers.get("content-type") ?? "");
}
