import { everyRole, guestRole, signedInRole } from "../../../vocabulary/accounts/role-names.ts";
import { closedSchema, isSchema, type JsonSchema, openedSchema } from "../../../vocabulary/code-schemas.ts";
import { routeMethods, segmentsOf } from "../../../vocabulary/custom-routes.ts";
import { isJsonObject, type JsonObject } from "../../../vocabulary/json.ts";
import {
  type DocumentedOperation,
  type DocumentSchema,
  type Entries,
  type Part,
  reference,
} from "../../../vocabulary/openapi/document.ts";
import type { RouteDefinition, RouteSchemas, ServiceDefinition } from "../../definition/definition.ts";
import { type SchemaTranslator, schemaTranslator } from "./code-schemas.ts";
import { credentialErrors, errorsOf, joinErrors, responseHeaders } from "./error-responses.ts";
import { anyType, type OperationFacts, type OperationMaker, successResponse } from "./operation.ts";
import { pathsOfTable, type RouteGroup } from "./route-group.ts";
import { pascalCase, routeOperationIds } from "./route-names.ts";

const tag = "routes";

const binary: Part = { type: "string", format: "binary" };

/** The routes of the app's code. `taken` are the operationIds of the other routes. */
export function customRouteGroup(
  { routes, servicePrefix }: ServiceDefinition,
  make: OperationMaker,
  taken: Iterable<string>,
): RouteGroup[] {
  if (routes.length === 0) return [];
  const sorted = [...routes].sort(byPath);
  const ids = routeOperationIds(sorted, taken);
  const schemas = new Map<string, DocumentSchema>();
  const rows = sorted.map((route) => ({ route, method: route.method, path: documentedPath(route.path) }));
  const paths = pathsOfTable(rows, servicePrefix, ({ route }) =>
    operationOf(route, ids.get(route) ?? "", make, schemas),
  );
  return [{ tag, description: "Routes of the app's code.", paths, schemas: Object.fromEntries(schemas) }];
}

function byPath(a: RouteDefinition, b: RouteDefinition): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return routeMethods.indexOf(a.method) - routeMethods.indexOf(b.method);
}

/** `/slots/{id}/book` for `/slots/:id/book`. */
function documentedPath(path: string): string {
  return segmentsOf(path)
    .map((segment) => `/${"name" in segment ? `{${segment.name}}` : segment.text}`)
    .join("");
}

function operationOf(
  route: RouteDefinition,
  operationId: string,
  make: OperationMaker,
  components: Map<string, DocumentSchema>,
): DocumentedOperation {
  const { method, path, description, access, limit, schemas } = route;
  const translator: TranslatorFor = (part, schema) =>
    schemaTranslator(schema, pascalCase(`${operationId} ${part}`), components);
  const body = bodyOf(schemas, translator);
  const admitsGuests = access.some((role) => role === everyRole || role === guestRole);
  const admitsEveryUser = access.some((role) => role === everyRole || role === signedInRole);
  return make({
    operationId,
    tag,
    summary: `${method} ${path}`,
    ...(description !== null && { description }),
    credentials: admitsGuests ? "optional" : "required",
    parameters: [...pathParameters(path, schemas, translator), ...queryParameters(schemas, translator)],
    ...(body !== null && { body }),
    success: { ...answerOf(schemas, translator), "3XX": reference("responses", "Redirect") },
    errors: joinErrors(
      errorsOf("VALIDATION_ERROR"),
      credentialErrors,
      admitsGuests ? {} : errorsOf("MISSING_TOKEN"),
      admitsEveryUser ? {} : errorsOf("PERMISSION_DENIED"),
    ),
    app: true,
    access: [...access].sort().map((role) => ({ role })),
    limit: limit.limit,
  });
}

/** Makes the translator of the schema of a part: `Params`, `Query`, `Body` or `Answer`. */
type TranslatorFor = (part: string, schema: JsonSchema) => SchemaTranslator;

function pathParameters(path: string, { params }: RouteSchemas, translator: TranslatorFor): Part[] {
  const schemas = params === null ? {} : propertiesIn(params, translator("Params", params));
  const other = params === null ? { type: "string" } : {};
  return segmentsOf(path).flatMap((segment) => {
    if (!("name" in segment)) return [];
    const { name } = segment;
    return [{ name, in: "path", required: true, schema: schemas[name] ?? other }];
  });
}

/** Parameters whose names the document does not know. */
const otherParameters: Part = { name: "query", in: "query", style: "form", explode: true, schema: {} };

function queryParameters({ query }: RouteSchemas, translator: TranslatorFor): Part[] {
  if (query === null) return [];
  const closed = closedSchema(query);
  const schemas = Object.entries(propertiesIn(closed, translator("Query", closed)));
  const { required, additionalProperties }: JsonObject = isJsonObject(closed) ? closed : {};
  const named = schemas.map(([name, schema]) => ({
    name,
    in: "query",
    ...([required].flat().includes(name) && { required: true }),
    // A list is one text, such as `a,b`.
    ...(takesList(schema) && { style: "form", explode: false }),
    schema,
  }));
  const isKnown = additionalProperties === false || named.some(({ name }) => name === "query");
  return isKnown ? named : [...named, otherParameters];
}

function propertiesIn(schema: JsonSchema, translate: SchemaTranslator): Entries<DocumentSchema> {
  const properties = isJsonObject(schema) ? schema["properties"] : undefined;
  const entries = Object.entries(isJsonObject(properties) ? properties : {});
  return Object.fromEntries(entries.map(([name, one]) => [name, isSchema(one) ? translate(one) : {}]));
}

function takesList(schema: unknown): boolean {
  if (!isJsonObject(schema)) return false;
  const { type, items, allOf, anyOf, oneOf } = schema;
  return (
    [type].flat().includes("array") || items !== undefined || [allOf, anyOf, oneOf].flat().some(takesList)
  );
}

function bodyOf(
  { body, raw }: RouteSchemas,
  translator: TranslatorFor,
): NonNullable<OperationFacts["body"]> | null {
  if (raw) return { byType: { [anyType]: binary } };
  if (body === null) return null;
  const closed = closedSchema(body);
  const schema = translator("Body", closed)(closed);
  return typeof schema === "boolean" ? {} : schema;
}

function answerOf({ answer }: RouteSchemas, translator: TranslatorFor): Entries<Part> {
  if ("contentType" in answer) {
    const [type = ""] = answer.contentType.split(";");
    const schema = /^text\//i.test(type) ? { type: "string" } : binary;
    const response = {
      description: "The content.",
      headers: responseHeaders,
      content: { [type]: { schema } },
    };
    return { 200: response, "2XX": response };
  }
  const opened = openedSchema(answer.schema);
  return { 200: successResponse("The answer of the route.", translator("Answer", opened)(opened)) };
}
