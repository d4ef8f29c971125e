import type { Json } from "../../../vocabulary/json.ts";
import {
  type DocumentedMethod,
  type DocumentedOperation,
  type DocumentSchema,
  documentedMethods,
  type Entries,
  type OpenApiDocument,
  type Part,
} from "../../../vocabulary/openapi/document.ts";
import { type Operation, operations } from "../../../vocabulary/operations.ts";
import { isDocumentSchema, isPart, propertiesIn } from "./json-parts.ts";

/** An operation of a document, with its method and path. */
export interface PlacedOperation {
  readonly operation: DocumentedOperation;
  readonly method: DocumentedMethod;
  readonly path: string;
}

/** All operations of a document, in its order. */
export function placedOperations({ paths }: OpenApiDocument): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    documentedMethods.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ operation, method, path }];
    }),
  );
}

/** A model of a document. `name` is the one of its components. */
export interface ClientModel {
  readonly key: string;
  readonly name: string;
  readonly operations: ReadonlyMap<Operation, PlacedOperation>;
}

const modelOperationId = new RegExp(`^(${operations.join("|")})[A-Z0-9_]`);

/** The models of a document, in its order. */
export function modelsOf(document: OpenApiDocument): ClientModel[] {
  const found = new Map<string, { name: string; operations: Map<Operation, PlacedOperation> }>();
  for (const placed of placedOperations(document)) {
    const name = operationOfModel(placed.operation);
    if (name === null) continue;
    const [key] = placed.operation.tags;
    const model = found.get(key) ?? { name: componentName(placed.operation), operations: new Map() };
    model.operations.set(name, placed);
    found.set(key, model);
  }
  return [...found].map(([key, model]) => ({ key, ...model }));
}

/** The schema of a model's ids; null if its rows have none. */
export function idSchemaIn(
  { components }: OpenApiDocument,
  { name }: Pick<ClientModel, "name">,
): Part | null {
  const found = ["Part", "Upsert", "Filter"].flatMap(
    (suffix) => propertiesIn(components.schemas[name + suffix])["id"] ?? [],
  );
  return found.find(isPart) ?? null;
}

/** The operation of a model that this is. Null for other routes: a tag can be that of a model and of other routes. */
export function operationOfModel({ operationId, responses }: DocumentedOperation): Operation | null {
  // Only custom routes can redirect.
  if ("3XX" in responses) return null;
  const verb = modelOperationId.exec(operationId)?.[1];
  return operations.find((operation) => operation === verb) ?? null;
}

/** The first component of a model that an operation refers to says the name: the operationId can have another number. */
function componentName(operation: DocumentedOperation): string {
  const pattern = /"#\/components\/(?:parameters|responses|schemas)\/(\w+?)(?:Where|Created|Filter|Upsert)"/;
  return pattern.exec(JSON.stringify(operation))?.[1] ?? "";
}

/** The target of a reference to a component. Other parts are returned as they are. */
export function resolved({ components }: OpenApiDocument, part: Part): Part {
  const { $ref } = part;
  if (typeof $ref !== "string") return part;
  const [, , map = "", name = ""] = $ref.split("/");
  const maps: Entries<Entries<Json>> = { ...components };
  const found = maps[map]?.[name];
  return isPart(found) ? found : {};
}

/** The schema of the data in the envelope. Null if an operation answers something else. */
export function answeredData(
  document: OpenApiDocument,
  { responses }: DocumentedOperation,
): DocumentSchema | null {
  const { content } = resolved(document, responses["200"] ?? {});
  const schema = schemaOf(content, "application/json");
  const { data } = propertiesIn(schema ?? {});
  // A content type of the app's choice, even if it is JSON, comes without the envelope.
  return isDocumentSchema(data) && !("2XX" in responses) ? data : null;
}

/** The schema of a content type in `content` of a body or an answer. */
export function schemaOf(content: Json | undefined, type: string): DocumentSchema | null {
  const media = isPart(content) ? content[type] : undefined;
  const schema = isPart(media) ? media["schema"] : undefined;
  return isDocumentSchema(schema) ? schema : null;
}
