import { randomBytes } from "node:crypto";
import type { SecretKeys, Secrets } from "../../../core/config/index.ts";
import type { Database, Queryable, Transaction } from "../../../core/database/index.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import { encryptionKeys, keyedHashOf, SealedTexts } from "../crypto/hash.ts";
import { orRefusal } from "../passkeys/passkey-refusal.ts";
import type { Passkeys } from "../passkeys/passkeys.ts";
import { inTransaction, lockCaller, type SessionChecks } from "../sessions/caller.ts";
import type { SignInMethod } from "../sessions/session-rows.ts";
import type { AccessClaims } from "../tokens/access-token.ts";
import type { UserRow } from "../users/users-table.ts";
import { base32, isTotpCode, totpStep } from "./totp.ts";

/** The second factor of a user: a row of `auth_mfa`. */
interface Factor {
  readonly userId: string;
  /** Encrypted. */
  readonly secret: string;
  /** False until the first right code after the setup. */
  readonly isEnabled: boolean;
  readonly backupCodesLeft: number;
  /** True after too many wrong codes: all codes are refused for a while. */
  readonly isPaused: boolean;
}

const longestTries = 10;
/** The period in which wrong codes are counted, and after which users can try again. */
const pauseMinutes = 15;

/** Whether the period of the counted wrong codes has not ended. `$2` is the current time in milliseconds. */
const counting = `failed_since > to_timestamp($2 / 1000.0) - interval '${pauseMinutes} minutes'`;

const find = {
  name: "kirak_auth_mfa_find",
  text: `select secret, enabled, jsonb_array_length(backup_codes), failed_attempts >= ${longestTries} and ${counting}
from auth_mfa where user_id = $1`,
};
const prepare = {
  name: "kirak_auth_mfa_prepare",
  text: `insert into auth_mfa (user_id, secret, backup_codes) values ($1, $2, $3)
on conflict (user_id) do update set
  secret = excluded.secret, backup_codes = excluded.backup_codes, last_used_step = 0, updated_at = now()
where not auth_mfa.enabled
returning id`,
};
const countWrong = {
  name: "kirak_auth_mfa_wrong_code",
  text: `update auth_mfa set
  failed_attempts = case when ${counting} then failed_attempts + 1 else 1 end,
  failed_since = case when ${counting} then failed_since else to_timestamp($2 / 1000.0) end
where user_id = $1`,
};
const takeStep = {
  name: "kirak_auth_mfa_step",
  text: `update auth_mfa set last_used_step = $2, failed_attempts = 0, failed_since = null, updated_at = now()
where user_id = $1 and last_used_step < $2 returning id`,
};
const takeBackupCode = {
  name: "kirak_auth_mfa_backup_code",
  text: `update auth_mfa set backup_codes = backup_codes - $2::text[], failed_attempts = 0, failed_since = null, updated_at = now()
where user_id = $1 and backup_codes ?| $2::text[] returning jsonb_array_length(backup_codes)`,
};

/** Returns the user's second factor, enabled or not; null if the user has none. `now` is in milliseconds. */
async function findFactor(connection: Queryable, userId: string, now: number): Promise<Factor | null> {
  const [row] = await connection.run(find, [userId, now]);
  if (row === undefined) return null;
  const [secret, enabled, left, paused] = row;
  return {
    userId,
    secret: secret ?? "",
    isEnabled: enabled === "t",
    backupCodesLeft: Number(left),
    isPaused: paused === "t",
  };
}

/** Stores a pending factor and replaces an earlier pending one. Returns false if a factor is enabled. */
export async function prepareFactor(
  connection: Queryable,
  userId: string,
  { secret, backupCodes }: { readonly secret: string; readonly backupCodes: readonly string[] },
): Promise<boolean> {
  return (await connection.run(prepare, [userId, secret, JSON.stringify(backupCodes)])).length === 1;
}

function change(name: string, text: string) {
  return async (connection: Queryable, userId: string): Promise<void> => {
    await connection.run({ name: `kirak_auth_mfa_${name}`, text }, [userId]);
  };
}

export const enableFactor = change(
  "enable",
  "update auth_mfa set enabled = true, updated_at = now() where user_id = $1",
);

const remove = {
  name: "kirak_auth_mfa_remove",
  text: "delete from auth_mfa where user_id = $1 returning enabled",
};

/** Removes the second factor of a user. Returns whether one was enabled. */
export async function removeFactor(connection: Queryable, userId: string): Promise<boolean> {
  const [row] = await connection.run(remove, [userId]);
  return row?.[0] === "t";
}

const backupCodeCount = 10;
const backupCodePattern = /^[a-z2-7]{5}-[a-z2-7]{5}$/;

/** Ten new backup codes, `xxxxx-xxxxx` in lower-case base32: 50 random bits each. */
export function newBackupCodes(): readonly string[] {
  return Array.from({ length: backupCodeCount }, () => {
    const text = base32(randomBytes(7)).toLowerCase();
    return `${text.slice(0, 5)}-${text.slice(5, 10)}`;
  });
}

/** The keyed hashes of backup codes. They include the user, so equal codes have different hashes. */
class BackupCodeHashes {
  readonly #keys: SecretKeys<Buffer>;

  constructor(keys: SecretKeys<Buffer>) {
    this.#keys = keys;
  }

  /** The hash under which a new code is stored. */
  ofNew(userId: string, code: string): string {
    return keyedHashOf(`${userId} ${code}`, this.#keys[0]);
  }

  /** All hashes that a code can be stored under. */
  of(userId: string, code: string): readonly string[] {
    return this.#keys.map((key) => keyedHashOf(`${userId} ${code}`, key));
  }
}

export interface MfaKeys {
  readonly secrets: SealedTexts;
  readonly backupCodes: BackupCodeHashes;
}

interface MfaServices {
  readonly mfa: MfaKeys;
  /** Milliseconds. */
  readonly now: () => number;
}

/** The result of a right code. */
interface UsedCode {
  readonly isBackupCode: boolean;
  readonly backupCodesLeft: number;
}

/** Returns the keys of second factors, derived from the secrets of the service. */
export function mfaKeys(secrets: Pick<Secrets, "encryption" | "jwt">): MfaKeys {
  return {
    secrets: new SealedTexts(encryptionKeys(secrets, "mfa secret")),
    backupCodes: new BackupCodeHashes(encryptionKeys(secrets, "mfa backup code")),
  };
}

/**
 * Uses up a code of the authenticator, or a backup code. Counts a wrong code and returns the error; the
 * caller must commit the count. After ten wrong codes it refuses all codes for 15 minutes, against brute
 * force. If several requests have the same code, only one of them succeeds.
 */
async function consumeCode(
  transaction: Queryable,
  { mfa, now }: MfaServices,
  factor: Factor,
  code: unknown,
): Promise<UsedCode | ServiceError> {
  if (factor.isPaused) return new ServiceError("INVALID_MFA_CODE", pausedMessage);
  const used = await matchingCode(transaction, { mfa, now }, factor, code);
  if (used !== null) return used;
  await transaction.run(countWrong, [factor.userId, now()]);
  return new ServiceError("INVALID_MFA_CODE");
}

const pausedMessage = `Too many wrong codes. Try again in ${pauseMinutes} minutes.`;

async function matchingCode(
  transaction: Queryable,
  { mfa, now }: MfaServices,
  { userId, secret, backupCodesLeft }: Factor,
  code: unknown,
): Promise<UsedCode | null> {
  if (typeof code !== "string") return null;
  const backupCode = code.toLowerCase();
  if (backupCodePattern.test(backupCode)) {
    const [row] = await transaction.run(takeBackupCode, [userId, mfa.backupCodes.of(userId, backupCode)]);
    return row === undefined ? null : { isBackupCode: true, backupCodesLeft: Number(row[0]) };
  }
  if (!isTotpCode(code)) return null;
  const step = totpStep(mfa.secrets.open(secret, userId), code, now());
  // Each step is valid once, and all earlier steps become invalid with it.
  if (step === null || (await transaction.run(takeStep, [userId, step])).length === 0) return null;
  return { isBackupCode: false, backupCodesLeft };
}

interface SecondFactors extends MfaServices {
  /** Null if they are off. */
  readonly passkeys: Passkeys | null;
}

/** The second factor in the body of a sign-in. */
interface SentFactor {
  readonly mfa_code?: unknown;
  readonly passkey?: object | undefined;
}

/**
 * Returns the second factor of a sign-in: none for a user without one; otherwise the right code or a passkey.
 * Returns an error for a missing or wrong one, and the transaction must commit: `MFA_REQUIRED`,
 * `INVALID_MFA_CODE`, `PASSKEY_FAILED`. The user's row must be locked.
 */
export async function secondFactor(
  transaction: Transaction,
  services: SecondFactors,
  user: UserRow,
  { mfa_code: code, passkey }: SentFactor,
): Promise<readonly SignInMethod[] | ServiceError> {
  const { passkeys, now } = services;
  const factor = await findFactor(transaction, user.id, now());
  if (factor === null || !factor.isEnabled) return [];
  if (passkeys !== null && passkey !== undefined)
    return orRefusal(async () => {
      await passkeys.proveSecondFactor(transaction, user, passkey);
      return ["passkey"];
    });
  if (code === undefined || code === null)
    return mfaRequired((await passkeys?.secondFactorOptions(transaction, user)) ?? null);
  const used = await consumeCode(transaction, services, factor, code);
  if (used instanceof ServiceError) return used;
  return [used.isBackupCode ? "backup_code" : "totp"];
}

/** An account without passkeys gets no details. */
function mfaRequired(options: object | null): ServiceError {
  const details = options === null ? undefined : { methods: ["code", "passkey"], passkey_options: options };
  return new ServiceError("MFA_REQUIRED", undefined, details);
}

/** The state that a factor must have: `pending` is set up and not yet enabled. */
type FactorState = "pending" | "enabled";

interface FactorProof extends MfaServices, SessionChecks {
  readonly database: Database;
}

/**
 * Uses up a code of the caller's second factor and runs `change`, in one transaction. Also returns the
 * caller. Errors: those of `lockCaller`, 400 `VALIDATION_ERROR` if the factor is in another state,
 * `INVALID_MFA_CODE`.
 */
export function proveFactor(
  { database, ...services }: FactorProof,
  caller: AccessClaims,
  proof: { readonly state: FactorState; readonly code: unknown },
  change: (transaction: Transaction, userId: string) => Promise<unknown> = async () => {},
): Promise<UsedCode & { readonly user: UserRow }> {
  return inTransaction(database, async (transaction) => {
    const user = await lockCaller(transaction, services, caller);
    const factor = requireState(await findFactor(transaction, user.id, services.now()), proof.state);
    const used = await consumeCode(transaction, services, factor, proof.code);
    if (used instanceof ServiceError) return used;
    await change(transaction, user.id);
    return { ...used, user };
  });
}

function requireState(factor: Factor | null, state: FactorState): Factor {
  if (factor === null) throw new ServiceError("VALIDATION_ERROR", "MFA is not set up.");
  if (state === "pending" && factor.isEnabled)
    throw new ServiceError("VALIDATION_ERROR", "MFA is already enabled.");
  if (state === "enabled" && !factor.isEnabled)
    throw new ServiceError("VALIDATION_ERROR", "MFA is not enabled: activate it first.");
  return factor;
}
