import { everyRole } from "../../vocabulary/role-names.ts";
import { escaped } from "../pages/index.ts";
import type { OpenRole } from "./open-roles.ts";
import { relativeLink } from "./relative-link.ts";

/** A line of the table. */
export interface RouteRow {
  readonly method: string;
  /** With `service_prefix`. */
  readonly path: string;
  readonly roles: readonly OpenRole[];
  /** Whether nothing has to be sent for an answer that shows something. */
  readonly asksNothing: boolean;
}

/** Routes with whom they let in. What everybody may open in a browser is a link. `title` is the id of the heading. */
export function routesTable(title: string, rows: readonly RouteRow[]): string {
  return `<table aria-labelledby="${title}">
<thead><tr><th scope="col">Route</th><th scope="col">Open to</th></tr></thead>
<tbody>
${rows.map(line).join("\n")}
</tbody>
</table>`;
}

function line({ method, path, roles, asksNothing }: RouteRow): string {
  const isOpen = method === "GET" && asksNothing && roles.some(({ role }) => role === everyRole);
  const shown = `<code>${method} ${escaped(path)}</code>`;
  const link = isOpen ? `<a href="${relativeLink(path)}">${shown}</a>` : shown;
  return `<tr><td>${link}</td><td>${whom(roles)}</td></tr>`;
}

function whom(roles: readonly OpenRole[]): string {
  const shown = roles.map(
    ({ role, isWhole }) => `<code>${escaped(role)}</code>${isWhole ? "" : " (some rows)"}`,
  );
  return shown.length === 0 ? "nobody" : shown.join(", ");
}
