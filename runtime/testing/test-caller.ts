import { randomUUID } from "node:crypto";
import { guestRole, isReservedRole, reservedRoleText } from "../../vocabulary/accounts/role-names.ts";
import type { SecretKeys } from "../core/config/index.ts";
import { type AccessClaims, signToken } from "../modules/auth/index.ts";
import { TestServiceError } from "./test-service-error.ts";

/** The caller of a token. An account with this id need not exist. */
export interface TestCaller {
  readonly role: string;
  /** Default `"1"`. */
  readonly user_id?: string | number | bigint;
  readonly email?: string | null;
}

const lifeSeconds = 3600;

/** Signs an access token that is valid for an hour. */
export function tokenFor({ role, user_id = 1, email }: TestCaller, keys: SecretKeys): string {
  if (role === guestRole) throw new TestServiceError("a guest has no token: send a request without one");
  if (isReservedRole(role))
    throw new TestServiceError(`${reservedRoleText(role)}; a token cannot have it as its role`);
  const iat = Math.floor(Date.now() / 1000);
  const claims: AccessClaims = {
    ...{ sub: String(user_id), role, email: email ?? "", jti: randomUUID() },
    ...{ type: "access", iat, exp: iat + lifeSeconds },
  };
  return signToken(claims, keys);
}
