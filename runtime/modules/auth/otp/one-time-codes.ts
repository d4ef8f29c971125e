import { randomInt } from "node:crypto";
import type { SecretKeys } from "../../../core/config/index.ts";
import type { Queryable } from "../../../core/database/index.ts";
import { derivedKeys, isSameText, keyedHashOf } from "../crypto/hash.ts";

const digits = 6;
/** How long a code is valid. */
export const codeMinutes = 5;
const longestTries = 5;
/** The limit of wrong tries in an hour, over all codes of a number. */
const longestTriesAnHour = 20;

/** Whether the hour of the counted wrong tries has not ended. `$2` is the current time in milliseconds. */
const counting = "failed_since is not null and failed_since > to_timestamp($2 / 1000.0) - interval '1 hour'";

// One row for each number: a new code replaces the older one and resets its tries.
const store = {
  name: "kirak_auth_otp_store",
  text: `insert into auth_otp (phone_number, code_hash, expires_at) values ($1, $2, to_timestamp($3))
on conflict (phone_number) do update set
  code_hash = excluded.code_hash, attempts = 0, expires_at = excluded.expires_at, updated_at = now()`,
};
const lock = {
  name: "kirak_auth_otp_lock",
  text: `select code_hash from auth_otp
where phone_number = $1 and attempts < ${longestTries} and expires_at > to_timestamp($2 / 1000.0)
  and not (failed_attempts >= ${longestTriesAnHour} and ${counting}) for update`,
};
const countTry = {
  name: "kirak_auth_otp_try",
  text: `update auth_otp set attempts = attempts + 1, updated_at = now(),
  failed_attempts = case when ${counting} then failed_attempts + 1 else 1 end,
  failed_since = case when ${counting} then failed_since else to_timestamp($2 / 1000.0) end
where phone_number = $1`,
};
const remove = { name: "kirak_auth_otp_remove", text: "delete from auth_otp where phone_number = $1" };

/** One-time codes for phone numbers in E.164. Times are in milliseconds. */
export class OneTimeCodes {
  readonly #keys: SecretKeys<Buffer>;

  constructor(jwtSecret: SecretKeys) {
    this.#keys = derivedKeys(jwtSecret, "otp");
  }

  /** Returns a new code, which replaces the number's older one. Only its hash is stored. */
  async make(connection: Queryable, phone: string, now: number): Promise<string> {
    const code = String(randomInt(10 ** digits)).padStart(digits, "0");
    await connection.run(store, [
      phone,
      hashUnder(this.#keys[0], phone, code),
      now / 1000 + codeMinutes * 60,
    ]);
    return code;
  }

  /**
   * Whether this is the valid code of a number. Counts a wrong code, so the transaction must commit in both
   * cases. The lock on the row lasts until the transaction ends, so that tries for a number run one after the
   * other.
   */
  async isRight(transaction: Queryable, phone: string, code: string, now: number): Promise<boolean> {
    const [row] = await transaction.run(lock, [phone, now]);
    if (row === undefined) return false;
    const [known] = row;
    const isRight = this.#keys.some((key) => isSameText(known ?? "", hashUnder(key, phone, code)));
    if (!isRight) await this.countWrongTry(transaction, phone, now);
    return isRight;
  }

  /** Five wrong tries void the code. Twenty within an hour block the number for the rest of that hour. */
  async countWrongTry(transaction: Queryable, phone: string, now: number): Promise<void> {
    await transaction.run(countTry, [phone, now]);
  }

  /** Uses the code up. */
  async remove(transaction: Queryable, phone: string): Promise<void> {
    await transaction.run(remove, [phone]);
  }
}

/** Keyed, because a code is short enough for a brute-force attack on a plain hash. */
function hashUnder(key: Buffer, phone: string, code: string): string {
  return keyedHashOf(`${phone} ${code}`, key);
}
