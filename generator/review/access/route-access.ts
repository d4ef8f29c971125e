import { routeMethods } from "../../../vocabulary/custom-routes.ts";
import { gateAdmits, type RouteRoles, rolesWith } from "./access-matrix.ts";
import { rolePhrase } from "./access-text.ts";
import { rolePattern } from "./parse-matrix.ts";

const route = String.raw`(?:${routeMethods.join("|")}) /\S+`;
const routeForm = new RegExp(`^(${route}) to (${rolePattern})$`);

/** The id that acknowledges an open route: `POST /slots/:id/book to user`. */
export function routeId({ route, role }: Pick<OpenedRoute, "route" | "role">): string {
  return `${route} to ${role}`;
}

/** Whether a text has the form of a route id. */
export function isRouteId(id: string): boolean {
  return routeForm.test(id);
}

/** Whether the route of an id is open to its role. */
export function routeHolds(id: string, routes: RouteRoles): boolean {
  const [, name = "", role = ""] = routeForm.exec(id) ?? [];
  return gateAdmits(routes.get(name) ?? new Set(), role);
}

/** Ids of open routes that are similar to an entry. */
export function similarRouteIds(id: string, routes: RouteRoles): string[] {
  if (!/^[A-Z]+ \//.test(id)) return [];
  return [...routes].flatMap(([name, roles]) => [...roles].map((role) => routeId({ route: name, role })));
}

/** A role that can call a route now and could not before. */
export interface OpenedRoute {
  /** `POST /slots/:id/book` */
  readonly route: string;
  readonly role: string;
  /** The roles that could call it before. */
  readonly before: readonly string[];
}

/** A new route, and the roles that can call it. */
export interface NewRoute {
  readonly route: string;
  readonly roles: readonly string[];
}

/** Roles that can call known routes now, and new routes. Names of parameters in a path do not matter to callers. */
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

/** A route without the names of its parameters. */
export function shapeOf(route: string): string {
  return route.replace(/:[^/]+/g, ":");
}

/** `POST /slots/:id/book can be called by everyone; before: by staff`. */
export function routeText({ route, role, before }: OpenedRoute): string {
  return `${route} can be called by ${rolePhrase(role)}; before: by ${before.map(rolePhrase).join(", ")}`;
}
