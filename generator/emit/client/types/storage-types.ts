import type { Json } from "../../../../vocabulary/json.ts";
import type { DocumentSchema } from "../../../../vocabulary/openapi/document.ts";
import { answeredData, type PlacedOperation } from "../document-operations.ts";
import { isDocumentSchema, isList, isPart, propertiesIn } from "../json-parts.ts";
import { interfaceText, memberTexts } from "./declarations.ts";
import { inputOf } from "./inputs.ts";
import { bodyMethod, inputArgument, type MethodPrinter, methodText } from "./method-types.ts";
import { propertiesOf } from "./schema-types.ts";

/** A method of `client.storage`. */
export function storageMethod(printer: MethodPrinter, placed: PlacedOperation, name: string): string {
  const { body } = inputOf(printer.document, placed.operation);
  if (body?.type === "multipart/form-data") return uploadMethod(printer, placed, name, body.schema);
  return name === "list" ? listMethod(printer, placed, name) : bodyMethod(printer, placed, name);
}

function uploadMethod(
  printer: MethodPrinter,
  placed: PlacedOperation,
  name: string,
  form: DocumentSchema,
): string {
  const { names } = printer;
  const type = names.free(`${placed.operation.operationId} input`);
  const fields = propertiesOf(withParsedFields(form), "sent", names.ofComponent);
  const others = fields.filter((field) => field.name !== "file");
  names.add(interfaceText({ name: type, parents: ["Upload"] }, memberTexts(others, "sent")));
  return methodText(printer, placed, name, [{ name: "input", type, required: true }]);
}

/** The form with values in place of their JSON, which the client makes. */
function withParsedFields(form: DocumentSchema): DocumentSchema {
  const parsed = (schema: Json): Json => {
    if (!isPart(schema)) return schema;
    const { anyOf, contentSchema } = schema;
    return contentSchema ?? (isList(anyOf) ? { ...schema, anyOf: anyOf.map(parsed) } : schema);
  };
  const properties = Object.entries(propertiesIn(form)).map(([name, schema]) => [name, parsed(schema)]);
  return { ...(isPart(form) ? form : {}), properties: Object.fromEntries(properties) };
}

/** A list of files, which can be iterated over. */
function listMethod(printer: MethodPrinter, placed: PlacedOperation, name: string): string {
  const { document, names, codes } = printer;
  const { operation } = placed;
  const data = answeredData(document, operation) ?? {};
  const { files } = propertiesIn(data);
  const items = isPart(files) ? files["items"] : undefined;
  const page = names.named(`${operation.operationId} answer`, data, "answered");
  const file = names.typeOf(isDocumentSchema(items) ? items : {}, "answered");
  const answer = `FilePages<${page}, ${file}, ${codes.of(operation, operation.operationId)}>`;
  return methodText(printer, placed, name, inputArgument(printer, placed), answer);
}
