import { createHash } from "node:crypto";
import { checksums } from "./checksums.ts";
import { S3Error } from "./s3-error.ts";

type Headers = ReadonlyMap<string, string>;

/** A body that is what it says. */
export interface Payload {
  readonly content: Buffer;
  /** The header of the checksum that was sent with it, and its value; SDKs send one. */
  readonly checksum: readonly [name: string, value: string] | null;
}

/** Takes what came over the wire apart, and checks each sum that was sent with it. Error: that of S3, 400. */
export function readPayload(body: Buffer, headers: Headers): Payload {
  const hash = headers.get("x-amz-content-sha256") ?? "UNSIGNED-PAYLOAD";
  const { content, trailers } = hash.startsWith("STREAMING-")
    ? unchunked(body, headers, hash)
    : { content: body, trailers: headers };
  if (/^[0-9a-f]{64}$/.test(hash)) {
    if (createHash("sha256").update(content).digest("hex") !== hash)
      throw new S3Error(
        400,
        "XAmzContentSHA256Mismatch",
        "The provided 'x-amz-content-sha256' header does not match what was computed.",
      );
  } else if (hash !== "UNSIGNED-PAYLOAD" && !hash.startsWith("STREAMING-"))
    throw new S3Error(
      400,
      "InvalidArgument",
      "x-amz-content-sha256 must be UNSIGNED-PAYLOAD, or a valid sha256 value.",
    );
  const md5 = headers.get("content-md5");
  if (md5 !== undefined && md5 !== createHash("md5").update(content).digest("base64"))
    throw new S3Error(400, "BadDigest", "The Content-MD5 you specified did not match what we received.");
  return { content, checksum: checkedSum(content, new Map([...headers, ...trailers])) };
}

function checkedSum(content: Buffer, headers: Headers): Payload["checksum"] {
  const sent = [...headers].filter(([name]) => /^x-amz-checksum-(?!algorithm$|mode$|type$)/.test(name));
  if (sent.length > 1) throw new S3Error(400, "InvalidRequest", "Expecting a single x-amz-checksum- header.");
  const [pair] = sent;
  if (pair === undefined) return null;
  const [name, value] = pair;
  const sum = checksums.get(name);
  if (sum === undefined) throw new S3Error(501, "NotImplemented", `no ${name} here`);
  if (sum(content) !== value)
    throw new S3Error(400, "BadDigest", `The ${name} you specified did not match the calculated checksum.`);
  return pair;
}

/** Of `aws-chunked`, whose chunks are not signed one by one. */
function unchunked(body: Buffer, headers: Headers, hash: string): { content: Buffer; trailers: Headers } {
  if (hash !== "STREAMING-UNSIGNED-PAYLOAD-TRAILER")
    throw new S3Error(501, "NotImplemented", `no ${hash} here`);
  const length = Number(headers.get("x-amz-decoded-content-length") ?? Number.NaN);
  if (!headers.get("content-encoding")?.split(",").includes("aws-chunked") || Number.isNaN(length))
    throw new S3Error(411, "MissingContentLength", "You must provide the Content-Length HTTP header.");
  const chunks: Buffer[] = [];
  let position = 0;
  for (;;) {
    const end = body.indexOf("\r\n", position);
    const size = Number.parseInt(body.toString("latin1", position, end), 16);
    if (end < 0 || Number.isNaN(size)) throw incomplete();
    position = end + 2;
    if (size === 0) break;
    chunks.push(body.subarray(position, position + size));
    position += size;
    if (body.toString("latin1", position, position + 2) !== "\r\n") throw incomplete();
    position += 2;
  }
  const content = Buffer.concat(chunks);
  if (content.length !== length) throw incomplete();
  return { content, trailers: trailersIn(body.toString("latin1", position), headers) };
}

function trailersIn(text: string, headers: Headers): Headers {
  const announced =
    headers
      .get("x-amz-trailer")
      ?.split(",")
      .map((name) => name.trim()) ?? [];
  const trailers = new Map(
    text
      .split("\r\n")
      .filter((line) => line !== "")
      .map((line) => [
        line.slice(0, line.indexOf(":")).toLowerCase(),
        line.slice(line.indexOf(":") + 1).trim(),
      ]),
  );
  if (announced.length !== trailers.size || announced.some((name) => !trailers.has(name)))
    throw new S3Error(
      400,
      "MalformedTrailerError",
      "The request contained trailing data that was not well-formed.",
    );
  return trailers;
}

function incomplete(): S3Error {
  return new S3Error(400, "IncompleteBody", "The request body terminated unexpectedly");
}
