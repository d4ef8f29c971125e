import { routesTable } from "./shown-routes.ts";

/** A route of the app's own, as the page shows it. */
export interface ShownOwnRoute {
  readonly method: string;
  readonly path: string;
  readonly access: readonly string[];
}

/** The routes of the app's own; nothing where it has none. */
export function ownRoutesSection(routes: readonly ShownOwnRoute[], servicePrefix: string): string {
  if (routes.length === 0) return "";
  const rows = routes.map(({ method, path, access }) => ({
    method,
    path: `${servicePrefix}${path}`,
    roles: access.map((role) => ({ role, isWhole: true })),
    // What stands for a name has to be chosen; what the query may have to hold is not known here.
    asksNothing: !path.includes(":"),
  }));
  return `<h2 id="own-routes">Routes of this app</h2>\n${routesTable("own-routes", rows)}`;
}
