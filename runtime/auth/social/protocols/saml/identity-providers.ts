import { isJsonObject } from "../../../../../vocabulary/json.ts";
import type { SamlProvider } from "../../../../../vocabulary/social/provider.ts";
import { certificatesOf, type SamlPart, samlParts } from "../../../../../vocabulary/social/saml-settings.ts";
import type { Provider } from "../../declared-provider.ts";

/** A server that knows people, of those that the settings list. */
export interface IdentityProvider {
  /** As the settings call it: it stands in the ids of its people. */
  readonly name: string;
  /** As it calls itself. */
  readonly entityId: string;
  readonly url: string;
  readonly certificates: readonly string[];
  /** The attributes that the settings name. */
  readonly attributes: Readonly<Partial<Record<SamlPart, string>>>;
}

/** The identity providers of the settings; their form was checked at start. */
export function identityProviders(provider: Provider<SamlProvider>): readonly IdentityProvider[] {
  const enabled = provider.raw("enabled_idps");
  return Object.entries(isJsonObject(enabled) ? enabled : {}).flatMap(([name, idp]) =>
    isJsonObject(idp) ? [identityProvider(name, idp)] : [],
  );
}

function identityProvider(name: string, idp: Readonly<Record<string, unknown>>): IdentityProvider {
  const named = samlParts.flatMap((part) => {
    const attribute = idp[`attr_${part}`];
    return typeof attribute === "string" ? [[part, attribute]] : [];
  });
  return {
    name,
    entityId: String(idp["entity_id"]),
    url: String(idp["url"]),
    certificates: certificatesOf(idp).map(String),
    attributes: Object.fromEntries(named),
  };
}
