import { randomUUID } from "node:crypto";
import { Constants, IdentityProvider, ServiceProvider, setSchemaValidator } from "samlify";
import { samlKeys } from "./saml-keys.ts";

setSchemaValidator({ validate: () => Promise.resolve("not checked") });

/** The service, as identity providers know it. */
export const samlService = {
  entityId: "https://app.example.com/saml",
  callback: "https://app.example.com/auth/saml/callback",
} as const;

/** The content of a response. */
export interface SamlSays {
  readonly issuer: string;
  /** Default as the response. */
  readonly assertionIssuer?: string;
  readonly inResponseTo: string | null;
  readonly subjectInResponseTo: string | null;
  readonly destination: string;
  readonly recipient: string;
  readonly audience: string;
  readonly status: string;
  readonly from: number;
  readonly until: number;
  readonly confirmedUntil: number;
  /** The address of another service that may use the assertion, for longer. */
  readonly alsoFor?: string;
  readonly nameId: string;
  readonly nameIdFormat: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** What is signed of a response. */
export type Signed = "assertion" | "both" | "message";

type Keys = (typeof samlKeys)[keyof typeof samlKeys];

const persistent = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent";

/** An identity provider, by a library that others use for it: it checks the requests, and signs the responses. */
export class SamlServer {
  readonly entityId: string;
  readonly url: string;
  readonly #keys: Keys;

  constructor(host: string, keys: Keys) {
    this.entityId = `https://${host}/metadata`;
    this.url = `https://${host}/login`;
    this.#keys = keys;
  }

  /** The id of the request that the browser brought. Throws unless the service has signed it. */
  async requestIn(location: URL): Promise<string> {
    const { SAMLRequest, RelayState, SigAlg, Signature } = Object.fromEntries(location.searchParams);
    if (location.origin + location.pathname !== this.url) throw new Error("it is for another address");
    const octetString = [
      ["SAMLRequest", SAMLRequest],
      ["RelayState", RelayState],
      ["SigAlg", SigAlg],
    ]
      .map(([name, value]) => `${name}=${encodeURIComponent(value ?? "")}`)
      .join("&");
    const query = { SAMLRequest, RelayState, SigAlg, Signature };
    const { extract } = await this.#idp().parseLoginRequest(this.#sp("assertion"), "redirect", {
      query,
      octetString,
    });
    if (extract.issuer !== samlService.entityId) throw new Error("it is from another service");
    const { id, assertionConsumerServiceUrl: answerTo } = extract.request ?? {};
    if (answerTo !== samlService.callback) throw new Error(`it wants the answer at ${answerTo}`);
    return String(id);
  }

  /** What a right answer says. */
  says(request: string): SamlSays {
    const now = Date.now();
    return {
      issuer: this.entityId,
      inResponseTo: request,
      subjectInResponseTo: request,
      destination: samlService.callback,
      recipient: samlService.callback,
      audience: samlService.entityId,
      status: "urn:oasis:names:tc:SAML:2.0:status:Success",
      from: now - 1000,
      until: now + 300_000,
      confirmedUntil: now + 300_000,
      nameId: "name-1",
      nameIdFormat: persistent,
      attributes: {
        "urn:oid:0.9.2342.19200300.100.1.1": "ann",
        "urn:oid:0.9.2342.19200300.100.1.3": "ann@example.edu",
        "urn:oid:2.5.4.42": "Ann",
        "urn:oid:2.5.4.4": "Lee",
      },
    };
  }

  /** A response in base64, signed with this provider's key, and encrypted for the service where that is wanted. */
  async respond(says: SamlSays, signed: Signed = "assertion", encrypted = false): Promise<string> {
    const request = { extract: { request: { id: says.inResponseTo ?? "" } } };
    const { context } = await this.#idp(encrypted).createLoginResponse(
      this.#sp(signed),
      request,
      "post",
      {},
      { customTagReplacement: () => ({ id: "_response", context: responseXml(says) }) },
    );
    return context;
  }

  #idp(isAssertionEncrypted = false) {
    return IdentityProvider({
      entityID: this.entityId,
      privateKey: this.#keys.key,
      signingCert: this.#keys.cert,
      wantAuthnRequestsSigned: true,
      isAssertionEncrypted,
      requestSignatureAlgorithm: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
      singleSignOnService: [{ Binding: Constants.namespace.binding.redirect, Location: this.url }],
    });
  }

  #sp(signed: Signed) {
    return ServiceProvider({
      entityID: samlService.entityId,
      authnRequestsSigned: true,
      signingCert: samlKeys.service.cert,
      encryptCert: samlKeys.service.cert,
      requestSignatureAlgorithm: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
      wantAssertionsSigned: signed !== "message",
      wantMessageSigned: signed !== "assertion",
      assertionConsumerService: [
        { Binding: Constants.namespace.binding.post, Location: samlService.callback },
      ],
    });
  }
}

/** The response before it is signed. */
export function responseXml(says: SamlSays): string {
  const moment = (milliseconds: number) => new Date(milliseconds).toISOString();
  const { issuer, inResponseTo, subjectInResponseTo: subject } = says;
  const answered = subject === null ? "" : ` InResponseTo="${subject}"`;
  const confirmation = (recipient: string, until: number) =>
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${moment(until)}" Recipient="${recipient}"${answered}/></saml:SubjectConfirmation>`;
  const attributes = Object.entries(says.attributes).map(
    ([name, value]) =>
      `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`,
  );
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomUUID()}" Version="2.0" IssueInstant="${moment(Date.now())}" Destination="${says.destination}"${inResponseTo === null ? "" : ` InResponseTo="${inResponseTo}"`}><saml:Issuer>${issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="${says.status}"/></samlp:Status><saml:Assertion ID="_${randomUUID()}" Version="2.0" IssueInstant="${moment(says.from)}"><saml:Issuer>${says.assertionIssuer ?? issuer}</saml:Issuer><saml:Subject><saml:NameID Format="${says.nameIdFormat}">${says.nameId}</saml:NameID>${confirmation(says.recipient, says.confirmedUntil)}${says.alsoFor === undefined ? "" : confirmation(says.alsoFor, Date.now() + 300_000)}</saml:Subject><saml:Conditions NotBefore="${moment(says.from)}" NotOnOrAfter="${moment(says.until)}"><saml:AudienceRestriction><saml:Audience>${says.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${moment(says.from)}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement>${attributes.join("")}</saml:AttributeStatement></saml:Assertion></samlp:Response>`;
}
