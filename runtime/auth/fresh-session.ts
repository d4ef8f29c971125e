import { ServiceError } from "../errors/index.ts";
import { noSuchUser } from "./acting-for.ts";
import type { AccessClaims } from "./tokens/access-token.ts";
import type { UserRow } from "./users/users-table.ts";

/**
 * The caller, for what makes credentials or second factors: these outlive the token, and whoever stole it would keep the
 * account. Errors: `TOKEN_REVOKED` for a token from before the password was set anew or all sessions were ended,
 * `NOT_FOUND` where the user is gone. For all else such a token is good until it expires (contract: "States and
 * transitions").
 */
export function requireFreshSession(user: UserRow | null, { iat }: AccessClaims): UserRow {
  if (user === null) throw noSuchUser();
  const { credentialsChangedAt } = user;
  // Claims have whole seconds: a token of the very second of the change may be the first one after it.
  if (credentialsChangedAt !== null && iat < Math.floor(Date.parse(credentialsChangedAt) / 1000))
    throw tooOld();
  return user;
}

function tooOld(): ServiceError {
  const message =
    "The password was changed, or all sessions were ended, since this token was issued: sign in again.";
  return new ServiceError("TOKEN_REVOKED", message);
}
