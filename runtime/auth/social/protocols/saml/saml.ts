import type { Profile } from "@node-saml/node-saml";
import type { SamlProvider } from "../../../../../vocabulary/social/provider.ts";
import { samlAttributes, samlParts, subjectName } from "../../../../../vocabulary/social/saml-settings.ts";
import { invalid } from "../../../../errors/index.ts";
import { requireParameter } from "../../conversation/browser-parameters.ts";
import type { Answers } from "../../conversation/paths.ts";
import type { Provider } from "../../declared-provider.ts";
import { type Document, member, scalar } from "../../outbound/index.ts";
import { SocialFailure } from "../../social-failure.ts";
import { requireSent } from "../code.ts";
import type { Arrival, Departure, Login, Protocol, Surroundings } from "../protocol.ts";
import { type IdentityProvider, identityProviders } from "./identity-providers.ts";
import { samlFor } from "./node-saml.ts";
import { readAssertion, readResponse } from "./saml-response.ts";

type Row = SamlProvider;

/** SAML 2.0: the request goes with the browser's redirect, the answer comes as a form that the browser posts. */
export function saml({ now }: Surroundings): Protocol<Row> {
  return { begin, finish: (arrival) => finish(now, arrival) };
}

async function begin({ provider, state, secrets, query }: Login<Row>): Promise<Departure> {
  const name = requireParameter("idp", query.get("idp"));
  const idp = identityProviders(provider).find((one) => one.name === name);
  if (idp === undefined) throw invalid([{ field: "idp", message: "is none of enabled_idps" }]);
  const library = await samlFor(provider, idp, requestIdOf(secrets.requestId, idp));
  return { location: new URL(await library.getAuthorizeUrlAsync(state, undefined, {})) };
}

async function finish(now: () => number, { provider, form, secrets }: Arrival<Row>): Promise<Answers> {
  const text = requireSent(form, "SAMLResponse");
  const response = readResponse(text);
  if (response.inResponseTo === null)
    throw invalid([{ field: "SAMLResponse", message: "answers no request" }]);
  const idp = identityProviders(provider).find(({ entityId }) => entityId === response.issuer);
  if (idp === undefined) throw new SocialFailure("the identity provider is none of enabled_idps");
  const requestId = requestIdOf(secrets.requestId, idp);
  if (response.inResponseTo !== requestId) throw new SocialFailure("it answers another request");
  if (response.destination !== null && response.destination !== provider.callbackUrl)
    throw new SocialFailure("it was sent to another address");
  if (!response.isSuccess) throw new SocialFailure("the identity provider refused");
  const profile = await verified(provider, idp, requestId, text);
  requireMeant(profile, idp, { requestId, recipient: provider.callbackUrl, now: now() });
  return { saml: personOf(profile, idp) };
}

/** The request's id names the identity provider, so that no other can answer it: there is nothing to swap. */
function requestIdOf(id: string, { name }: IdentityProvider): string {
  return `${id}.${name}`;
}

/** Checks signature, audience, times and the request. Errors: `SocialFailure`. */
async function verified(
  provider: Provider<Row>,
  idp: IdentityProvider,
  requestId: string,
  SAMLResponse: string,
): Promise<Profile> {
  const library = await samlFor(provider, idp, requestId);
  try {
    const { profile } = await library.validatePostResponseAsync({ SAMLResponse });
    if (profile !== null) return profile;
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    // What a response brings into its messages stands behind their first words.
    const [words = "malformed"] = /^[A-Z][\w ,'-]{1,100}/.exec(reason) ?? [];
    throw new SocialFailure(`the response was refused: ${words}`);
  }
  throw new SocialFailure("the response says nothing of a person");
}

/** What the library takes on trust: who signed, and that it was signed for whoever brings the answer to this request. */
function requireMeant(
  profile: Profile,
  { entityId }: IdentityProvider,
  { requestId, recipient, now }: { requestId: string; recipient: string; now: number },
): void {
  const { issuer, confirmations } = readAssertion(profile.getAssertionXml?.() ?? "");
  if (issuer !== entityId) throw new SocialFailure("another identity provider has signed");
  const isMeant = confirmations.some(
    (one) =>
      one.method === "urn:oasis:names:tc:SAML:2.0:cm:bearer" &&
      one.inResponseTo === requestId &&
      one.recipient === recipient &&
      Date.parse(one.until ?? "") > now,
  );
  if (!isMeant) throw new SocialFailure("the assertion is not for this sign-in");
}

/** The attributes, and what of them the settings or the standards say who somebody is. */
function personOf(profile: Profile, { name, attributes: named }: IdentityProvider): Document {
  const attributes: Document = profile["attributes"] ?? {};
  const read = (attribute: string) =>
    attribute === subjectName ? permanentNameOf(profile) : scalar([member(attributes, attribute)].flat()[0]);
  const person = samlParts.map((part) => {
    const { [part]: own } = named;
    const places = own === undefined ? samlAttributes[part] : [own];
    return [part, places.map(read).find((text) => text !== null) ?? null] as const;
  });
  return { ...(typeof attributes === "object" && attributes), ...Object.fromEntries(person), idp: name };
}

/** The name of the subject, unless it is another one at each sign-in. */
function permanentNameOf({ nameID, nameIDFormat }: Profile): string | null {
  return nameIDFormat?.endsWith(":transient") ? null : nameID || null;
}
