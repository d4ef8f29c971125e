import { createHmac } from "node:crypto";

/** A key and the secret that belongs to it: those of the app, or of a token. */
export interface Credentials {
  readonly key: string;
  readonly secret: string;
}

type Parameters = Readonly<Record<string, string>>;

/** What is signed of a request without a body: its method, address, query and the parameters of the protocol (RFC 5849, 3.4.1). */
export function signatureBase(method: "GET" | "POST", url: URL, parameters: Parameters): string {
  const pairs = [...url.searchParams, ...Object.entries(parameters)]
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort((one, other) => inOrder(one[0], other[0]) || inOrder(one[1], other[1]))
    .map((pair) => pair.join("="));
  return [method, `${url.protocol}//${url.host}${url.pathname}`, pairs.join("&")].map(encode).join("&");
}

/** HMAC-SHA1 of it (RFC 5849, 3.4.2). */
export function oauth1Signature(base: string, app: Credentials, token: Credentials | null): string {
  const key = `${encode(app.secret)}&${encode(token?.secret ?? "")}`;
  return createHmac("sha1", key).update(base).digest("base64");
}

/** The header that carries the parameters (RFC 5849, 3.5.1). */
export function authorizationHeader(parameters: Parameters): string {
  const pairs = Object.entries(parameters).map(([name, value]) => `${encode(name)}="${encode(value)}"`);
  return `OAuth ${pairs.join(", ")}`;
}

/** Percent-encoding of RFC 5849, 3.6: all but letters, digits and `-._~`. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** By bytes: what is encoded is ASCII. */
function inOrder(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
