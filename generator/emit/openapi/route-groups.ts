import { documentedMethods } from "../../../vocabulary/openapi/document.ts";
import { operations } from "../../../vocabulary/operations.ts";
import type { ServiceDefinition } from "../../definition/definition.ts";
import { customRouteGroup } from "./custom-route-group.ts";
import { healthGroup } from "./health.ts";
import type { OperationMaker } from "./operation.ts";
import type { RouteGroup } from "./route-group.ts";

/** The groups of a service in the order of the document. A module that is off has none. */
export function routeGroups(definition: ServiceDefinition, make: OperationMaker): RouteGroup[] {
  const builtIn = [healthGroup(make)];
  return [...customRouteGroup(definition, make, operationIds(definition, builtIn)), ...builtIn];
}

/** The operationIds of models and built-in routes. Those of models count even if no role reaches them yet. */
function operationIds({ models }: ServiceDefinition, groups: readonly RouteGroup[]): string[] {
  const exposed = models.filter(({ internal }) => !internal);
  return [
    ...exposed.flatMap(({ typeName }) => operations.map((operation) => operation + typeName)),
    ...groups.flatMap(({ paths }) =>
      Object.values(paths).flatMap((item) =>
        documentedMethods.flatMap((method) => item[method]?.operationId ?? []),
      ),
    ),
  ];
}
