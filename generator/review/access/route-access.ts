import { routeMethods } from "../../../vocabulary/custom-routes.ts";
import { gateAdmits, rolePattern, rolesWith } from "./access-matrix.ts";
import { rolePhrase } from "./access-text.ts";

/** Who may call the app's own routes: roles, as the matrix spells them, by `POST /slots/:id`. */
export type RouteRoles = ReadonlyMap<string, ReadonlySet<string>>;

const route = String.raw`(?:${routeMethods.join("|")}) /\S+`;
const routeLine = new RegExp(`^(${route}) +(${rolePattern}) +route in `);
const routeForm = new RegExp(`^(${route}) to (${rolePattern})$`);

/** Reads the lines of routes in the text of `access-matrix.txt`. */
export function parseRoutes(text: string): RouteRoles {
  const routes = new Map<string, Set<string>>();
  for (const line of text.split("\n")) {
    const [, name = "", role = ""] = routeLine.exec(line) ?? [];
    if (name !== "") routes.set(name, (routes.get(name) ?? new Set()).add(role));
  }
  return routes;
}

/** The name by which a person acknowledges that a route is open: `POST /slots/:id/book to user`. */
export function routeId({ route, role }: Pick<OpenedRoute, "route" | "role">): string {
  return `${route} to ${role}`;
}

/** Whether a text has the form of such a name. */
export function isRouteId(id: string): boolean {
  return routeForm.test(id);
}

/** Whether the statement that an id makes is true. */
export function routeHolds(id: string, routes: RouteRoles): boolean {
  const [, name = "", role = ""] = routeForm.exec(id) ?? [];
  return gateAdmits(routes.get(name) ?? new Set(), role);
}

/** Names of what is open of the routes, where an entry looks like one of them. */
export function similarRouteIds(id: string, routes: RouteRoles): string[] {
  if (!/^[A-Z]+ \//.test(id)) return [];
  return [...routes].flatMap(([name, roles]) => [...roles].map((role) => routeId({ route: name, role })));
}

/** A role that may call a route now and might not before. */
export interface OpenedRoute {
  /** `POST /slots/:id/book` */
  readonly route: string;
  readonly role: string;
  /** Who might before. */
  readonly before: readonly string[];
}

/** A route that was not there before, and who may call it. */
export interface NewRoute {
  readonly route: string;
  readonly roles: readonly string[];
}

/** Roles that may call known routes now; new routes are reported as such, like new models. The names in a path are nothing to callers. */
export function routeChanges(
  before: RouteRoles,
  after: RouteRoles,
): { opened: OpenedRoute[]; added: NewRoute[] } {
  const former = new Map([...before].map(([name, roles]) => [shapeOf(name), roles]));
  const opened = [...after].flatMap(([name, roles]) => {
    const known = former.get(shapeOf(name));
    if (known === undefined) return [];
    return [...roles]
      .filter(
        (role) =>
          !gateAdmits(known, role) && !rolesWith(role).some((wide) => wide !== role && roles.has(wide)),
      )
      .map((role) => ({ route: name, role, before: [...known] }));
  });
  const added = [...after].flatMap(([name, roles]) =>
    former.has(shapeOf(name)) ? [] : [{ route: name, roles: [...roles] }],
  );
  return { opened, added };
}

/** A route without the names in its path. */
export function shapeOf(route: string): string {
  return route.replace(/:[^/]+/g, ":");
}

/** `POST /slots/:id/book can be called by everyone; before: by staff`. */
export function routeText({ route, role, before }: OpenedRoute): string {
  return `${route} can be called by ${rolePhrase(role)}; before: by ${before.map(rolePhrase).join(", ")}`;
}
