import { everyRole } from "../../../vocabulary/accounts/role-names.ts";
import {
  type DocumentSchema,
  type Entries,
  type Part,
  reference,
} from "../../../vocabulary/openapi/document.ts";
import type { ModelDefinition, ServiceDefinition } from "../../definition/definition.ts";
import { credentialErrors, type ErrorForm, errorsOf, joinErrors } from "./error-responses.ts";
import { list, type OperationMaker, object } from "./operation.ts";
import type { RouteGroup } from "./route-group.ts";
import { answer } from "./shared-components.ts";

const mediaType = "application/graphql-response+json";
const text = { type: "string" };

/** The errors of GraphQL over HTTP. */
export const graphqlSchemas = {
  GraphqlErrors: answer({
    errors: list(
      answer(
        {
          message: text,
          path: list(text),
          extensions: answer({ code: text, statusCode: { type: "integer" }, details: { type: "object" } }, [
            "details",
          ]),
        },
        ["path"],
      ),
    ),
  }),
} satisfies Entries<DocumentSchema>;

const errorForm: ErrorForm = {
  name: "Graphql",
  content: { [mediaType]: { schema: reference("schemas", "GraphqlErrors") } },
};

const description = `Runs one document. An error in any field fails the whole request. A client that accepts \`${mediaType}\` gets \`data\` or \`errors\`, every other client the envelope.`;

/** The endpoint of GraphQL. */
export function graphqlGroup(definition: ServiceDefinition, make: OperationMaker): RouteGroup {
  const tag = "graphql";
  const models = definition.models.filter(({ internal }) => !internal);
  const post = make({
    operationId: "graphql",
    tag,
    summary: "Run a GraphQL document",
    description,
    credentials: "optional",
    body: requestBody,
    success: { 200: success },
    errors: joinErrors(
      errorsOf("VALIDATION_ERROR", "PERMISSION_DENIED", "NOT_FOUND"),
      credentialErrors,
      definition.rateLimits.enabled && models.some(isLimited) ? errorsOf("RATE_LIMIT_EXCEEDED") : {},
    ),
    errorForm,
    app: definition.graphqlHooks !== null || models.some(({ hooks }) => hooks !== null),
    access: [{ role: everyRole }],
    // Each root field counts for its operation.
    limit: null,
  });
  return {
    tag,
    description: "Queries and mutations of all models.",
    paths: { [`${definition.servicePrefix}/graphql`]: { post } },
    schemas: graphqlSchemas,
  };
}

function isLimited({ limits }: ModelDefinition): boolean {
  return Object.values(limits).some(({ limit }) => limit !== null);
}

const requestBody = object(
  {
    query: { type: "string", minLength: 1 },
    variables: { type: ["object", "null"] },
    operationName: { type: ["string", "null"] },
    extensions: { description: "Ignored." },
  },
  ["variables", "operationName", "extensions"],
);

const data = { type: "object" };

const success: Part = {
  description: "The result of each root field.",
  // Several limits can apply, so that no header has one.
  headers: { "X-Request-Id": reference("headers", "X-Request-Id") },
  content: {
    "application/json": {
      schema: { allOf: [reference("schemas", "Success")], required: ["data"], properties: { data } },
    },
    [mediaType]: { schema: answer({ data }) },
  },
};
