import { type Operation, operations } from "../../../vocabulary/operations.ts";
import type { ModelDefinition } from "../../definition/definition.ts";

/** Operations of a model that have a route; without soft delete `restore` has none. */
export function operationsOf({ softDelete }: ModelDefinition): Operation[] {
  return operations.filter((operation) => operation !== "restore" || softDelete);
}

/** Whether a model has routes. */
export function hasRoutes(model: ModelDefinition): boolean {
  return !model.internal;
}
