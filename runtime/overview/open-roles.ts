import { coversRole } from "../../vocabulary/role-names.ts";
import type { OperationPolicy, Rule } from "../access/index.ts";

/** A role that an operation lets in. */
export interface OpenRole {
  readonly role: string;
  /** Whether it reaches all rows. */
  readonly isWhole: boolean;
}

/** The roles that an operation lets in, in the order of its rules. An upsert asks for both: to add rows, and to change them. */
export function openRoles({ rules, insertRules }: OperationPolicy): OpenRole[] {
  const roles = [...new Set([...insertRules, ...rules].map(({ role }) => role))];
  return roles.flatMap((role) => {
    const ways = [insertRules, rules].map((list) => list.filter((rule) => coversRole(rule.role, role)));
    return ways.some((list) => list.length === 0) ? [] : [{ role, isWhole: ways.every(reachesAll) }];
  });
}

function reachesAll(rules: readonly Rule[]): boolean {
  return rules.some(({ when }) => when === undefined);
}
