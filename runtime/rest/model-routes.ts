import type { AnyHooks } from "../hooks/index.ts";
import type { ModelEntry } from "../operations/index.ts";
import type { ModelLimits } from "../rate-limit/index.ts";
import type { Route } from "./route.ts";

/** A model with the routes that lead to it. */
export interface ModelRoutes extends ModelEntry {
  readonly limits: ModelLimits;
  /** By path: `/fetch`, … */
  readonly routes: ReadonlyMap<string, Route>;
}

/** Ties the routes of a model to what they work on. */
export function modelRoutes(
  parts: Omit<ModelEntry, "hooks"> & { readonly hooks?: AnyHooks; readonly limits?: ModelLimits },
  routes: readonly Route[],
): ModelRoutes {
  return { hooks: {}, limits: {}, ...parts, routes: new Map(routes.map((route) => [route.path, route])) };
}
