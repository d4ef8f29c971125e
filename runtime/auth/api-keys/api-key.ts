import { type KeyObject, randomBytes } from "node:crypto";
import type { Secrets } from "../../config/index.ts";
import { keyedHashOf } from "../crypto/hash.ts";

const pattern = /^kk_[0-9a-f]{64}$/;
const prefixLength = 11;

/** A new API key: `kk_` and 64 hex characters (contract: "API key"). */
export function newApiKey(): string {
  return `kk_${randomBytes(32).toString("hex")}`;
}

/** Whether a text has the form of an API key. One that has not is nobody's, and need not be looked up. */
export function isApiKey(text: string): boolean {
  return pattern.test(text);
}

/** What is shown of a key, to tell it from others. */
export function prefixOf(key: string): string {
  return key.slice(0, prefixLength);
}

/** The hashes that a key may be stored under. */
export type KeyHashes = readonly [current: string, older?: string];

/** The keyed hashes of API keys: HMAC-SHA256 in hex, all that is ever stored of them. */
export class ApiKeyHashes {
  readonly #current: KeyObject;
  readonly #older: KeyObject | null;

  constructor({ apiKey, jwt }: Pick<Secrets, "apiKey" | "jwt">) {
    this.#current = apiKey ?? jwt;
    this.#older = apiKey === null || apiKey.equals(jwt) ? null : jwt;
  }

  /** The hash under which a new key is stored. */
  ofNew(key: string): string {
    return keyedHashOf(key, this.#current);
  }

  /** All hashes that a key may be stored under: it may be older than the secret for API keys (contract: "API key"). */
  of(key: string): KeyHashes {
    const current = this.ofNew(key);
    return this.#older === null ? [current] : [current, keyedHashOf(key, this.#older)];
  }
}
