import type { ServiceDefinition } from "../../definition/definition.ts";
import { graphqlGroup, graphqlSchemas } from "./graphql.ts";
import { healthGroup } from "./health.ts";
import { monitoringGroup } from "./monitoring.ts";
import { monitoringSchemas } from "./monitoring-schemas.ts";
import type { OperationMaker } from "./operation.ts";
import type { RouteGroup } from "./route-group.ts";
import { storageGroup, storageSchemas } from "./storage.ts";

/** The groups of a service in the order of the document. A module that is off has none. */
export function routeGroups(definition: ServiceDefinition, make: OperationMaker): RouteGroup[] {
  const { storage, monitoring } = definition;
  return [
    graphqlGroup(definition, make),
    ...(storage === null ? [] : [storageGroup(storage, make)]),
    ...(monitoring ? [monitoringGroup(make)] : []),
    healthGroup(make),
  ];
}

/** Schema names of all groups. They are taken while a module is off, too, so that model names stay. */
export const groupSchemaNames: readonly string[] = [
  graphqlSchemas,
  storageSchemas,
  monitoringSchemas,
].flatMap(Object.keys);
