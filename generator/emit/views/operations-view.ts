import type { ModelDefinition } from "../../definition/definition.ts";

/** Whether a model has routes. */
export function hasRoutes(model: ModelDefinition): boolean {
  return !model.internal;
}
