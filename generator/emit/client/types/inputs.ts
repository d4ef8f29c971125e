import type {
  DocumentedOperation,
  DocumentSchema,
  OpenApiDocument,
  Part,
} from "../../../../vocabulary/openapi/document.ts";
import { resolved, schemaOf } from "../document-operations.ts";
import { isDocumentSchema, isPart, propertiesIn } from "../json-parts.ts";

/** What an operation reads of a request. Null where it reads nothing. */
export interface OperationInput {
  readonly params: DocumentSchema | null;
  readonly query: DocumentSchema | null;
  readonly body: {
    readonly schema: DocumentSchema;
    readonly type: BodyType;
    readonly required: boolean;
  } | null;
}

/** The content types of bodies. Any other is sent as it is. */
const bodyTypes = ["application/json", "multipart/form-data"] as const;

type BodyType = (typeof bodyTypes)[number] | "raw";

export function inputOf(document: OpenApiDocument, operation: DocumentedOperation): OperationInput {
  const parameters = (operation.parameters ?? []).map((parameter) => resolved(document, parameter));
  return {
    params: objectOf(parameters.filter((parameter) => parameter["in"] === "path")),
    query: objectOf(parameters.filter((parameter) => parameter["in"] === "query")),
    body: bodyOf(operation),
  };
}

/** The schema of an object with these parameters. */
function objectOf(parameters: readonly Part[]): DocumentSchema | null {
  if (parameters.length === 0) return null;
  // A parameter without names of its own: any other name.
  const others = parameters.filter((parameter) => parameter["explode"] === true);
  const named = parameters.filter((parameter) => !others.includes(parameter));
  const nameOf = ({ name }: Part) => String(name);
  return {
    type: "object",
    properties: Object.fromEntries(named.map((parameter) => [nameOf(parameter), withDescription(parameter)])),
    required: named.filter((parameter) => parameter["required"] === true).map(nameOf),
    additionalProperties: others.length > 0,
  };
}

function withDescription({ schema = {}, description }: Part): DocumentSchema {
  if (!isPart(schema)) return isDocumentSchema(schema) ? schema : {};
  return description === undefined ? schema : { ...schema, description };
}

function bodyOf({ requestBody }: DocumentedOperation): OperationInput["body"] {
  if (requestBody === undefined) return null;
  const { content, required = false } = requestBody;
  for (const type of bodyTypes) {
    const schema = schemaOf(content, type);
    if (schema !== null) return { schema, type, required: required === true };
  }
  return { schema: {}, type: "raw", required: required === true };
}

/** Whether a body takes no property: it is only there for clients that must send one. */
export function isClosedEmpty(schema: DocumentSchema): boolean {
  if (!isPart(schema) || schema["additionalProperties"] !== false) return false;
  return Object.keys(propertiesIn(schema)).length === 0;
}
