import { operations } from "../../vocabulary/operations.ts";
import type { Policy } from "./policy.ts";

/** The roles that some rule of some policy names, in the order of the alphabet; `*` and guests are none. */
export function namedRoles(policies: readonly Policy[]): string[] {
  const roles = policies.flatMap((policy) => [
    ...operations.flatMap((operation) => {
      const { rules, insertRules } = policy[operation];
      return [...rules, ...insertRules].map(({ role }) => role);
    }),
    ...Object.values(policy.fields).flatMap((gates) => [...(gates?.read ?? []), ...(gates?.write ?? [])]),
  ]);
  return [...new Set(roles)].filter((role) => role !== "*" && role !== "guest").sort();
}
