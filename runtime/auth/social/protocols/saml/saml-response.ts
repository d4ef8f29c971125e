import { type Document, documentOf, member, scalar } from "../../outbound/index.ts";
import { SocialFailure } from "../../social-failure.ts";

/** What a response says of itself. Nothing of it is proven before its signature was checked. */
export interface SamlResponse {
  readonly issuer: string | null;
  /** The request that it answers; null for one that nobody asked for. */
  readonly inResponseTo: string | null;
  readonly destination: string | null;
  readonly isSuccess: boolean;
}

/** Whom an assertion is from, and whom else it is for. */
export interface SamlAssertion {
  readonly issuer: string | null;
  readonly confirmations: readonly Confirmation[];
}

/** How whoever brings an assertion proves that it is about them. */
export interface Confirmation {
  readonly method: string | null;
  readonly inResponseTo: string | null;
  readonly recipient: string | null;
  readonly until: string | null;
}

const success = "urn:oasis:names:tc:SAML:2.0:status:Success";

/** Reads a response strictly: what has a document type, or is no XML, goes to no other parser. Errors: `SocialFailure`. */
export function readResponse(base64: string): SamlResponse {
  const document = documentIn(Buffer.from(base64, "base64").toString("utf8"));
  return {
    issuer: textAt(document, "Response", "Issuer") ?? textAt(document, "Response", "Assertion", "Issuer"),
    inResponseTo: textAt(document, "Response", "InResponseTo"),
    destination: textAt(document, "Response", "Destination"),
    isSuccess: textAt(document, "Response", "Status", "StatusCode", "Value") === success,
  };
}

/** Reads an assertion whose signature was checked. Errors: `SocialFailure`. */
export function readAssertion(xml: string): SamlAssertion {
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

/** The text of an element or attribute; an element may have attributes beside it. */
function textAt(document: Document, ...names: readonly string[]): string | null {
  const value = names.reduce<Document>(member, document);
  return scalar(value) ?? scalar(member(value, "#text"));
}
