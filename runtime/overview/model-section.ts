import type { Operation } from "../../vocabulary/operations.ts";
import type { Policy } from "../access/index.ts";
import type { Model } from "../model/index.ts";
import { escaped } from "../pages/index.ts";
import { openRoles } from "./open-roles.ts";
import { routesTable } from "./shown-routes.ts";

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
  const title = `model-${model.key}`;
  const rows = [...routes.values()].map(({ method, path, operation }) => ({
    method,
    path: `${servicePrefix}/${model.slug}${path}`,
    roles: openRoles(policy[operation]),
    asksNothing: operation !== "exists",
  }));
  return `<h3 id="${title}">${escaped(model.key)}</h3>\n${routesTable(title, rows)}`;
}
