import type { Request } from "express";
import { ServiceError } from "../../../core/errors/index.ts";
import { isAdministrator } from "../../../models/access/index.ts";
import type { AccessClaims } from "../tokens/access-token.ts";
import type { AccountServices } from "./account-services.ts";

/** Returns the caller if it may use the route, and throws otherwise. */
export type RouteGuard<Caller> = (request: Request, services: AccountServices) => Promise<Caller>;

/** Public. Does not read the credential, so that an expired one does not prevent a sign-in. */
export const publicRoute: RouteGuard<null> = () => Promise.resolve(null);

/** Returns the claims of a valid access token; null for all other callers. For logout. */
export const optionalUser: RouteGuard<AccessClaims | null> = (request, { authenticator }) =>
  Promise.resolve(authenticator.presented(request));

/** Needs an access token. */
export const requireUser: RouteGuard<AccessClaims> = (request, { authenticator }) =>
  authenticator.session(request);

/** Needs an access token with the role admin, system or superadmin. */
export const administrators: RouteGuard<AccessClaims> = async (request, services) => {
  const caller = await services.authenticator.session(request);
  if (!isAdministrator(caller.role)) throw new ServiceError("PERMISSION_DENIED");
  return caller;
};

/** Returns the caller's id, or for an administrator the given id. Errors: `PERMISSION_DENIED`. */
export function actingFor(caller: AccessClaims, userId: string | undefined): string {
  if (userId === undefined || userId === caller.sub) return caller.sub;
  if (!isAdministrator(caller.role)) throw new ServiceError("PERMISSION_DENIED");
  return userId;
}
