import type {
  Components,
  DocumentSchema,
  Entries,
  OpenApiDocument,
} from "../../../vocabulary/openapi/document.ts";
import { withUsedComponents } from "../../../vocabulary/openapi/used-components.ts";
import type { ServiceDefinition } from "../../definition/definition.ts";
import { componentNames } from "./component-names.ts";
import { type ErrorsByStatus, errorResponses } from "./error-responses.ts";
import { filterMaker } from "./field-schemas.ts";
import { modelParameters, modelPaths, modelResponses, reachedOperations } from "./model-operations.ts";
import { type DocumentedModel, modelSchemas } from "./model-schemas.ts";
import { operationMaker } from "./operation.ts";
import { groupSchemaNames, routeGroups } from "./route-groups.ts";
import {
  securitySchemes,
  sharedHeaders,
  sharedParameters,
  sharedResponses,
  sharedSchemas,
} from "./shared-components.ts";

/** Errors below HTTP, which no operation lists. */
const httpErrors =
  "A path that does not take the method answers 405, a request that does not arrive in time 408, too large headers 431, each with `HTTP_ERROR`.";

/** The OpenAPI document of a service: all routes that it mounts, except pages for developers and operators. */
export function openApiDocument(definition: ServiceDefinition): OpenApiDocument {
  const { docs, servicePrefix, models, cookieName, rateLimits } = definition;
  const responses = errorResponses(appErrors(definition));
  const make = operationMaker(responses, { cookie: cookieName !== null, limited: rateLimits.enabled });
  const byKey = new Map(models.map((model) => [model.key, model]));
  const filters = filterMaker();
  const groups = routeGroups(definition, make);
  const ofGroups = joined(groups.map(({ schemas = {} }) => schemas));
  const documented = documentedModels(definition, ofGroups);
  const paths = joined([
    ...documented.map((model) => modelPaths(model, servicePrefix, make)),
    ...groups.map((group) => group.paths),
  ]);
  const components: Components = {
    schemas: joined<DocumentSchema>([
      ...documented.map((model) => modelSchemas(model, byKey, filters)),
      ofGroups,
      sharedSchemas,
    ]),
    // The last entries are always used, so that a new one before them moves no comma.
    responses: joined([...documented.map(modelResponses), sharedResponses, responses.all()]),
    parameters: joined([...documented.map(modelParameters), sharedParameters]),
    headers: sharedHeaders,
    securitySchemes: securitySchemes(definition),
  };
  const document: OpenApiDocument = {
    openapi: "3.1.1",
    info: {
      title: docs.title,
      version: docs.version,
      description: docs.description === null ? httpErrors : `${docs.description}\n\n${httpErrors}`,
    },
    servers: [{ url: "/" }],
    tags: tagsOf(documented, groups),
    paths,
    components,
  };
  return withUsedComponents(document, true);
}

/** Public models that a role reaches, in declared order. */
function documentedModels({ models }: ServiceDefinition, ofGroups: object): DocumentedModel[] {
  const reached = models
    .filter(({ internal }) => !internal)
    .map((model) => ({ model, operations: reachedOperations(model) }))
    .filter(({ operations }) => operations.length > 0);
  const names = componentNames(
    reached.map(({ model }) => model),
    [
      ...groupSchemaNames,
      ...[sharedSchemas, sharedResponses, sharedParameters, ofGroups].flatMap(Object.keys),
    ],
  );
  return reached.map(({ model, operations }) => ({
    model,
    operations,
    name: names.get(model.key) ?? model.typeName,
  }));
}

function appErrors({ errors }: ServiceDefinition): ErrorsByStatus {
  const statuses = [...new Set(errors.map(({ status }) => status))].sort();
  const codesOf = (status: number) =>
    errors.filter((error) => error.status === status).map(({ code }) => code);
  return Object.fromEntries(statuses.map((status) => [status, codesOf(status).sort()]));
}

function joined<Value>(parts: readonly Entries<Value>[]): Entries<Value> {
  return Object.assign({}, ...parts);
}

/** A model whose key is the name of a group shares its tag. */
function tagsOf(
  models: readonly DocumentedModel[],
  groups: ReturnType<typeof routeGroups>,
): OpenApiDocument["tags"] {
  const tags = new Map<string, string>();
  for (const { model } of models) tags.set(model.key, model.description ?? `Rows of ${model.key}.`);
  for (const { tag, description } of groups) if (!tags.has(tag)) tags.set(tag, description);
  return [...tags].map(([name, description]) => ({ name, description }));
}
