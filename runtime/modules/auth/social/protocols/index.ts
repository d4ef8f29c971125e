import type { SocialProvider } from "../../../../../vocabulary/social/provider.ts";
import { providerRow } from "../../../../../vocabulary/social/providers.ts";
import { startsOnPage } from "../../../../../vocabulary/social/sign-in-options.ts";
import { type Awaitable, lazy } from "../../../../core/concurrency/index.ts";
import type { DeclaredProvider } from "../../../../core/config/index.ts";
import type { Answers } from "../conversation/paths.ts";
import { Provider } from "../declared-provider.ts";
import type { KeySets } from "./key-sets.ts";
import type { AuthorizationRequest, Login, Protocol, ProviderCallback, Surroundings } from "./protocol.ts";

export { KeySets } from "./key-sets.ts";
export type { AuthorizationRequest, Login, ProviderCallback, Surroundings } from "./protocol.ts";

/** A declared provider and its protocol, which the first sign-in loads. */
export interface Conversation {
  readonly provider: Provider;
  /** Null: a page of the app begins the sign-in, and only needs a state. */
  readonly begin: ((login: Omit<Login, "provider">) => Promise<AuthorizationRequest>) | null;
  readonly finish: (arrival: Omit<ProviderCallback, "provider">) => Promise<Answers>;
}

/** The declared providers by name, in the order of the manifest. */
export function conversations(
  declared: readonly DeclaredProvider[],
  surroundings: Surroundings,
  keys: KeySets,
): ReadonlyMap<string, Conversation> {
  // Every provider of a protocol shares its state, such as discovery documents.
  const protocols = {
    oauth2: lazy(async () => (await import("./oauth2.ts")).oauth2(surroundings)),
    oidc: lazy(async () => new (await import("./openid-connect.ts")).OpenIdConnect(surroundings, keys)),
    oauth1: lazy(async () => (await import("./oauth1.ts")).oauth1(surroundings)),
    openid2: lazy(async () => new (await import("./openid2/openid2.ts")).OpenId2(surroundings)),
    saml: lazy(async () => (await import("./saml.ts")).saml(surroundings)),
    own: lazy(async () => (await import("./custom-flows.ts")).customFlows(surroundings, keys)),
  };
  const of = (one: DeclaredProvider, row: SocialProvider): Conversation => {
    switch (row.protocol) {
      case "oauth2":
        return bind(new Provider(one, row), protocols.oauth2);
      case "oidc":
        return bind(new Provider(one, row), protocols.oidc);
      case "oauth1":
        return bind(new Provider(one, row), protocols.oauth1);
      case "openid2":
        return bind(new Provider(one, row), protocols.openid2);
      case "saml":
        return bind(new Provider(one, row), protocols.saml);
      case "own":
        return bind(new Provider(one, row), async () => (await protocols.own())[row.flow]);
    }
  };
  return new Map(
    declared.flatMap((one) => {
      const row = providerRow(one.name);
      return row === undefined ? [] : [[one.name, of(one, row)] as const];
    }),
  );
}

function bind<Row extends SocialProvider>(
  provider: Provider<Row>,
  load: () => Awaitable<Protocol<Row>>,
): Conversation {
  const begin = async (login: Omit<Login, "provider">): Promise<AuthorizationRequest> => {
    const protocol = await load();
    if (protocol.begin === null) throw new Error(`a page of the app begins the sign-in at ${provider.name}`);
    return protocol.begin({ ...login, provider });
  };
  return {
    provider,
    begin: startsOnPage(provider) ? null : begin,
    finish: async (arrival) => (await load()).finish({ ...arrival, provider }),
  };
}
