import { operations } from "../../vocabulary/operations.ts";
import type { Policy } from "./policy.ts";

const administrativeRoles: ReadonlySet<string> = new Set(["admin", "system", "superadmin"]);

/** Whether a role may act for other users, and look after rate limits (contract: "Authorization summary"). */
export function isAdministrator(role: string): boolean {
  return administrativeRoles.has(role);
}

/** The roles that some rule of some policy names, `guest` among them, in the order of the alphabet; `*` is none. */
export function namedRoles(policies: readonly Policy[]): string[] {
  const roles = policies.flatMap((policy) => [
    ...operations.flatMap((operation) => {
      const { rules, insertRules } = policy[operation];
      return [...rules, ...insertRules].map(({ role }) => role);
    }),
    ...Object.values(policy.fields).flatMap((gates) => [...(gates?.read ?? []), ...(gates?.write ?? [])]),
  ]);
  return [...new Set(roles)].filter((role) => role !== "*").sort();
}
