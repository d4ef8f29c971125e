import {
  canBeUnder,
  isRouteMethod,
  pathsOverlap,
  routeMethods,
  routePathProblem,
  segmentsOf,
} from "../../vocabulary/custom-routes.ts";
import { operations } from "../../vocabulary/operations.ts";
import type { ReportDiagnostic } from "../diagnostics/index.ts";
import type { RawRoute } from "../load/raw.ts";
import { checkRole } from "./check-access.ts";
import type { CheckContext } from "./check-context.ts";
import { mountsOf } from "./check-routes.ts";

/** Checks custom routes: their values, and that no request can match two of them or a built-in route. */
export function checkCustomRoutes(context: CheckContext): void {
  const { routes, strayRoutes, report } = context;
  for (const file of strayRoutes) {
    const message = "a routes file must be directly in the folder, with a name such as slots.ts";
    const hint = "use lower-case letters, digits, _ and -; put code that routes share next to the folder";
    report("invalid-route", { file, offset: 0, length: 1 }, message, hint);
  }
  for (const route of routes) checkRoute(route, report);
  const sound = routes.filter(({ path }) => routePathProblem(path.value) === null);
  for (const [index, route] of sound.entries()) checkPath(route, sound.slice(0, index), context);
}

function checkRoute({ method, path, access, rateLimit }: RawRoute, report: ReportDiagnostic): void {
  if (!isRouteMethod(method.value))
    report("invalid-route", method.at, `"${method.value}" is not one of ${routeMethods.join(", ")}`);
  const problem = routePathProblem(path.value);
  if (problem !== null) report("invalid-route", path.at, `the path "${path.value}" ${problem}`);
  if (access.roles.length === 0)
    report("invalid-route", access.at, "no role may call the route", 'name roles, "signed_in" or "*"');
  for (const [index, role] of access.roles.entries()) {
    checkRole(role, report);
    if (role.value === "") report("invalid-role", role.at, "a role is empty");
    if (access.roles.slice(0, index).some(({ value }) => value === role.value))
      report("invalid-route", role.at, `the role "${role.value}" appears twice`);
  }
  if (rateLimit === null || rateLimit.enabled === false) return;
  const missing = ["max_requests", "window_seconds"].filter((key) => !rateLimit.keys.has(key));
  if (missing.length > 0)
    report(
      "incomplete-rate-limit",
      rateLimit.at,
      `the rate limit of the route lacks ${missing.map((key) => `"${key}"`).join(" and ")}`,
    );
}

function checkPath(route: RawRoute, earlier: readonly RawRoute[], context: CheckContext): void {
  const { path, method } = route;
  const other = earlier.find((each) => collide(route, each));
  const what =
    other === undefined ? mountedAt(path.value, context) : `${other.method.value} ${other.path.value}`;
  if (what === null) return;
  const name = `${method.value} ${path.value}`;
  const message = name === what ? `${name} appears twice` : `${name} could match a request for ${what}`;
  context.report("route-collision", path.at, message, null, other === undefined ? [] : [other.path.at]);
}

/** Routes with exactly the same path can have different methods. */
function collide(a: RawRoute, b: RawRoute): boolean {
  if (!pathsOverlap(segmentsOf(a.path.value), segmentsOf(b.path.value))) return false;
  return a.path.value !== b.path.value || a.method.value === b.method.value;
}

/** The other route at a path, or null. Modules count even if they are off. */
function mountedAt(path: string, { manifest, models }: CheckContext): string | null {
  const prefix = manifest?.servicePrefix?.value ?? "";
  const segments = segmentsOf(`${prefix}${path}`);
  const mount = mountsOf(manifest).find((each) => canBeUnder(segments, segmentsOf(each.path)));
  if (mount !== undefined) return `${mount.what} at ${mount.path}`;
  for (const model of models.filter(({ internal, builtIn }) => !internal && !builtIn))
    for (const operation of operations) {
      const taken = `${prefix}/${model.slug?.value ?? model.key}/${operation}`;
      if (pathsOverlap(segments, segmentsOf(taken)))
        return `${operation} of model "${model.key}" at ${taken}`;
    }
  return null;
}
