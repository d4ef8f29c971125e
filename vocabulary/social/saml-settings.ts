import { isJsonObject } from "../json.ts";
import { didYouMean } from "../nearest.ts";

/** The value for the NameID of the subject instead of an attribute, in settings and in `samlAttributes`. */
export const subjectName = "name_id";

/** The default SAML attributes of the user's data. Settings of an identity provider can name others. */
export const samlAttributes = {
  user_permanent_id: ["urn:oid:0.9.2342.19200300.100.1.1", subjectName],
  email: [
    "urn:oid:0.9.2342.19200300.100.1.3",
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress",
    "email",
    "mail",
  ],
  first_name: [
    "urn:oid:2.5.4.42",
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname",
    "first_name",
    "givenName",
  ],
  last_name: [
    "urn:oid:2.5.4.4",
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname",
    "last_name",
    "surname",
  ],
  full_name: ["urn:oid:2.5.4.3", "http://schemas.microsoft.com/identity/claims/displayname", "fullName"],
} as const;

/** A key of `samlAttributes`. */
export type SamlPart = keyof typeof samlAttributes;

export const samlParts = Object.keys(samlAttributes).filter(
  (part): part is SamlPart => part in samlAttributes,
);

/** A name in `enabled_idps`. It becomes a part of URLs and of request ids. */
const nameForm = /^[\w-][\w.-]{0,62}$/;

const texts = ["entity_id", "url", "x509cert", "slo_url", "attr_username"];
const known = [...texts, "x509certMulti", ...samlParts.map((part) => `attr_${part}`)];

/** Returns the error of `enabled_idps`, or null. */
export function identityProvidersProblem(
  value: unknown,
  isAddress: (text: string) => boolean,
): string | null {
  if (!isJsonObject(value) || Object.keys(value).length === 0)
    return "must be an object of identity providers by their names";
  for (const [name, one] of Object.entries(value)) {
    const error = nameForm.test(name)
      ? identityProviderError(one, isAddress)
      : "a name can have letters, digits, `.`, `_` and `-`";
    if (error !== null) return `has an error at "${name}": ${error}`;
  }
  const ids = Object.values(value).map((one) => (isJsonObject(one) ? one["entity_id"] : null));
  return new Set(ids).size === ids.length ? null : "has an entity_id twice";
}

function identityProviderError(one: unknown, isAddress: (text: string) => boolean): string | null {
  if (!isJsonObject(one)) return "must be an object";
  const { entity_id, url } = one;
  if (!isText(entity_id)) return "entity_id must be a text";
  if (!isText(url) || !isAddress(url))
    return "url must be an https address (http only for loopback addresses)";
  const certificates = certificatesOf(one);
  if (certificates.length === 0) return "x509cert or x509certMulti is missing";
  if (!certificates.every(isCertificate)) return "a certificate must be in PEM, or its base64";
  for (const [key, value] of Object.entries(one)) {
    if (!known.includes(key))
      return `"${key}" is not a setting; ${didYouMean(key, known) ?? `it has ${known.join(", ")}`}`;
    if (key !== "x509certMulti" && !isText(value)) return `${key} must be a text`;
  }
  return null;
}

/** Returns the signing certificates of an identity provider. It has several while it rotates its keys. */
export function certificatesOf(idp: Readonly<Record<string, unknown>>): readonly unknown[] {
  const { x509cert, x509certMulti } = idp;
  const several = isJsonObject(x509certMulti) ? x509certMulti["signing"] : x509certMulti;
  return [...(x509cert === undefined ? [] : [x509cert]), ...(Array.isArray(several) ? several : [])];
}

function isCertificate(value: unknown): boolean {
  return isText(value) && /^[A-Za-z0-9+/=\s]+$/.test(value.replace(/-----(BEGIN|END) CERTIFICATE-----/g, ""));
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
