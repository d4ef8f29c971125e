import type { ApiSurface } from "../../emit/views/api-surface.ts";
import { admits } from "../access/access-matrix.ts";
import { who } from "../access/access-text.ts";
import { shapeOf } from "../access/route-access.ts";
import type { BreakingChange } from "./breaking-fields.ts";

/** What callers notice of the app's own routes: one that is gone, and one that they may not call any more. */
export function ownRouteChanges(before: ApiSurface, after: ApiSurface): BreakingChange[] {
  const now = new Map(Object.entries(after.routes).map(([route, roles]) => [shapeOf(route), new Set(roles)]));
  return Object.entries(before.routes).flatMap(([route, roles]): BreakingChange[] => {
    const open = now.get(shapeOf(route));
    if (open === undefined) return [{ change: `${route} is gone`, notices: "its callers get 404 or 405" }];
    return roles
      .filter((role) => !admits(open, role))
      .map((role) => ({
        change: `${route} cannot be called by ${who(role)} any more`,
        notices: "they get 401 or 403",
      }));
  });
}
