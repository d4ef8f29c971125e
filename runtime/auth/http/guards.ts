import type { Request } from "express";
import { isAdministrator } from "../../access/index.ts";
import { ServiceError } from "../../errors/index.ts";
import type { AccessClaims } from "../tokens/access-token.ts";
import type { AccountServices } from "./account-services.ts";

/** Who may use a route: gives the caller, or throws. */
export type Guard<Caller> = (request: Request, services: AccountServices) => Promise<Caller>;

/** Public: the credential is not even read, so that a stale one does not keep anybody from signing in. */
export const anybody: Guard<null> = () => Promise.resolve(null);

/** Whoever sent a valid access token; null for everybody else. For logout. */
export const whoever: Guard<AccessClaims | null> = (request, { authenticator }) =>
  Promise.resolve(authenticator.presented(request));

/** Needs an access token. */
export const signedIn: Guard<AccessClaims> = (request, { authenticator }) => authenticator.session(request);

/** Needs an access token with the role admin, system or superadmin. */
export const administrators: Guard<AccessClaims> = async (request, services) => {
  const caller = await services.authenticator.session(request);
  if (!isAdministrator(caller.role)) throw new ServiceError("PERMISSION_DENIED");
  return caller;
};
