import type { Secrets } from "../../config/index.ts";
import { derivedKey } from "../tokens/hash.ts";

/** Keys of 32 bytes for one purpose: the first for what is written now, any of them for what was written before. */
export type EncryptionKeys = readonly [Buffer, ...Buffer[]];

/**
 * Keys made of the encryption key, and of the JWT secret, which stands in until there is one: what was written by then
 * stays readable.
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
