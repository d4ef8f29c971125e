import { createHmac, randomFillSync, timingSafeEqual } from "node:crypto";
import type { SecretKeys } from "../../../core/config/index.ts";
import type { Queryable } from "../../../core/database/index.ts";
import { derivedKeys } from "../crypto/hash.ts";

/** What a challenge is for, and whose it is. */
export type ChallengeUse =
  | { readonly purpose: "register"; readonly userId: string; readonly sessionId: string }
  | { readonly purpose: "login" }
  | { readonly purpose: "second_factor"; readonly userId: string };

/** A challenge of this service that has not ended. */
export interface Challenge {
  /** The only spelling of its bytes. */
  readonly text: string;
  /** When it ends, in seconds. */
  readonly end: number;
  /** The index of the secret that it was made with: 0 for the current one. */
  readonly keyIndex: number;
}

/** How long a challenge is valid, in seconds. */
export const challengeSeconds = 300;

const headBytes = 20;
const proofBytes = 12;

/**
 * Challenges that are not stored: the second at which it ends (4 bytes), random bytes (16), and a keyed hash
 * of these, the purpose, the user and the session (12).
 */
export class PasskeyChallenges {
  readonly #keys: SecretKeys<Buffer>;

  constructor(jwtSecret: SecretKeys) {
    this.#keys = derivedKeys(jwtSecret, "passkey challenge");
  }

  /** `now` is in milliseconds. */
  make(use: ChallengeUse, now: number): string {
    const head = randomFillSync(Buffer.alloc(headBytes), 4);
    head.writeUInt32BE(Math.floor(now / 1000) + challengeSeconds);
    return Buffer.concat([head, proofOf(this.#keys[0], head, use)]).toString("base64url");
  }

  /** Returns null for a challenge that is forged, has ended, or was made for another use. */
  read(text: string, use: ChallengeUse, now: number): Challenge | null {
    const bytes = Buffer.from(text, "base64url");
    if (bytes.length !== headBytes + proofBytes) return null;
    const head = bytes.subarray(0, headBytes);
    const proof = bytes.subarray(headBytes);
    const keyIndex = this.#keys.findIndex((key) => timingSafeEqual(proof, proofOf(key, head, use)));
    if (keyIndex === -1) return null;
    const end = head.readUInt32BE();
    return end * 1000 > now ? { text: bytes.toString("base64url"), end, keyIndex } : null;
  }
}

function proofOf(key: Buffer, head: Buffer, use: ChallengeUse): Buffer {
  const { purpose, userId = "", sessionId = "" } = { userId: undefined, sessionId: undefined, ...use };
  const hash = createHmac("sha256", key).update(head).update(`${purpose}\n${userId}\n${sessionId}`);
  return hash.digest().subarray(0, proofBytes);
}

const useUp = {
  name: "kirak_auth_challenge_use",
  text: `insert into auth_token_blacklist (jti, expires_at) values ($1, to_timestamp($2))
on conflict (jti) do nothing returning id`,
};

/** Uses a challenge up. Returns false if another request has used it. */
export async function useChallenge(connection: Queryable, { text, end }: Challenge): Promise<boolean> {
  return (await connection.run(useUp, [`passkey:${text}`, end])).length === 1;
}
