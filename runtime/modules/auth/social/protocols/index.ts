import type { SocialProvider } from "../../../../../vocabulary/social/provider.ts";
import { providerRow } from "../../../../../vocabulary/social/providers.ts";
import { startsOnPage } from "../../../../../vocabulary/social/sign-in-options.ts";
import { type Awaitable, lazy } from "../../../../core/concurrency/index.ts";
import type { DeclaredProvider } from "../../../../core/config/index.ts";
import type { Answers } from "../conversation/paths.ts";
import { Provider } from "../declared-provider.ts";
import type { KeySets } from "./key-sets.ts";
import type { AuthorizationRequest, Login, Protocol, ProtocolContext, ProviderCallback } from "./protocol.ts";

export { KeySets } from "./key-sets.ts";
export type { AuthorizationRequest, Login, ProtocolContext, ProviderCallback } from "./protocol.ts";

/** A declared provider and its protocol, which the first sign-in loads. */
export interface Conversation {
  readonly provider: Provider;
  /** Null: a page of the app begins the sign-in, and only needs a state. */
  readonly begin: ((login: Omit<Login, "provider">) => Promise<AuthorizationRequest>) | null;
  readonly finish: (callback: Omit<ProviderCallback, "provider">) => Promise<Answers>;
}

/** The declared providers by name, in the order of the manifest. */
export function conversations(
  declared: readonly DeclaredProvider[],
  context: ProtocolContext,
  keys: KeySets,
): ReadonlyMap<string, Conversation> {
  // All providers of a protocol share its caches, such as discovery documents.
  const protocols = {
    oauth2: lazy(async () => (await import("./oauth2.ts")).oauth2(context)),
    oidc: lazy(async () => new (await import("./openid-connect.ts")).OpenIdConnect(context, keys)),
    oauth1: lazy(async () => (await import("./oauth1.ts")).oauth1(context)),
    openid2: lazy(async () => new (await import("./openid2/openid2.ts")).OpenId2(context)),
    saml: lazy(async () => (await import("./saml.ts")).saml(context)),
    custom: lazy(async () => (await import("./custom-flows.ts")).customFlows(context, keys)),
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
      case "custom":
        return bind(new Provider(one, row), async () => (await protocols.custom())[row.flow]);
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
    finish: async (callback) => (await load()).finish({ ...callback, provider }),
  };
}
