import {
  administratorRoles,
  guestRole,
  isRoleOfMany,
  signedInRole,
} from "../../../vocabulary/accounts/role-names.ts";
import { operations } from "../../../vocabulary/operations.ts";
import type { Policy } from "./policy.ts";

const administrativeRoles: ReadonlySet<string> = new Set(administratorRoles);

/** Whether a role may act for other users, and look after rate limits (contract: "Authorization summary"). */
export function isAdministrator(role: string): boolean {
  return administrativeRoles.has(role);
}

/** The roles that some rule of some policy names, `guest` among them, in the order of the alphabet; `*` and `signed_in` are none. */
export function namedRoles(policies: readonly Policy[]): string[] {
  const roles = new Set(policies.flatMap(admitted).filter((role) => !isRoleOfMany(role)));
  return [...roles].sort();
}

/** Whether a policy says something of guests that it does not say of callers whose role it never names. */
export function tellsGuests(policy: Policy): boolean {
  return admitted(policy).some((role) => role === guestRole || role === signedInRole);
}

/** Whatever stands for a role in a policy. */
function admitted(policy: Policy): string[] {
  const rules = operations.flatMap((operation) => {
    const { rules, insertRules } = policy[operation];
    return [...rules, ...insertRules].map(({ role }) => role);
  });
  const gates = Object.values(policy.fields).flatMap((gates) => [
    ...(gates?.read ?? []),
    ...(gates?.write ?? []),
  ]);
  return [...rules, ...gates];
}
