import type { AnyHooks, ModelEntry } from "./entry.ts";
import type { Route } from "./route.ts";

/** A model with the routes that lead to it. */
export interface ModelRoutes extends ModelEntry {
  /** By path: `/fetch`, … */
  readonly routes: ReadonlyMap<string, Route>;
}

/** Ties the routes of a model to what they work on. */
export function modelRoutes(
  parts: Omit<ModelEntry, "hooks"> & { readonly hooks?: AnyHooks },
  routes: readonly Route[],
): ModelRoutes {
  return { hooks: {}, ...parts, routes: new Map(routes.map((route) => [route.path, route])) };
}
