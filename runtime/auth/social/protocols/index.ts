import type { SocialProvider } from "../../../../vocabulary/social/provider.ts";
import { providerRow } from "../../../../vocabulary/social/providers.ts";
import type { DeclaredProvider } from "../../../config/index.ts";
import type { Answers } from "../conversation/paths.ts";
import { Provider } from "../declared-provider.ts";
import type { KeySets } from "./key-sets.ts";
import { oauth1 } from "./oauth1/oauth1.ts";
import { oauth2 } from "./oauth2/oauth2.ts";
import { OpenIdConnect } from "./openid-connect.ts";
import { OpenId2 } from "./openid2/openid2.ts";
import { ownFlows } from "./own-flows/index.ts";
import type { Arrival, Departure, Login, Protocol, Surroundings } from "./protocol.ts";
import { saml } from "./saml/saml.ts";

export { KeySets } from "./key-sets.ts";
export type { Arrival, Departure, Login, Surroundings } from "./protocol.ts";

/** A declared provider, and how it is talked with. */
export interface Conversation {
  readonly provider: Provider;
  /** Null: a page of the app begins the sign-in, and only needs a state. */
  readonly begin: ((login: Omit<Login, "provider">) => Promise<Departure>) | null;
  readonly finish: (arrival: Omit<Arrival, "provider">) => Promise<Answers>;
}

/** The declared providers by name, in the order of the manifest. */
export function conversations(
  declared: readonly DeclaredProvider[],
  surroundings: Surroundings,
  keys: KeySets,
): ReadonlyMap<string, Conversation> {
  const ofOAuth2 = oauth2(surroundings);
  const ofOpenIdConnect = new OpenIdConnect(surroundings, keys);
  const ofOAuth1 = oauth1(surroundings);
  const ofOpenId2 = new OpenId2(surroundings);
  const ofSaml = saml(surroundings);
  const own = ownFlows(surroundings, keys);
  const of = (one: DeclaredProvider, row: SocialProvider): Conversation => {
    switch (row.protocol) {
      case "oauth2":
        return bind(new Provider(one, row), ofOAuth2);
      case "oidc":
        return bind(new Provider(one, row), ofOpenIdConnect);
      case "oauth1":
        return bind(new Provider(one, row), ofOAuth1);
      case "openid2":
        return bind(new Provider(one, row), ofOpenId2);
      case "saml":
        return bind(new Provider(one, row), ofSaml);
      case "own":
        return bind(new Provider(one, row), own[row.flow]);
    }
  };
  return new Map(
    declared.flatMap((one) => {
      const row = providerRow(one.name);
      return row === undefined ? [] : [[one.name, of(one, row)] as const];
    }),
  );
}

function bind<Row extends SocialProvider>(provider: Provider<Row>, protocol: Protocol<Row>): Conversation {
  const { begin, finish } = protocol;
  return {
    provider,
    begin: begin === null ? null : (login) => begin({ ...login, provider }),
    finish: (arrival) => finish({ ...arrival, provider }),
  };
}
