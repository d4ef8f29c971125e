import type { OpenId2Provider } from "../../../../../vocabulary/social/provider.ts";
import { isLoopback } from "../../../../../vocabulary/social/provider-settings.ts";
import type { Answers } from "../../conversation/paths.ts";
import type { Provider } from "../../declared-provider.ts";
import { SocialFailure } from "../../social-failure.ts";
import { ask } from "../calls.ts";
import { refuseRefusal } from "../code.ts";
import type { Arrival, Departure, Login, Protocol, Surroundings } from "../protocol.ts";
import { returnAddress } from "../return-address.ts";
import { openId2, requireFresh, requireSigned, signedFields } from "./openid-assertion.ts";
import { attributeRequest, attributesIn } from "./openid-attributes.ts";
import { OpenIdDiscovery } from "./openid-discovery.ts";
import { identifierOf, isNamed, isOwnHost, withoutFragment } from "./openid-hosts.ts";

type Row = OpenId2Provider;

/** Says to a server that it shall ask who somebody is. */
const anybody = `${openId2}/identifier_select`;

/** OpenID 2.0 without associations: the server itself is asked whether it has signed an answer. */
export class OpenId2 implements Protocol<Row> {
  readonly #surroundings: Surroundings;
  readonly #discovery: OpenIdDiscovery;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
    this.#discovery = new OpenIdDiscovery(surroundings);
  }

  readonly begin = async ({ provider, state, query }: Login<Row>): Promise<Departure> => {
    const identifier = identifierOf(provider, query);
    const { endpoint, isServer, localId } = await this.#discovery.of(provider, identifier);
    const returnTo = returnAddress(provider, state);
    const location = new URL(endpoint);
    const parameters = {
      "openid.ns": openId2,
      "openid.mode": "checkid_setup",
      "openid.claimed_id": isServer ? anybody : identifier.href,
      "openid.identity": isServer ? anybody : (localId ?? identifier.href),
      "openid.return_to": returnTo,
      "openid.realm": `${new URL(returnTo).origin}/`,
      ...attributeRequest(provider.row),
    };
    for (const [name, value] of Object.entries(parameters)) location.searchParams.set(name, value);
    return { location };
  };

  readonly finish = async ({ provider, form, state }: Arrival<Row>): Promise<Answers> => {
    refuseRefusal(form);
    const signed = signedFields(form);
    const read = (name: string) => signed.get(name) ?? "";
    if (read("return_to") !== returnAddress(provider, state))
      throw new SocialFailure("the answer was meant for another address");
    requireFresh(read("response_nonce"), this.#surroundings.now());
    const claimed = identityIn(provider, read("claimed_id"));
    const endpoint = await this.#endpoint(provider, claimed, read("identity"));
    if (!isSameAddress(read("op_endpoint"), endpoint.href))
      throw new SocialFailure("another server answered");
    await requireSigned(this.#surroundings.outbound, endpoint, form);
    const openid = { ...attributesIn(provider.row, signed), identity_url: read("claimed_id") };
    return this.#profile(provider, { form: Object.fromEntries(form), openid });
  };

  /** The server that may speak of an identity (OpenID 2.0, 11.2): the provider's own, or the one that the identity names. */
  async #endpoint(provider: Provider<Row>, claimed: URL, local: string): Promise<URL> {
    if (!isNamed(provider)) {
      const server = identifierOf(provider, new URLSearchParams());
      return (await this.#discovery.of(provider, server)).endpoint;
    }
    const { endpoint, isServer, localId } = await this.#discovery.of(provider, overTls(claimed));
    const expected = localId ?? withoutFragment(claimed).href;
    if (isServer || !isSameAddress(local, expected))
      throw new SocialFailure("the identity is not what its address says");
    return endpoint;
  }

  async #profile(provider: Provider<Row>, answers: Answers): Promise<Answers> {
    const { profile: call } = provider.row;
    if (call === undefined) return answers;
    const lookup = provider.lookup(answers);
    const parts = { call, setting: "userinfo_url", accessToken: "", lookup };
    return { ...answers, profile: await ask(this.#surroundings, provider, parts) };
  }
}

/** Whom the answer is about: an address that is the provider's. Errors: `SocialFailure`. */
function identityIn(provider: Provider<Row>, text: string): URL {
  const prefix = prefixOf(provider);
  const isWhole = prefix === "" || /^[\w-]+$/.test(text.slice(prefix.length));
  if (!text.startsWith(prefix) || !isWhole || !/^https?:/.test(text) || !URL.canParse(text))
    throw new SocialFailure("the identity is none of this provider");
  const claimed = new URL(text);
  if (!isOwnHost(provider, claimed)) throw new SocialFailure("the identity is at another host");
  return claimed;
}

/** What the provider's identities begin with: below the server's address, wherever the settings say that it is. */
function prefixOf({ row: { identityPrefix = "", url }, text }: Provider<Row>): string {
  const server = text("openid_url");
  if (server === null || identityPrefix === "") return identityPrefix;
  return server.replace(/\/+$/, "") + identityPrefix.slice(url.length);
}

/** Both are what strangers wrote. */
function isSameAddress(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;
}

/** What anybody on the way could change proves nothing: an identity of http is looked up over https. */
function overTls(claimed: URL): URL {
  const address = withoutFragment(claimed);
  if (!isLoopback(address.href)) address.protocol = "https:";
  return address;
}
