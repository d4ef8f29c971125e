import type { AccessCheck } from "../access-check.ts";
import type { AccessReport } from "../access-report.ts";
import { ask, atPrefix } from "./ask.ts";

/** Answers that say nothing about rows: refused, unknown path, wrong input. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 415]);

/**
 * The custom routes of the running app that answer a caller who sends nothing. Rules of models do not restrict the rows in their
 * answers. Routes that `generated/` has and `models/routes/` has not are among them.
 */
export async function askRoutes(check: AccessCheck): Promise<AccessReport["not_covered_by_rules"]> {
  const found: { route: string; callers: string[] }[] = [];
  for (const { method, path } of check.app.routes) {
    const callers: string[] = [];
    for (const caller of check.callers) {
      const named = path.replaceAll(/:\w+/g, "1").replace(/^\//, "");
      const body = method === "GET" || method === "DELETE" ? {} : { body: {} };
      const reply = await ask(check, caller, atPrefix(check, { method, path: named, ...body }));
      await check.service.settled();
      await check.journal.revert();
      if (!refusals.has(reply.status)) callers.push(caller.name);
    }
    const declared = check.definition.routes.some((route) => route.method === method && route.path === path);
    if (callers.length > 0)
      found.push({ route: `${method} ${path}${declared ? "" : " (not in models/routes/)"}`, callers });
  }
  return found;
}
