import type { Operation } from "../../vocabulary/operations.ts";
import { everyRole } from "../../vocabulary/role-names.ts";
import type { Policy } from "../access/index.ts";
import type { Model } from "../model/index.ts";
import { escaped } from "../pages/index.ts";
import { type OpenRole, openRoles } from "./open-roles.ts";
import { relativeLink } from "./relative-link.ts";

/** A route of a model. */
interface ShownRoute {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** A model with routes, as the page shows it. */
export interface ShownModel {
  readonly model: Model;
  readonly policy: Policy;
  readonly routes: ReadonlyMap<string, ShownRoute>;
}

/** Its routes, each with whom it lets in. */
export function modelSection({ model, policy, routes }: ShownModel, servicePrefix: string): string {
  const rows = [...routes.values()].map(({ method, path, operation }) => {
    const full = `${servicePrefix}/${model.slug}${path}`;
    const roles = openRoles(policy[operation]);
    const isOpen = method === "GET" && operation !== "exists" && roles.some(({ role }) => role === everyRole);
    const shown = `<code>${method} ${escaped(full)}</code>`;
    const link = isOpen ? `<a href="${relativeLink(full)}">${shown}</a>` : shown;
    return `<tr><td>${link}</td><td>${whom(roles)}</td></tr>`;
  });
  const id = `model-${model.key}`;
  return `<h3 id="${id}">${escaped(model.key)}</h3>
<table aria-labelledby="${id}">
<thead><tr><th scope="col">Route</th><th scope="col">Open to</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>`;
}

function whom(roles: readonly OpenRole[]): string {
  const shown = roles.map(
    ({ role, isWhole }) => `<code>${escaped(role)}</code>${isWhole ? "" : " (some rows)"}`,
  );
  return shown.length === 0 ? "nobody" : shown.join(", ");
}
