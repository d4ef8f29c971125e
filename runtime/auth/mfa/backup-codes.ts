import { randomBytes } from "node:crypto";
import type { EncryptionKeys } from "../crypto/encryption.ts";
import { keyedHashOf } from "../crypto/hash.ts";
import { base32 } from "./base32.ts";

const count = 10;
const pattern = /^[a-z2-7]{5}-[a-z2-7]{5}$/;

/** Ten new backup codes, `xxxxx-xxxxx` in lower-case base32: 50 random bits each (decisions, part 7). */
export function newBackupCodes(): readonly string[] {
  return Array.from({ length: count }, () => {
    const text = base32(randomBytes(7)).toLowerCase();
    return `${text.slice(0, 5)}-${text.slice(5, 10)}`;
  });
}

/** Whether a text has the form of a backup code. */
export function isBackupCode(text: string): boolean {
  return pattern.test(text);
}

/** The keyed hashes of backup codes; those of one user say nothing of another's. */
export class BackupCodeHashes {
  readonly #keys: EncryptionKeys;

  constructor(keys: EncryptionKeys) {
    this.#keys = keys;
  }

  /** The hash under which a new code is stored. */
  ofNew(userId: string, code: string): string {
    return keyedHashOf(`${userId} ${code}`, this.#keys[0]);
  }

  /** All hashes that a code may be stored under. */
  of(userId: string, code: string): readonly string[] {
    return this.#keys.map((key) => keyedHashOf(`${userId} ${code}`, key));
  }
}
