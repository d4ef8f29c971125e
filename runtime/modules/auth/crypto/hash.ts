import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import type { Secrets } from "../../../core/config/index.ts";

/** SHA-256 in hex, for tokens with too many random bits for a brute-force attack. */
export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** HMAC-SHA256 in hex, for secrets that are short enough for a brute-force attack. */
export function keyedHashOf(secret: string, key: KeyObject | Buffer): string {
  return createHmac("sha256", key).update(secret).digest("hex");
}

/** A key of 32 bytes for one purpose, so that no two purposes share the bytes of a configured secret. */
export function derivedKey(secret: KeyObject, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `kirak ${purpose}`, 32));
}

/** Whether two texts are equal, compared in constant time. */
export function isSameText(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}

const algorithm = "aes-256-gcm";
const version = "v1";
const ivBytes = 12;
const tagBytes = 16;

/** Keys of 32 bytes for one purpose. The first encrypts; all of them decrypt. */
export type EncryptionKeys = readonly [Buffer, ...Buffer[]];

/**
 * Keys derived from the encryption key and from the JWT secret. The JWT secret is used until an encryption
 * key is set, and data from that time stays readable.
 */
export function encryptionKeys(
  { encryption, jwt }: Pick<Secrets, "encryption" | "jwt">,
  purpose: string,
): EncryptionKeys {
  const fallback = derivedKey(jwt, purpose);
  return encryption === null || encryption.equals(jwt)
    ? [fallback]
    : [derivedKey(encryption, purpose), fallback];
}

/** Encrypts stored texts with AES-256-GCM. A text cannot be decrypted for another owner. */
export class SealedTexts {
  readonly #keys: EncryptionKeys;

  constructor(keys: EncryptionKeys) {
    this.#keys = keys;
  }

  /** Returns `v1.` and, in base64url, nonce, tag and ciphertext. */
  seal(text: string, owner: string): string {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv(algorithm, this.#keys[0], iv, { authTagLength: tagBytes });
    cipher.setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return `${version}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url")}`;
  }

  /** Returns the text. Throws if the keys were changed, or the owner is another. */
  open(sealed: string, owner: string): string {
    const [form, payload = ""] = sealed.split(".");
    const bytes = Buffer.from(payload, "base64url");
    if (form === version && bytes.length >= ivBytes + tagBytes)
      for (const key of this.#keys) {
        const text = opened(bytes, key, owner);
        if (text !== null) return text;
      }
    throw new Error("a stored secret cannot be decrypted: was SERVICE_AUTH_ENCRYPTION_KEY changed?");
  }
}

function opened(bytes: Buffer, key: Buffer, owner: string): string | null {
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  try {
    const sealed = bytes.subarray(ivBytes + tagBytes);
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}
