import { ServiceError } from "../../../../core/errors/index.ts";
import { newBackupCodes, prepareFactor } from "../../mfa/second-factor.ts";
import { newTotpSecret, provisioningUri } from "../../mfa/totp.ts";
import { lockCaller } from "../../sessions/caller.ts";
import type { AccountRequest, AuthAnswer } from "../account-route.ts";

/**
 * `POST /auth/setup-mfa`: a new secret and backup codes, which `verify-mfa` activates. Until then, each setup
 * replaces the last one. Errors: 400 `VALIDATION_ERROR` while MFA is enabled, and those of `lockCaller`.
 */
export async function setupMfa(_: unknown, { services, caller }: AccountRequest): Promise<AuthAnswer> {
  const { config, database, mfa } = services;
  const secret = newTotpSecret();
  const codes = newBackupCodes();
  const user = await database.transaction(async (transaction) => {
    const user = await lockCaller(transaction, services, caller);
    const backupCodes = codes.map((code) => mfa.backupCodes.ofNew(user.id, code));
    const sealed = mfa.secrets.seal(secret, user.id);
    if (!(await prepareFactor(transaction, user.id, { secret: sealed, backupCodes })))
      throw new ServiceError("VALIDATION_ERROR", "MFA is enabled: disable it before you set it up again.");
    return user;
  });
  const label = user.email ?? user.phoneNumber ?? user.id;
  return {
    message: "MFA is set up: activate it with a code",
    data: { provisioning_uri: provisioningUri({ secret, issuer: config.name, label }), backup_codes: codes },
  };
}
