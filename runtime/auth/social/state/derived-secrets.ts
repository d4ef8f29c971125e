import { createHash, type KeyObject } from "node:crypto";
import { derivedKey, keyedHashOf } from "../../crypto/hash.ts";

/** Secrets of one sign-in. They follow from its state, so that none is stored (decisions, part 9). */
export interface DerivedSecrets {
  /** PKCE (RFC 7636): 64 characters. */
  readonly verifier: string;
  /** OpenID Connect. */
  readonly nonce: string;
  /** The id of a request of SAML: an NCName. */
  readonly requestId: string;
}

/** Makes them, of the random part of a state and of the provider that it was made for. */
export class DerivedSecretsMaker {
  readonly #key: Buffer;

  constructor(jwtSecret: KeyObject) {
    this.#key = derivedKey(jwtSecret, "oauth");
  }

  of(provider: string, csrf: string): DerivedSecrets {
    const make = (use: string) => keyedHashOf(`${use} ${provider} ${csrf}`, this.#key);
    return { verifier: make("verifier"), nonce: make("nonce"), requestId: `_${make("request")}` };
  }
}

/** The challenge of a verifier: its SHA-256. */
export function challengeOf(verifier: string, encoding: "base64url" | "hex"): string {
  return createHash("sha256").update(verifier).digest(encoding);
}
