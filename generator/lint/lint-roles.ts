import { typingDistance } from "../../vocabulary/nearest.ts";
import type { Located } from "../load/read.ts";
import type { LintContext } from "./lint-context.ts";

/** Roles that exist whatever the models say (contract: "Roles"). */
const known = ["guest", "user"];

/** Shorter names are too often near each other. */
const shortest = 4;

/** A role that one place names and that is one typing error away from another: no token will have it. */
export function lintRoles({ graph, report }: LintContext): void {
  const places = new Map<string, Located<string>[]>(known.map((role) => [role, []]));
  for (const { raw } of graph.values()) {
    const gates = raw.access.fields.flatMap(({ read, write }) => [...(read ?? []), ...(write ?? [])]);
    const rules = [...raw.access.operations.values()].flatMap((entry) => entry.rules.map(({ role }) => role));
    for (const role of [...rules, ...gates]) {
      const uses = places.get(role.value) ?? [];
      uses.push(role);
      places.set(role.value, uses);
    }
  }
  const usual = [...places].filter(([role, uses]) => known.includes(role) || uses.length > 1);
  for (const [role, [only, ...more]] of places) {
    if (only === undefined || more.length > 0 || known.includes(role)) continue;
    const near = usual.find(([other]) => isNear(role, other));
    if (near === undefined) continue;
    const message = `the role ${JSON.stringify(role)} stands here alone, and looks like ${JSON.stringify(near[0])}`;
    report("similar-roles", only.at, message, `write ${JSON.stringify(near[0])}, if that is meant`);
  }
}

function isNear(role: string, other: string): boolean {
  if (role === other || Math.min(role.length, other.length) < shortest) return false;
  return typingDistance(role.toLowerCase(), other.toLowerCase()) <= 1;
}
