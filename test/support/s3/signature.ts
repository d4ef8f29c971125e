import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { S3Error } from "./call.ts";

/** A request as it stands on the wire, but for its body. */
export interface SignedRequest {
  readonly method: string;
  /** Decoded. */
  readonly path: string;
  /** Decoded, in any order. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** By names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
}

/** Who may sign, and for where. */
export interface SignerSettings {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

const algorithm = "AWS4-HMAC-SHA256";
const longestSkewMs = 15 * 60_000;
const longestExpirySeconds = 604_800;

interface Claim {
  readonly accessKeyId: string;
  readonly scope: readonly string[];
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly at: string;
  readonly payloadHash: string;
}

/** How a request was signed. Error: that of S3, 400 or 403, where a signature is wrong, old, or leaves out what it must cover. */
export function verifySignature(
  request: SignedRequest,
  settings: SignerSettings,
  now: number,
): "headers" | "query" | "none" {
  const inQuery = request.query.some(([name]) => name === "X-Amz-Signature");
  const authorization = request.headers.get("authorization");
  if (inQuery && authorization !== undefined)
    throw new S3Error(400, "InvalidArgument", "Only one auth mechanism allowed");
  if (inQuery) {
    const claim = claimInQuery(request, now);
    requireMatch(request, claim, settings);
    return "query";
  }
  if (authorization === undefined) return "none";
  const claim = claimInHeaders(request, authorization);
  if (Math.abs(timeOf(claim.at) - now) > longestSkewMs)
    throw new S3Error(403, "RequestTimeTooSkewed", "the difference is too large");
  requireMatch(request, claim, settings);
  return "headers";
}

function claimInHeaders({ headers }: SignedRequest, authorization: string): Claim {
  const said =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      authorization,
    );
  const at = headers.get("x-amz-date");
  const payloadHash = headers.get("x-amz-content-sha256");
  if (said === null)
    throw new S3Error(400, "AuthorizationHeaderMalformed", "The authorization header is malformed.");
  if (at === undefined)
    throw new S3Error(403, "AccessDenied", "AWS authentication requires a valid Date or x-amz-date header");
  if (payloadHash === undefined) throw new S3Error(400, "InvalidRequest", "no x-amz-content-sha256");
  const [, credential = "", signedHeaders = "", signature = ""] = said;
  const [accessKeyId = "", ...scope] = credential.split("/");
  return { accessKeyId, scope, signedHeaders: signedHeaders.split(";"), signature, at, payloadHash };
}

function claimInQuery({ query }: SignedRequest, now: number): Claim {
  const said = (name: string): string => {
    const values = query.filter(([other]) => other === name).map(([, value]) => value);
    const [value] = values;
    if (value === undefined || values.length > 1)
      throw new S3Error(400, "AuthorizationQueryParametersError", `${name} must stand once.`);
    return value;
  };
  const at = said("X-Amz-Date");
  const expires = said("X-Amz-Expires");
  if (said("X-Amz-Algorithm") !== algorithm)
    throw new S3Error(400, "AuthorizationQueryParametersError", "another algorithm");
  if (!/^\d{1,6}$/.test(expires) || Number(expires) < 1 || Number(expires) > longestExpirySeconds)
    throw new S3Error(400, "AuthorizationQueryParametersError", "X-Amz-Expires must be less than a week");
  if (timeOf(at) - longestSkewMs > now) throw new S3Error(403, "AccessDenied", "Request is not valid yet");
  if (timeOf(at) + Number(expires) * 1000 < now)
    throw new S3Error(403, "AccessDenied", "Request has expired");
  const [accessKeyId = "", ...scope] = said("X-Amz-Credential").split("/");
  return {
    accessKeyId,
    scope,
    signedHeaders: said("X-Amz-SignedHeaders").split(";"),
    signature: said("X-Amz-Signature"),
    at,
    payloadHash: query.find(([name]) => name === "X-Amz-Content-Sha256")?.[1] ?? "UNSIGNED-PAYLOAD",
  };
}

function requireMatch(request: SignedRequest, claim: Claim, settings: SignerSettings): void {
  const { accessKeyId, secretAccessKey, region } = settings;
  const [day = "", ofRegion, service, end] = claim.scope;
  if (accessKeyId !== claim.accessKeyId)
    throw new S3Error(403, "InvalidAccessKeyId", "the key does not exist");
  if (
    claim.scope.length !== 4 ||
    day !== claim.at.slice(0, 8) ||
    service !== "s3" ||
    end !== "aws4_request" ||
    ofRegion !== region
  )
    throw new S3Error(400, "AuthorizationHeaderMalformed", `expecting '${region}'`);
  const unsigned = [...request.headers.keys()].filter(
    (name) => /^(?:host|content-md5|x-amz-.*)$/.test(name) && !claim.signedHeaders.includes(name),
  );
  if (unsigned.length > 0 || !claim.signedHeaders.includes("host"))
    throw new S3Error(403, "AccessDenied", `not signed: ${unsigned}`);
  const key = [day, region, "s3", "aws4_request"].reduce<Buffer>(
    (secret, part) => createHmac("sha256", secret).update(part).digest(),
    Buffer.from(`AWS4${secretAccessKey}`),
  );
  const canonical = createHash("sha256").update(canonicalRequest(request, claim)).digest("hex");
  const text = [algorithm, claim.at, claim.scope.join("/"), canonical].join("\n");
  const expected = createHmac("sha256", key).update(text).digest();
  const sent = Buffer.from(claim.signature, "hex");
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected))
    throw new S3Error(403, "SignatureDoesNotMatch", "the signature does not match");
}

function canonicalRequest({ method, path, query, headers }: SignedRequest, claim: Claim): string {
  const pairs = query
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([a, x], [b, y]) => (a === b ? compare(x, y) : compare(a, b)));
  const lines = claim.signedHeaders.map((name) => {
    const value = headers.get(name);
    if (value === undefined)
      throw new S3Error(403, "SignatureDoesNotMatch", `The signed header ${name} is not there.`);
    return `${name}:${value.trim().replace(/ +/g, " ")}\n`;
  });
  return [
    method,
    path.split("/").map(encode).join("/"),
    pairs.map((pair) => pair.join("=")).join("&"),
    lines.join(""),
    claim.signedHeaders.join(";"),
    claim.payloadHash,
  ].join("\n");
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** As RFC 3986 has it, and S3. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Of `20260131T235959Z`. Error: 403 `AccessDenied`. */
function timeOf(text: string): number {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
  if (parts.length !== 6)
    throw new S3Error(403, "AccessDenied", "X-Amz-Date must be in the ISO8601 Long Format");
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
