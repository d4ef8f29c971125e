import { isAdministrator } from "../../access/index.ts";
import { ServiceError } from "../../errors/index.ts";
import type { AccessClaims } from "../tokens/access-token.ts";

/**
 * The user whom a request is about: the caller, or somebody else where the caller's role allows that (contract:
 * "Authorization summary"). Errors: `PERMISSION_DENIED`.
 */
export function actingFor(caller: AccessClaims, userId: string | undefined): string {
  if (userId === undefined || userId === caller.sub) return caller.sub;
  if (!isAdministrator(caller.role)) throw new ServiceError("PERMISSION_DENIED");
  return userId;
}
