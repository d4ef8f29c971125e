import type { DocumentSchema, OpenApiDocument } from "../../../../vocabulary/openapi/document.ts";
import { propertyName } from "../../literal.ts";
import { sessionTokens } from "../client-members.ts";
import { answeredData, type PlacedOperation } from "../document-operations.ts";
import { isPart, requiredIn } from "../json-parts.ts";
import { commented, interfaceText, memberTexts } from "./declarations.ts";
import type { ErrorCodes } from "./error-types.ts";
import { inputOf, isClosedEmpty } from "./inputs.ts";
import type { Property } from "./schema-types.ts";
import type { TypeNames } from "./type-names.ts";

/** What prints the methods of a document. */
export interface MethodPrinter {
  readonly document: OpenApiDocument;
  readonly names: TypeNames;
  readonly codes: ErrorCodes;
}

/** An argument of a method. */
export interface MethodArgument {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
}

/** A method that takes `{ params, query, body }`. */
export function routeMethod(printer: MethodPrinter, placed: PlacedOperation): string {
  const { operationId } = placed.operation;
  const input = inputOf(printer.document, placed.operation);
  const part = (name: string, schema: DocumentSchema | null, required: boolean): Property[] => {
    if (schema === null) return [];
    return [{ name, type: printer.names.named(`${operationId} ${name}`, schema, "sent"), required }];
  };
  const { params, query, body } = input;
  const properties = [
    ...part("params", params, true),
    ...part("query", query, requiredIn(query ?? {}).length > 0),
    ...(body?.type === "raw" ? [{ name: "body", type: "BodyInit", required: body.required }] : []),
    ...(body === null || body.type === "raw" ? [] : part("body", body.schema, body.required)),
  ];
  return methodText(printer, placed, operationId, [routeArgument(printer, operationId, properties)]);
}

/** It is there for every route, so that a route can read more in a later version. */
function routeArgument(
  { names }: MethodPrinter,
  operationId: string,
  properties: readonly Property[],
): MethodArgument {
  if (properties.length === 0) return { name: "input", type: "Record<string, never>", required: false };
  const type = names.free(`${operationId} input`);
  names.add(interfaceText({ name: type }, memberTexts(properties, "sent")));
  return { name: "input", type, required: properties.some(({ required }) => required) };
}

/** A method that takes the parameters and the body of its route as one object. */
export function bodyMethod(printer: MethodPrinter, placed: PlacedOperation, name: string): string {
  return methodText(printer, placed, name, inputArgument(printer, placed));
}

/** The one object, if the route reads anything. */
export function inputArgument(
  { document, names }: MethodPrinter,
  { operation }: PlacedOperation,
): MethodArgument[] {
  const { operationId } = operation;
  const { params, query, body } = inputOf(document, operation);
  const schemas = [params, query, body?.schema ?? null].filter((schema) => schema !== null);
  const [first = {}] = schemas;
  const schema = withoutToken(operationId, schemas.length > 1 ? { allOf: schemas } : first);
  if (schemas.length === 0 || isClosedEmpty(schema)) return [];
  const required = params !== null || body?.required === true || requiredIn(query ?? {}).length > 0;
  return [
    {
      name: "input",
      type: names.named(`${operationId} input`, schema, "sent"),
      required: required && !Object.hasOwn(sessionTokens, operationId),
    },
  ];
}

/** A body without the refresh token that the client has: then it is optional. */
function withoutToken(operationId: string, schema: DocumentSchema): DocumentSchema {
  const token = Object.hasOwn(sessionTokens, operationId) ? sessionTokens[operationId] : undefined;
  if (token === undefined || !isPart(schema)) return schema;
  return { ...schema, required: requiredIn(schema).filter((name) => name !== token) };
}

/** The text of a method of an operation, and its doc comment. */
export function methodText(
  printer: MethodPrinter,
  placed: PlacedOperation,
  name: string,
  given: readonly MethodArgument[],
  answer = answerType(printer, placed),
): string {
  const { summary, description } = placed.operation;
  const about = description === undefined ? summary : `${summary}. ${description}`;
  return commented(about, methodSignature(name, given, answer));
}

/** The text of a method. */
export function methodSignature(name: string, given: readonly MethodArgument[], answer: string): string {
  const list = [...given, { name: "options", type: "CallOptions", required: false }].map(
    (argument) => `${argument.name}${argument.required ? "" : "?"}: ${argument.type}`,
  );
  return `${propertyName(name)}(${list.join(", ")}): ${answer};`;
}

export function answerType(
  { document, names, codes }: MethodPrinter,
  { operation }: PlacedOperation,
): string {
  const { operationId } = operation;
  const data = answeredData(document, operation);
  const type = data === null ? "Response" : names.named(`${operationId} answer`, data, "answered");
  return `Call<${type}, ${codes.of(operation, operationId)}>`;
}
