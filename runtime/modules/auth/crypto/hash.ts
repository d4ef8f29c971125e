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
import { mapKeys, type SecretKeys, type Secrets } from "../../../core/config/index.ts";

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

/** A key of 32 bytes for one purpose, of each key. */
export function derivedKeys(keys: SecretKeys, purpose: string): SecretKeys<Buffer> {
  return mapKeys(keys, (key) => derivedKey(key, purpose));
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

/**
 * Keys derived from the encryption key and from the JWT secret. The JWT secret is used until an encryption
 * key is set, and data from that time stays readable.
 */
export function encryptionKeys(
  { encryption, jwt }: Pick<Secrets, "encryption" | "jwt">,
  purpose: string,
): SecretKeys<Buffer> {
  if (encryption === null) return derivedKeys(jwt, purpose);
  const older = jwt.filter((key) => !encryption.some((known) => known.equals(key)));
  return derivedKeys([...encryption, ...older], purpose);
}

/** Encrypts stored texts with AES-256-GCM. A text cannot be decrypted for another owner. */
export class SealedTexts {
  readonly #keys: SecretKeys<Buffer>;

  constructor(keys: SecretKeys<Buffer>) {
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
    const found = this.find(sealed, owner);
    if (found !== null) return found.text;
    throw new Error("a stored secret cannot be decrypted: was SERVICE_AUTH_ENCRYPTION_KEY changed?");
  }

  /** Returns the text, and the index of its key. Null if no key opens it, or the owner is another. */
  find(sealed: string, owner: string): { readonly text: string; readonly key: number } | null {
    const [form, payload = ""] = sealed.split(".");
    const bytes = Buffer.from(payload, "base64url");
    if (form !== version || bytes.length < ivBytes + tagBytes) return null;
    for (const [index, key] of this.#keys.entries()) {
      const text = opened(bytes, key, owner);
      if (text !== null) return { text, key: index };
    }
    return null;
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
