import { documentedMethods } from "../../../vocabulary/openapi/document.ts";
import { operations } from "../../../vocabulary/operations.ts";
import type { ServiceDefinition } from "../../definition/definition.ts";
import { accountSchemas } from "./account-schemas.ts";
import { accountGroup } from "./accounts.ts";
import { customRouteGroup } from "./custom-route-group.ts";
import { graphqlGroup, graphqlSchemas } from "./graphql.ts";
import { healthGroup } from "./health.ts";
import { monitoringGroup } from "./monitoring.ts";
import { monitoringSchemas } from "./monitoring-schemas.ts";
import type { OperationMaker } from "./operation.ts";
import { counterSchemas, rateLimitGroup } from "./rate-limit-counters.ts";
import type { RouteGroup } from "./route-group.ts";
import { socialGroup, socialSchemas } from "./social.ts";
import { storageGroup, storageSchemas } from "./storage.ts";
import { userGroup, userSchemaNames } from "./users.ts";

/** The groups of a service in the order of the document. A module that is off has none. */
export function routeGroups(definition: ServiceDefinition, make: OperationMaker): RouteGroup[] {
  const { storage, monitoring, socialProviders, administration } = definition;
  const builtIn = [
    graphqlGroup(definition, make),
    accountGroup(definition, make),
    ...(socialProviders.length > 0 ? [socialGroup(definition, make)] : []),
    ...(administration ? [userGroup(definition, make)] : []),
    ...(storage === null ? [] : [storageGroup(storage, make)]),
    ...(monitoring ? [monitoringGroup(make)] : []),
    rateLimitGroup(make),
    healthGroup(make),
  ];
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

/** Names of the schemas of all groups, also of modules that are off: a switch renames no model. */
export const groupSchemaNames: readonly string[] = [
  ...[graphqlSchemas, accountSchemas, socialSchemas].flatMap(Object.keys),
  ...userSchemaNames,
  ...[storageSchemas, monitoringSchemas, counterSchemas].flatMap(Object.keys),
];
