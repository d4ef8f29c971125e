import type { ServiceDefinition } from "../../definition/definition.ts";
import { healthGroup } from "./health.ts";
import type { OperationMaker } from "./operation.ts";
import type { RouteGroup } from "./route-group.ts";

/** The groups of a service in the order of the document. A module that is off has none. */
export function routeGroups(definition: ServiceDefinition, make: OperationMaker): RouteGroup[] {
  return [healthGroup(make)];
}
