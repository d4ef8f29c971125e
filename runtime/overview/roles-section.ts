import { operations } from "../../vocabulary/operations.ts";
import {
  administratorRoles,
  everyRole,
  guestRole,
  registeredRole,
  signedIn,
} from "../../vocabulary/role-names.ts";
import { escaped } from "../pages/index.ts";
import type { ShownModel } from "./model-section.ts";
import { openRoles } from "./open-roles.ts";
import type { ShownOwnRoute } from "./own-routes-section.ts";

/** What the service itself means by a role. */
const meanings: ReadonlyMap<string, string> = new Map([
  [everyRole, "everybody, with a token or without"],
  [signedIn, "whoever sends a token or an API key"],
  [guestRole, "whoever sends neither"],
  [registeredRole, "whoever registers"],
  ...administratorRoles.map((role) => [role, "looks after accounts and rate limits"] as const),
]);

/** The roles that rules name, with where. */
export function rolesSection(models: readonly ShownModel[], routes: readonly ShownOwnRoute[]): string {
  const named = new Map<string, Set<string>>();
  const name = (role: string, by: string) => named.set(role, (named.get(role) ?? new Set()).add(by));
  for (const { model, policy } of models)
    for (const { role } of operations.flatMap((operation) => openRoles(policy[operation])))
      name(role, model.key);
  for (const { path, access } of routes) for (const role of access) name(role, path);
  const entries = [...named]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([role, keys]) => {
      const parts = [meanings.get(role), `named by ${[...keys].join(", ")}`];
      const text = parts.filter((part) => part !== undefined).join("; ");
      return `<dt><code>${escaped(role)}</code></dt><dd>${escaped(text)}</dd>`;
    });
  return entries.length === 0 ? "" : `<h2>Roles</h2>\n<dl>\n${entries.join("\n")}\n</dl>`;
}
