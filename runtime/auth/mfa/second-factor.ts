import type { Secrets } from "../../config/index.ts";
import type { Connection } from "../../database/index.ts";
import { ServiceError } from "../../errors/index.ts";
import { encryptionKeys } from "../encryption/encryption-keys.ts";
import { SealedTexts } from "../encryption/sealed-texts.ts";
import { BackupCodeHashes, isBackupCode } from "./backup-codes.ts";
import { consumeBackupCode, consumeStep, type Factor, findFactor } from "./mfa-table.ts";
import { isTotpCode, totpStep } from "./totp.ts";

/** What protects stored second factors. */
export interface MfaKeys {
  readonly secrets: SealedTexts;
  readonly backupCodes: BackupCodeHashes;
}

/** What checking a code needs. */
export interface MfaServices {
  readonly mfa: MfaKeys;
  /** Milliseconds. */
  readonly now: () => number;
}

/** What a right code has used up. */
export interface UsedCode {
  readonly isBackupCode: boolean;
  readonly backupCodesLeft: number;
}

export function mfaKeys(secrets: Secrets): MfaKeys {
  return {
    secrets: new SealedTexts(encryptionKeys(secrets, "mfa secret")),
    backupCodes: new BackupCodeHashes(encryptionKeys(secrets, "mfa backup code")),
  };
}

/**
 * Uses a code up: one of the authenticator, or a backup code. Null for anything else, whatever its type. Of any number of
 * requests with one code, one gets through.
 */
export async function consumeCode(
  transaction: Connection,
  { mfa, now }: MfaServices,
  { userId, secret, backupCodesLeft }: Factor,
  code: unknown,
): Promise<UsedCode | null> {
  if (typeof code !== "string") return null;
  const backupCode = code.toLowerCase();
  if (isBackupCode(backupCode)) {
    const left = await consumeBackupCode(transaction, userId, mfa.backupCodes.of(userId, backupCode));
    return left === null ? null : { isBackupCode: true, backupCodesLeft: left };
  }
  if (!isTotpCode(code)) return null;
  const step = totpStep(mfa.secrets.open(secret, userId), code, now());
  if (step === null || !(await consumeStep(transaction, userId, step))) return null;
  return { isBackupCode: false, backupCodesLeft };
}

/** How a user stands with the second factor; `none` where none is enabled. `missing` has used nothing up, nor has `wrong`. */
export type SecondFactor = "none" | "passed" | "missing" | "wrong";

/** Checks the second factor of a user whose row is locked, and uses the code up. */
export async function secondFactor(
  transaction: Connection,
  services: MfaServices,
  userId: string,
  code: unknown,
): Promise<SecondFactor> {
  const factor = await findFactor(transaction, userId);
  if (factor === null || !factor.isEnabled) return "none";
  if (code === undefined || code === null) return "missing";
  return (await consumeCode(transaction, services, factor, code)) === null ? "wrong" : "passed";
}

/**
 * Lets a user pass who has no second factor, or sends the right code. Errors: `MFA_REQUIRED`, `INVALID_MFA_CODE`. The
 * code is used up only if the transaction is committed.
 */
export async function requireSecondFactor(
  transaction: Connection,
  services: MfaServices,
  userId: string,
  code: unknown,
): Promise<void> {
  const state = await secondFactor(transaction, services, userId, code);
  if (state === "missing") throw new ServiceError("MFA_REQUIRED");
  if (state === "wrong") throw new ServiceError("INVALID_MFA_CODE");
}
