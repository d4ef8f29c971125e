import type { Secrets } from "../../config/index.ts";
import type { Queryable } from "../../database/index.ts";
import { ServiceError } from "../../errors/index.ts";
import { encryptionKeys, SealedTexts } from "../crypto/encryption.ts";
import { BackupCodeHashes, isBackupCode } from "./backup-codes.ts";
import {
  consumeBackupCode,
  consumeStep,
  countWrongCode,
  type Factor,
  findFactor,
  pauseMinutes,
} from "./mfa-table.ts";
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

/** The keys of second factors, made of the secrets of the service. */
export function mfaKeys(secrets: Pick<Secrets, "encryption" | "jwt">): MfaKeys {
  return {
    secrets: new SealedTexts(encryptionKeys(secrets, "mfa secret")),
    backupCodes: new BackupCodeHashes(encryptionKeys(secrets, "mfa backup code")),
  };
}

/**
 * Uses a code up: one of the authenticator, or a backup code. For anything else, whatever its type, gives a refusal and
 * counts it: whoever gets one must commit. After ten wrong codes none is looked at for a while, so that nobody can try them
 * all. Of any number of requests with one code, one gets through.
 */
export async function consumeCode(
  transaction: Queryable,
  { mfa, now }: MfaServices,
  factor: Factor,
  code: unknown,
): Promise<UsedCode | ServiceError> {
  if (factor.isPaused) return new ServiceError("INVALID_MFA_CODE", pausedMessage);
  const used = await matchingCode(transaction, { mfa, now }, factor, code);
  if (used !== null) return used;
  await countWrongCode(transaction, factor.userId, now());
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
  if (isBackupCode(backupCode)) {
    const left = await consumeBackupCode(transaction, userId, mfa.backupCodes.of(userId, backupCode));
    return left === null ? null : { isBackupCode: true, backupCodesLeft: left };
  }
  if (!isTotpCode(code)) return null;
  const step = totpStep(mfa.secrets.open(secret, userId), code, now());
  if (step === null || !(await consumeStep(transaction, userId, step))) return null;
  return { isBackupCode: false, backupCodesLeft };
}

/**
 * Null for a user who has no second factor, or sends the right code, which is used up if the transaction is committed. Else
 * the refusal, with which it must be committed: `MFA_REQUIRED`, `INVALID_MFA_CODE`. The user's row is locked.
 */
export async function refusedSecondFactor(
  transaction: Queryable,
  services: MfaServices,
  userId: string,
  code: unknown,
): Promise<ServiceError | null> {
  const factor = await findFactor(transaction, userId, services.now());
  if (factor === null || !factor.isEnabled) return null;
  if (code === undefined || code === null) return new ServiceError("MFA_REQUIRED");
  const used = await consumeCode(transaction, services, factor, code);
  return used instanceof ServiceError ? used : null;
}
