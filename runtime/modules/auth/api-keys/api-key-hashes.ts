import type { KeyObject } from "node:crypto";
import type { Secrets } from "../../../core/config/index.ts";
import { derivedKey, keyedHashOf } from "../crypto/hash.ts";

/** A hash that an API key can be stored under. */
export interface KeyHash {
  readonly hash: string;
  /** Identifies the secret: 16 hexadecimal digits. */
  readonly mark: string;
  /** Whether the secret is a previous one. Such a key moves to the current secret when it is used. */
  readonly isPrevious: boolean;
}

interface HashSecret extends Pick<KeyHash, "mark" | "isPrevious"> {
  readonly key: KeyObject;
}

/** The keyed hashes of API keys: HMAC-SHA256 in hex. Keys themselves are not stored. */
export class ApiKeyHashes {
  readonly #secrets: readonly [HashSecret, ...HashSecret[]];

  constructor({ apiKey, jwt }: Pick<Secrets, "apiKey" | "jwt">) {
    const [current, ...others] = apiKey ?? jwt;
    const previous = [...others, ...(apiKey === null ? [] : jwt.slice(1))];
    // Keys from before the secret for API keys stay valid, and keep their hash.
    const older = apiKey === null ? [] : jwt.slice(0, 1);
    const secretOf = (key: KeyObject, isPrevious: boolean) => ({ key, mark: markOf(key), isPrevious });
    const known = [
      ...older.map((key) => secretOf(key, false)),
      ...previous.map((key) => secretOf(key, true)),
    ];
    this.#secrets = [secretOf(current, false), ...known.filter(({ key }) => !key.equals(current))];
  }

  /** The marks of secrets that are not previous ones. */
  get marks(): readonly string[] {
    return this.#secrets.flatMap(({ mark, isPrevious }) => (isPrevious ? [] : [mark]));
  }

  /** All hashes that a key can be stored under. A new key is stored under the first. */
  of(key: string): readonly [KeyHash, ...KeyHash[]] {
    const hashUnder = ({ key: secret, ...rest }: HashSecret) => ({ ...rest, hash: keyedHashOf(key, secret) });
    const [current, ...others] = this.#secrets;
    return [hashUnder(current), ...others.map(hashUnder)];
  }
}

function markOf(secret: KeyObject): string {
  return derivedKey(secret, "api key mark").toString("hex").slice(0, 16);
}
