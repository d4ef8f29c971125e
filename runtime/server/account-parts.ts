import {
  administratorRoles,
  guestRole,
  isReservedRole,
  registeredRole,
} from "../../vocabulary/accounts/role-names.ts";
import { namedRoles } from "../models/access/index.ts";
import type { AccountsOptions } from "../modules/auth/index.ts";
import type { Service } from "./service.ts";

/** What the accounts need of a service. */
export function accountParts(
  service: Service,
): Pick<AccountsOptions, "accounts" | "entries" | "fetched" | "roles"> {
  const { accounts, models, internalModels } = service;
  const fetched = models.filter(({ routes }) => routes.has("/fetch"));
  return { accounts, entries: [...models, ...internalModels], fetched, roles: rolesOf(service) };
}

/** The roles that an account can have: those that rules and routes name, and the built-in ones. */
function rolesOf({ models, internalModels, routes }: Service): ReadonlySet<string> {
  const named = [
    ...namedRoles([...models, ...internalModels].map(({ policy }) => policy)),
    ...routes.flatMap(({ access }) => access),
  ];
  const roles = [...named, registeredRole, ...administratorRoles];
  return new Set(roles.filter((role) => role !== guestRole && !isReservedRole(role)));
}
