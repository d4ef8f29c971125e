import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";

/** The checksums that S3 takes, by the names of their headers; in base64. */
export const checksums: ReadonlyMap<string, (content: Buffer) => string> = new Map([
  ["x-amz-checksum-crc32", (content: Buffer) => ofNumber(crc32(content))],
  ["x-amz-checksum-crc32c", (content: Buffer) => ofNumber(crc32c(content))],
  ["x-amz-checksum-sha1", (content: Buffer) => createHash("sha1").update(content).digest("base64")],
  ["x-amz-checksum-sha256", (content: Buffer) => createHash("sha256").update(content).digest("base64")],
]);

function ofNumber(sum: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(sum);
  return bytes.toString("base64");
}

const castagnoli = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0x82f63b78 : sum >>> 1;
  return sum >>> 0;
});

function crc32c(content: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of content) sum = (castagnoli[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}
