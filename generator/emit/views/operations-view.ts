import { type Operation, operations } from "../../../vocabulary/operations.ts";
import type { ModelDefinition } from "../../definition/definition.ts";

/** Methods of the routes of a model. */
export const methods: Readonly<Record<Operation, "GET" | "POST" | "PUT" | "PATCH" | "DELETE">> = {
  fetch: "GET",
  search: "GET",
  count: "GET",
  exists: "GET",
  create: "POST",
  update: "PUT",
  upsert: "PUT",
  delete: "DELETE",
  destroy: "DELETE",
  restore: "PATCH",
};

/** Operations of a model that have a route; without soft delete `restore` has none. */
export function operationsOf({ softDelete }: ModelDefinition): Operation[] {
  return operations.filter((operation) => operation !== "restore" || softDelete);
}

/** Whether a model has routes of its own. */
export function hasRoutes(model: ModelDefinition): boolean {
  return !model.internal;
}
