import { ServiceError } from "../errors/index.ts";
import type { AccessClaims } from "./tokens/access-token.ts";
import type { UserRow } from "./users/users-table.ts";

/**
 * Refuses an access token from before the password was set anew or all sessions were ended: 401 `TOKEN_REVOKED`. For what
 * makes credentials or second factors: they would outlive the token, and whoever stole it would keep the account. For
 * all else such a token is good until it expires (contract: "States and transitions").
 */
export function requireFreshSession({ credentialsChangedAt }: UserRow, { iat }: AccessClaims): void {
  if (credentialsChangedAt === null) return;
  // Claims have whole seconds: a token of the very second of the change may be the first one after it.
  if (iat < Math.floor(Date.parse(credentialsChangedAt) / 1000)) throw tooOld();
}

function tooOld(): ServiceError {
  const message =
    "The password was changed, or all sessions were ended, since this token was issued: sign in again.";
  return new ServiceError("TOKEN_REVOKED", message);
}
