import type { OpenId2Provider } from "../../../../../../vocabulary/social/provider.ts";
import { isLoopback } from "../../../../../../vocabulary/social/provider-settings.ts";
import { invalid } from "../../../../../core/errors/index.ts";
import type { Answers } from "../../conversation/paths.ts";
import type { Provider } from "../../declared-provider.ts";
import type { Outbound } from "../../outbound.ts";
import { SocialFailure } from "../../social-failure.ts";
import { requireNoError, returnAddress } from "../browser-parameters.ts";
import { formType, requestDocument } from "../calls.ts";
import type {
  AuthorizationRequest,
  Login,
  Protocol,
  ProtocolContext,
  ProviderCallback,
} from "../protocol.ts";
import {
  identifierOf,
  isOwnHost,
  OpenIdDiscovery,
  takesIdentifier,
  withoutFragment,
} from "./openid-discovery.ts";

/** The version of the protocol, which each message names. */
const openId2 = "http://specs.openid.net/auth/2.0";

/** The fields that must be signed (OpenID 2.0, 10.1). */
const mustBeSigned = ["op_endpoint", "return_to", "response_nonce", "assoc_handle", "claimed_id", "identity"];

/** The maximum age of a response, and the tolerated clock difference, in milliseconds. */
const longestAge = 300_000;
const clockTolerance = 60_000;

/** Returns the signed fields without `openid.`. Errors: 400 `VALIDATION_ERROR`, `SocialFailure`. */
function signedFields(form: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const mode = form.get("openid.mode") ?? "";
  if (mode === "") throw invalid([{ field: "openid.mode", message: "is required" }]);
  if (mode === "cancel") throw new SocialFailure("the user refused", "cancelled");
  if (mode !== "id_res") throw new SocialFailure("the provider refused");
  if (form.get("openid.ns") !== openId2) throw new SocialFailure("the response does not use OpenID 2.0");
  const names = (form.get("openid.signed") ?? "").split(",");
  const fields = new Map(names.map((name) => [name, form.get(`openid.${name}`) ?? ""]));
  if (!mustBeSigned.every((name) => fields.has(name) && fields.get(name) !== ""))
    throw new SocialFailure("a required field is not signed");
  return fields;
}

/** Checks the age of the response, whose time is the start of its nonce. Errors: `SocialFailure`. */
function requireFresh(nonce: string, now: number): void {
  const [, moment = ""] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)[\x21-\x7e]*$/.exec(nonce) ?? [];
  const age = now - Date.parse(moment);
  if (!(age <= longestAge && age >= -clockTolerance))
    throw new SocialFailure("the response is too old, or from the future");
}

/**
 * Asks the server whether it signed this response (OpenID 2.0, 11.4.2). The server confirms each response
 * once, so a replay is refused. Errors: `SocialFailure`.
 */
async function requireSigned(
  outbound: Outbound,
  endpoint: URL,
  form: ReadonlyMap<string, string>,
): Promise<void> {
  const fields = [...form].filter(([name]) => name.startsWith("openid."));
  const request = new Map([...fields, ["openid.mode", "check_authentication"] as const]);
  const body = new URLSearchParams([...request]).toString();
  const { text } = await outbound.ask({ method: "POST", url: endpoint, headers: formType, body });
  if (!text.split("\n").some((line) => line.trim() === "is_valid:true"))
    throw new SocialFailure("the server did not confirm the response");
}

const registrationNamespace = "http://openid.net/extensions/sreg/1.1";
const exchangeNamespace = "http://openid.net/srv/ax/1.0";

/** The requested attributes: their names in simple registration and their types in attribute exchange. */
const attributes = {
  email: { simple: "email", type: "contact/email", openIdType: "contact/internet/email" },
  fullname: { simple: "fullname", type: "namePerson", openIdType: "namePerson" },
  first_name: { simple: null, type: "namePerson/first", openIdType: "namePerson/first" },
  last_name: { simple: null, type: "namePerson/last", openIdType: "namePerson/last" },
} as const;

type Name = keyof typeof attributes;

function typesOf({ attributes: names }: OpenId2Provider): readonly (readonly [Name, string])[] {
  return Object.entries(attributes).map(([name, { type, openIdType }]) =>
    names === "openid-schema"
      ? [name as Name, `http://openid.net/schema/${openIdType}`]
      : [name as Name, `http://axschema.org/${type}`],
  );
}

/** Requests name and e-mail by both extensions: a server supports one of them, or none. */
function attributeRequest(row: OpenId2Provider): Readonly<Record<string, string>> {
  const types = typesOf(row);
  return {
    "openid.ns.sreg": registrationNamespace,
    "openid.sreg.optional": "email,fullname,nickname",
    "openid.ns.ax": exchangeNamespace,
    "openid.ax.mode": "fetch_request",
    ...Object.fromEntries(types.map(([name, type]) => [`openid.ax.type.${name}`, type])),
    "openid.ax.required": types.map(([name]) => name).join(","),
  };
}

/** Returns the attributes among the signed fields. */
function attributesIn(row: OpenId2Provider, signed: ReadonlyMap<string, string>): Record<string, string> {
  const simple = aliasOf(signed, registrationNamespace);
  const exchanged = aliasOf(signed, exchangeNamespace);
  const found = typesOf(row).map(([name, type]) => {
    const { simple: key } = attributes[name];
    const value = (key !== null && simple !== null && signed.get(`${simple}.${key}`)) || "";
    return [name, value || exchangedValue(signed, exchanged, type)] as const;
  });
  return Object.fromEntries(found.filter(([, value]) => value !== ""));
}

/** Servers declare their own aliases for extensions and attributes. */
function aliasOf(signed: ReadonlyMap<string, string>, namespace: string): string | null {
  const declared = [...signed].find(([name, value]) => name.startsWith("ns.") && value === namespace);
  return declared?.[0].slice("ns.".length) ?? null;
}

function exchangedValue(signed: ReadonlyMap<string, string>, alias: string | null, type: string): string {
  const prefix = `${alias}.type.`;
  const declared = [...signed].find(([name, value]) => name.startsWith(prefix) && value === type);
  const attribute = declared?.[0].slice(prefix.length);
  return signed.get(`${alias}.value.${attribute}`) ?? signed.get(`${alias}.value.${attribute}.1`) ?? "";
}

type Row = OpenId2Provider;

/** Asks the server to let the user choose an identity. */
const identifierSelect = `${openId2}/identifier_select`;

/** OpenID 2.0 without associations: a call to the server verifies each response. */
export class OpenId2 implements Protocol<Row> {
  readonly #context: ProtocolContext;
  readonly #discovery: OpenIdDiscovery;

  constructor(context: ProtocolContext) {
    this.#context = context;
    this.#discovery = new OpenIdDiscovery(context);
  }

  readonly begin = async ({ provider, state, query }: Login<Row>): Promise<AuthorizationRequest> => {
    const identifier = identifierOf(provider, query);
    const { endpoint, isServer, localId } = await this.#discovery.of(provider, identifier);
    const returnTo = returnAddress(provider, state);
    const location = new URL(endpoint);
    const parameters = {
      "openid.ns": openId2,
      "openid.mode": "checkid_setup",
      "openid.claimed_id": isServer ? identifierSelect : identifier.href,
      "openid.identity": isServer ? identifierSelect : (localId ?? identifier.href),
      "openid.return_to": returnTo,
      "openid.realm": `${new URL(returnTo).origin}/`,
      ...attributeRequest(provider.row),
    };
    for (const [name, value] of Object.entries(parameters)) location.searchParams.set(name, value);
    return { location };
  };

  readonly finish = async ({ provider, form, state }: ProviderCallback<Row>): Promise<Answers> => {
    requireNoError(form);
    const signed = signedFields(form);
    const read = (name: string) => signed.get(name) ?? "";
    if (read("return_to") !== returnAddress(provider, state))
      throw new SocialFailure("return_to is not the callback address of this sign-in");
    requireFresh(read("response_nonce"), this.#context.now());
    const claimed = identityIn(provider, read("claimed_id"));
    const endpoint = await this.#endpoint(provider, claimed, read("identity"));
    if (!isSameAddress(read("op_endpoint"), endpoint.href))
      throw new SocialFailure("op_endpoint is not the server of the identity");
    await requireSigned(this.#context.outbound, endpoint, form);
    const openid = { ...attributesIn(provider.row, signed), identity_url: read("claimed_id") };
    return this.#profile(provider, { form: Object.fromEntries(form), openid });
  };

  /** Returns the provider's server, or the one that the identity's address announces (OpenID 2.0, 11.2). */
  async #endpoint(provider: Provider<Row>, claimed: URL, local: string): Promise<URL> {
    if (!takesIdentifier(provider)) {
      const server = identifierOf(provider, new URLSearchParams());
      return (await this.#discovery.of(provider, server)).endpoint;
    }
    const { endpoint, isServer, localId } = await this.#discovery.of(provider, overTls(claimed));
    const expected = localId ?? withoutFragment(claimed).href;
    if (isServer || !isSameAddress(local, expected))
      throw new SocialFailure("the address announces another identity");
    return endpoint;
  }

  async #profile(provider: Provider<Row>, answers: Answers): Promise<Answers> {
    const { profile: call } = provider.row;
    if (call === undefined) return answers;
    const lookup = provider.lookup(answers);
    const parts = { call, setting: "userinfo_url", accessToken: "", lookup };
    return { ...answers, profile: await requestDocument(this.#context, provider, parts) };
  }
}

/** Returns the URL of an identity. Errors: `SocialFailure` if it is not one of this provider. */
function identityIn(provider: Provider<Row>, text: string): URL {
  const prefix = prefixOf(provider);
  const isWhole = prefix === "" || /^[\w-]+$/.test(text.slice(prefix.length));
  if (!text.startsWith(prefix) || !isWhole || !/^https?:/.test(text) || !URL.canParse(text))
    throw new SocialFailure("the identity does not belong to this provider");
  const claimed = new URL(text);
  if (!isOwnHost(provider, claimed)) throw new SocialFailure("the identity is at another host");
  return claimed;
}

/** Returns the prefix of the provider's identities, below the address of the server in the settings. */
function prefixOf({ row: { identityPrefix = "", url }, text }: Provider<Row>): string {
  const server = text("openid_url");
  if (server === null || identityPrefix === "") return identityPrefix;
  return server.replace(/\/+$/, "") + identityPrefix.slice(url.length);
}

/** Compares two addresses, which can be malformed. */
function isSameAddress(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;
}

/** An http response could be changed on the way, so an http identity is looked up over https. */
function overTls(claimed: URL): URL {
  const address = withoutFragment(claimed);
  if (!isLoopback(address.href)) address.protocol = "https:";
  return address;
}
