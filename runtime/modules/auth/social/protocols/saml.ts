import { createPrivateKey, type KeyObject } from "node:crypto";
import type { Profile, SAML } from "@node-saml/node-saml";
import { isJsonObject } from "../../../../../vocabulary/json.ts";
import type { SamlProvider } from "../../../../../vocabulary/social/provider.ts";
import {
  certificatesOf,
  type SamlPart,
  samlAttributes,
  samlParts,
  subjectName,
} from "../../../../../vocabulary/social/saml-settings.ts";
import { invalid } from "../../../../core/errors/index.ts";
import type { Answers } from "../conversation/paths.ts";
import type { Provider } from "../declared-provider.ts";
import { type Document, documentOf, member, scalar } from "../outbound.ts";
import { SocialFailure } from "../social-failure.ts";
import { requireField, requireParameter } from "./browser-parameters.ts";
import type { AuthorizationRequest, Login, Protocol, ProtocolContext, ProviderCallback } from "./protocol.ts";

/** An identity provider of the setting `enabled_idps`. */
interface IdentityProvider {
  /** The name in the settings. It is a part of the users' ids. */
  readonly name: string;
  readonly entityId: string;
  readonly url: string;
  readonly certificates: readonly string[];
  /** The attributes that the settings name. */
  readonly attributes: Readonly<Partial<Record<SamlPart, string>>>;
}

/** Returns the identity providers in the settings, which were checked when the service started. */
function identityProviders(provider: Provider<SamlProvider>): readonly IdentityProvider[] {
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

/** The fields of a response. They are not trusted before the signature is checked. */
interface SamlResponse {
  readonly issuer: string | null;
  /** The id of the request that it answers; null for an unsolicited response. */
  readonly inResponseTo: string | null;
  readonly destination: string | null;
  readonly isSuccess: boolean;
}

/** The fields of an assertion that the library does not check. */
interface SamlAssertion {
  readonly issuer: string | null;
  readonly confirmations: readonly Confirmation[];
}

/** A SubjectConfirmation: the request and the recipient that the assertion is for. */
interface Confirmation {
  readonly method: string | null;
  readonly inResponseTo: string | null;
  readonly recipient: string | null;
  readonly until: string | null;
}

const success = "urn:oasis:names:tc:SAML:2.0:status:Success";

/** Reads a response. Refuses document types and malformed XML first. Errors: `SocialFailure`. */
function readResponse(base64: string): SamlResponse {
  const document = documentIn(Buffer.from(base64, "base64").toString("utf8"));
  return {
    issuer: textAt(document, "Response", "Issuer") ?? textAt(document, "Response", "Assertion", "Issuer"),
    inResponseTo: textAt(document, "Response", "InResponseTo"),
    destination: textAt(document, "Response", "Destination"),
    isSuccess: textAt(document, "Response", "Status", "StatusCode", "Value") === success,
  };
}

/** Reads an assertion whose signature was checked. Errors: `SocialFailure`. */
function readAssertion(xml: string): SamlAssertion {
  const assertion = member(documentIn(xml), "Assertion");
  const confirmations = [member(member(assertion, "Subject"), "SubjectConfirmation")].flat();
  return {
    issuer: textAt(assertion, "Issuer"),
    confirmations: confirmations.map((one) => ({
      method: textAt(one, "Method"),
      inResponseTo: textAt(one, "SubjectConfirmationData", "InResponseTo"),
      recipient: textAt(one, "SubjectConfirmationData", "Recipient"),
      until: textAt(one, "SubjectConfirmationData", "NotOnOrAfter"),
    })),
  };
}

function documentIn(text: string): Document {
  if (text === "") throw new SocialFailure("there was no response");
  return documentOf({ status: 200, headers: new Headers({ "content-type": "application/xml" }), text });
}

/** Returns the text of an element or attribute; an element can have attributes in addition to its text. */
function textAt(document: Document, ...names: readonly string[]): string | null {
  const value = names.reduce<Document>(member, document);
  return scalar(value) ?? scalar(member(value, "#text"));
}

/** The tolerated clock difference, and the maximum age of an assertion, in milliseconds. */
const clockTolerance = 30_000;
const longestAge = 600_000;

/**
 * Returns the library, configured for one request: it refuses a response to any other request. It is an
 * optional package, loaded only if the provider is declared.
 */
async function samlFor(
  provider: Provider<SamlProvider>,
  { url, certificates }: IdentityProvider,
  requestId: string,
): Promise<SAML> {
  const { SAML: Library, ValidateInResponseTo } = await import("@node-saml/node-saml");
  const privateKey = privateKeyOf(provider.secret("sp_private_key") ?? "");
  const issuer = provider.text("sp_entity_id") ?? "";
  return new Library({
    callbackUrl: provider.callbackUrl,
    entryPoint: url,
    issuer,
    audience: issuer,
    idpCert: [...certificates],
    privateKey,
    decryptionPvk: privateKey,
    signatureAlgorithm: "sha256",
    digestAlgorithm: "sha256",
    // One of the two must be signed: the library reads only signed elements.
    wantAuthnResponseSigned: false,
    wantAssertionsSigned: false,
    // The identity provider decides on the user's id and the factors.
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    acceptedClockSkewMs: clockTolerance,
    maxAssertionAgeMs: longestAge,
    generateUniqueId: () => requestId,
    validateInResponseTo: ValidateInResponseTo.always,
    cacheProvider: onlyRequest(requestId),
  });
}

/** The store of requests that the library needs. It has only this request. */
function onlyRequest(requestId: string) {
  const begun = new Date().toISOString();
  return {
    saveAsync: () => Promise.resolve(null),
    getAsync: (id: string) => Promise.resolve(id === requestId ? begun : null),
    removeAsync: () => Promise.resolve(null),
  };
}

/** Returns the key in PEM. The text can be PEM, or only its base64. Errors: `SocialFailure`. */
function privateKeyOf(text: string): string {
  const der = Buffer.from(text, "base64");
  const formats: (() => KeyObject)[] = [
    () => createPrivateKey(text),
    () => createPrivateKey({ key: der, format: "der", type: "pkcs8" }),
    () => createPrivateKey({ key: der, format: "der", type: "pkcs1" }),
  ];
  for (const read of formats) {
    try {
      return read().export({ format: "pem", type: "pkcs8" }).toString();
    } catch {
      // Try the next format.
    }
  }
  throw new SocialFailure("sp_private_key is not a private key in PEM");
}

type Row = SamlProvider;

/** SAML 2.0, with the redirect binding for the request and the POST binding for the response. */
export function saml({ now }: ProtocolContext): Protocol<Row> {
  return { begin, finish: (callback) => finish(now, callback) };
}

async function begin({ provider, state, secrets, query }: Login<Row>): Promise<AuthorizationRequest> {
  const name = requireParameter("idp", query.get("idp"));
  const idp = identityProviders(provider).find((one) => one.name === name);
  if (idp === undefined) throw invalid([{ field: "idp", message: "is not in enabled_idps" }]);
  const library = await samlFor(provider, idp, requestIdOf(secrets.requestId, idp));
  return { location: new URL(await library.getAuthorizeUrlAsync(state, undefined, {})) };
}

async function finish(
  now: () => number,
  { provider, form, secrets }: ProviderCallback<Row>,
): Promise<Answers> {
  const text = requireField(form, "SAMLResponse");
  const response = readResponse(text);
  if (response.inResponseTo === null)
    throw invalid([{ field: "SAMLResponse", message: "answers no request" }]);
  const idp = identityProviders(provider).find(({ entityId }) => entityId === response.issuer);
  if (idp === undefined) throw new SocialFailure("the identity provider is not in enabled_idps");
  const requestId = requestIdOf(secrets.requestId, idp);
  if (response.inResponseTo !== requestId) throw new SocialFailure("it answers another request");
  if (response.destination !== null && response.destination !== provider.callbackUrl)
    throw new SocialFailure("it was sent to another address");
  if (!response.isSuccess) throw new SocialFailure("the identity provider refused");
  const profile = await verified(provider, idp, requestId, text);
  requireMeant(profile, idp, { requestId, recipient: provider.callbackUrl, now: now() });
  return { saml: personOf(profile, idp) };
}

/**
 * The id of the request contains the identity provider's name, so that no other identity provider can respond
 * to it.
 */
function requestIdOf(id: string, { name }: IdentityProvider): string {
  return `${id}.${name}`;
}

/** Returns the profile after checking signature, audience, times and request. Errors: `SocialFailure`. */
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
    // The first words of a message never come from the response.
    const [words = "malformed"] = /^[A-Z][\w ,'-]{1,100}/.exec(reason) ?? [];
    throw new SocialFailure(`the response was refused: ${words}`);
  }
  throw new SocialFailure("the response has no user");
}

/** Checks the issuer of the assertion and its bearer confirmation, which the library does not check. */
function requireMeant(
  profile: Profile,
  { entityId }: IdentityProvider,
  { requestId, recipient, now }: { requestId: string; recipient: string; now: number },
): void {
  const { issuer, confirmations } = readAssertion(profile.getAssertionXml?.() ?? "");
  if (issuer !== entityId) throw new SocialFailure("the assertion is from another identity provider");
  const isMeant = confirmations.some(
    (one) =>
      one.method === "urn:oasis:names:tc:SAML:2.0:cm:bearer" &&
      one.inResponseTo === requestId &&
      one.recipient === recipient &&
      Date.parse(one.until ?? "") > now,
  );
  if (!isMeant) throw new SocialFailure("the assertion is not for this sign-in");
}

/** Returns all attributes, the user's data found in them, and the identity provider's name. */
function personOf(profile: Profile, { name, attributes: named }: IdentityProvider): Document {
  const attributes: Document = profile["attributes"] ?? {};
  const read = (attribute: string) =>
    attribute === subjectName ? permanentNameOf(profile) : scalar([member(attributes, attribute)].flat()[0]);
  const person = samlParts.map((part) => {
    const { [part]: custom } = named;
    const sources = custom === undefined ? samlAttributes[part] : [custom];
    return [part, sources.map(read).find((text) => text !== null) ?? null] as const;
  });
  return { ...(typeof attributes === "object" && attributes), ...Object.fromEntries(person), idp: name };
}

/** Returns the NameID; null if it is transient, so new at each sign-in. */
function permanentNameOf({ nameID, nameIDFormat }: Profile): string | null {
  return nameIDFormat?.endsWith(":transient") ? null : nameID || null;
}
