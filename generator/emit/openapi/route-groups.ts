import type { ServiceDefinition } from "../../definition/definition.ts";
import { accountSchemas } from "./account-schemas.ts";
import { accountGroup } from "./accounts.ts";
import { healthGroup } from "./health.ts";
import type { OperationMaker } from "./operation.ts";
import { counterSchemas, rateLimitGroup } from "./rate-limit-counters.ts";
import type { RouteGroup } from "./route-group.ts";
import { socialGroup, socialSchemas } from "./social.ts";

/** The groups of a service in the order of the document. A module that is off has none. */
export function routeGroups(definition: ServiceDefinition, make: OperationMaker): RouteGroup[] {
  return [
    accountGroup(definition, make),
    ...(definition.socialProviders.length > 0 ? [socialGroup(definition, make)] : []),
    rateLimitGroup(make),
    healthGroup(make),
  ];
}

/** Names of the schemas of all groups, also of modules that are off: a switch renames no model. */
export const groupSchemaNames: readonly string[] = [accountSchemas, socialSchemas, counterSchemas].flatMap(
  Object.keys,
);
