import { createHash, createHmac, hkdfSync, type KeyObject } from "node:crypto";

/** SHA-256 in hex: enough for tokens that hold more random bits than anybody can try. */
export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** HMAC-SHA256 in hex, for secrets that are short enough to be tried. */
export function keyedHashOf(secret: string, key: KeyObject | Buffer): string {
  return createHmac("sha256", key).update(secret).digest("hex");
}

/** A key of 32 bytes for one purpose, so that no two purposes share the bytes of a configured secret. */
export function derivedKey(secret: KeyObject, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `kirak ${purpose}`, 32));
}
