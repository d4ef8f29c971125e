import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { S3Error } from "./s3-error.ts";

/** A body that is what it says. */
export interface Payload {
  readonly content: Buffer;
  /** The header of the checksum that was sent with it, and its value; SDKs send one. */
  readonly checksum: readonly [name: string, value: string] | null;
}

const sumName = "x-amz-checksum-crc32";

/** Checks each sum that was sent with a body. Error: that of S3, 400; 501 for sums and encodings that Kirak does not send. */
export function readPayload(content: Buffer, headers: ReadonlyMap<string, string>): Payload {
  const hash = headers.get("x-amz-content-sha256") ?? "UNSIGNED-PAYLOAD";
  if (/^[0-9a-f]{64}$/.test(hash)) {
    if (createHash("sha256").update(content).digest("hex") !== hash)
      throw new S3Error(
        400,
        "XAmzContentSHA256Mismatch",
        "The provided 'x-amz-content-sha256' header does not match what was computed.",
      );
  } else if (hash !== "UNSIGNED-PAYLOAD") throw new S3Error(501, "NotImplemented", `no ${hash} here`);
  const md5 = headers.get("content-md5");
  if (md5 !== undefined && md5 !== createHash("md5").update(content).digest("base64"))
    throw new S3Error(400, "BadDigest", "The Content-MD5 you specified did not match what we received.");
  const others = [...headers.keys()].filter((name) =>
    /^x-amz-checksum-(?!algorithm$|mode$|type$|crc32$)/.test(name),
  );
  if (others.length > 0) throw new S3Error(501, "NotImplemented", `no ${others.join(", ")} here`);
  const sum = headers.get(sumName);
  if (sum === undefined) return { content, checksum: null };
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(content));
  if (bytes.toString("base64") !== sum)
    throw new S3Error(
      400,
      "BadDigest",
      `The ${sumName} you specified did not match the calculated checksum.`,
    );
  return { content, checksum: [sumName, sum] };
}
