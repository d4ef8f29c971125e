import type { SecretKeys } from "../../../core/config/index.ts";
import type { Queryable } from "../../../core/database/index.ts";
import { derivedKeys, isSameText, keyedHashOf } from "../crypto/hash.ts";
import type { PendingChange } from "../users/pending-changes.ts";
import type { UserRow } from "../users/users-table.ts";
import { codeMinutes, randomCode } from "./one-time-codes.ts";

const longestTries = 5;

// A change ends with the session that asked for it.
const lock = {
  name: "kirak_auth_pending_phone",
  text: `select target, proof_hash from auth_pending_changes as change
where user_id = $1 and kind = 'phone' and session_id = $2 and attempts < ${longestTries}
  and expires_at > to_timestamp($3 / 1000.0)
  and exists (select from auth_sessions as session where session.id = change.session_id)
for update of change`,
};

const countTry = {
  name: "kirak_auth_pending_phone_try",
  text: `update auth_pending_changes set attempts = attempts + 1, updated_at = now()
where user_id = $1 and kind = 'phone'`,
};

/**
 * The codes that confirm a new phone number. A code is good for one user, session and number, once. It signs
 * in nowhere, and a code that signs in changes nothing. The user's row must be locked. Times are in
 * milliseconds.
 */
export class PhoneCodes {
  readonly #keys: SecretKeys<Buffer>;

  constructor(jwtSecret: SecretKeys) {
    this.#keys = derivedKeys(jwtSecret, "phone change");
  }

  /** Returns a new code and the change that it confirms, which the caller stores. */
  make(
    { id: userId, phoneNumber: former }: UserRow,
    sessionId: string | null,
    target: string,
    now: number,
  ): { readonly code: string; readonly change: PendingChange } {
    const code = randomCode();
    const proofHash = hashUnder(this.#keys[0], userId, sessionId, target, code);
    const expiresAt = now / 1000 + codeMinutes * 60;
    return { code, change: { kind: "phone", userId, target, former, proofHash, sessionId, expiresAt } };
  }

  /**
   * Returns the number that the code confirms, or null. Counts a wrong code, so the transaction must commit in
   * that case. Five wrong codes void the change.
   */
  async numberOf(
    transaction: Queryable,
    userId: string,
    sessionId: string | null,
    code: string,
    now: number,
  ): Promise<string | null> {
    const [row] = await transaction.run(lock, [userId, sessionId, now]);
    if (row === undefined) return null;
    const [target, known] = row;
    const isHash = (key: Buffer) =>
      isSameText(known ?? "", hashUnder(key, userId, sessionId, target ?? "", code));
    if (target != null && this.#keys.some(isHash)) return target;
    await transaction.run(countTry, [userId]);
    return null;
  }
}

/** Keyed, because a code is short enough for a brute-force attack on a plain hash. */
function hashUnder(
  key: Buffer,
  userId: string,
  sessionId: string | null,
  phone: string,
  code: string,
): string {
  return keyedHashOf(`${userId} ${sessionId} ${phone} ${code}`, key);
}
