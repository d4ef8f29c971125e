import { randomInt } from "node:crypto";
import type { SecretKeys } from "../../../core/config/index.ts";
import type { Queryable, Statement } from "../../../core/database/index.ts";
import { derivedKeys, isSameText, keyedHashOf } from "../crypto/hash.ts";

const digits = 6;
const longestTries = 5;
/** The limit of wrong tries in an hour, over all codes of a recipient. */
const longestTriesAnHour = 20;

/** What a code is sent to, with the column of its recipient. */
const kinds = {
  phone: { column: "phone_number", minutes: 5, purpose: "" },
  email: { column: "email", minutes: 10, purpose: "email " },
} as const;

/** How long a code by text message is valid. */
export const codeMinutes = kinds.phone.minutes;

export type CodeKind = keyof typeof kinds;

/** Whether the hour of the counted wrong tries has not ended. `$2` is the current time in milliseconds. */
const counting = "failed_since is not null and failed_since > to_timestamp($2 / 1000.0) - interval '1 hour'";

/** One row for each recipient: a new code replaces the older one and resets its tries. */
function statementsOf(kind: CodeKind) {
  const { column } = kinds[kind];
  const named = (name: string, text: string): Statement => ({ name: `kirak_auth_otp_${name}_${kind}`, text });
  return {
    store: named(
      "store",
      `insert into auth_otp (${column}, code_hash, expires_at) values ($1, $2, to_timestamp($3))
on conflict (${column}) do update set
  code_hash = excluded.code_hash, attempts = 0, expires_at = excluded.expires_at, updated_at = now()`,
    ),
    lock: named(
      "lock",
      `select code_hash from auth_otp
where ${column} = $1 and attempts < ${longestTries} and expires_at > to_timestamp($2 / 1000.0)
  and not (failed_attempts >= ${longestTriesAnHour} and ${counting}) for update`,
    ),
    countTry: named(
      "try",
      `update auth_otp set attempts = attempts + 1, updated_at = now(),
  failed_attempts = case when ${counting} then failed_attempts + 1 else 1 end,
  failed_since = case when ${counting} then failed_since else to_timestamp($2 / 1000.0) end
where ${column} = $1`,
    ),
    remove: named("remove", `delete from auth_otp where ${column} = $1`),
  };
}

/** A new code of six digits. */
export function randomCode(): string {
  return String(randomInt(10 ** digits)).padStart(digits, "0");
}

/**
 * One-time codes for phone numbers in E.164, or for canonical e-mail addresses. Times are in milliseconds.
 */
export class OneTimeCodes {
  /** How long a code is valid. */
  readonly minutes: number;
  readonly #keys: SecretKeys<Buffer>;
  readonly #purpose: string;
  readonly #statements: ReturnType<typeof statementsOf>;

  constructor(jwtSecret: SecretKeys, kind: CodeKind) {
    this.#keys = derivedKeys(jwtSecret, "otp");
    this.minutes = kinds[kind].minutes;
    this.#purpose = kinds[kind].purpose;
    this.#statements = statementsOf(kind);
  }

  /** Returns a new code, which replaces the recipient's older one. Only its hash is stored. */
  async make(connection: Queryable, to: string, now: number): Promise<string> {
    const code = randomCode();
    const { store } = this.#statements;
    await connection.run(store, [
      to,
      this.#hashUnder(this.#keys[0], to, code),
      now / 1000 + this.minutes * 60,
    ]);
    return code;
  }

  /**
   * Whether this is the valid code of a recipient. Counts a wrong code, so the transaction must commit in both
   * cases. The lock on the row lasts until the transaction ends, so that tries for a recipient run one after
   * the other.
   */
  async isRight(transaction: Queryable, to: string, code: string, now: number): Promise<boolean> {
    const [row] = await transaction.run(this.#statements.lock, [to, now]);
    if (row === undefined) return false;
    const [known] = row;
    const isRight = this.#keys.some((key) => isSameText(known ?? "", this.#hashUnder(key, to, code)));
    if (!isRight) await this.countWrongTry(transaction, to, now);
    return isRight;
  }

  /** Five wrong tries void the code. Twenty within an hour block the recipient for the rest of that hour. */
  async countWrongTry(transaction: Queryable, to: string, now: number): Promise<void> {
    await transaction.run(this.#statements.countTry, [to, now]);
  }

  /** Uses the code up. */
  async remove(transaction: Queryable, to: string): Promise<void> {
    await transaction.run(this.#statements.remove, [to]);
  }

  /** Keyed, because a code is short enough for a brute-force attack on a plain hash. */
  #hashUnder(key: Buffer, to: string, code: string): string {
    return keyedHashOf(`${this.#purpose}${to} ${code}`, key);
  }
}
