import { isJsonObject, type Json } from "../../../vocabulary/json.ts";
import type { DocumentSchema, Part } from "../../../vocabulary/openapi/document.ts";

/** Whether a value of a document is an object. */
export function isPart(value: Json | undefined): value is Part {
  return isJsonObject(value);
}

/** Whether a value of a document is a list. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Whether a value of a document is a schema. */
export function isDocumentSchema(value: Json | undefined): value is DocumentSchema {
  return typeof value === "boolean" || isPart(value);
}

/** The properties of a schema, by name. */
export function propertiesIn(schema: Json | undefined): Part {
  const properties = isPart(schema) ? schema["properties"] : undefined;
  return isPart(properties) ? properties : {};
}

/** The names that a schema requires. */
export function requiredIn(schema: Json | undefined): string[] {
  const required = isPart(schema) ? schema["required"] : undefined;
  return isList(required) ? required.map(String) : [];
}

/** The description of a schema, for a doc comment. */
export function descriptionOf(schema: Json | undefined): string | undefined {
  const description = isPart(schema) ? schema["description"] : undefined;
  return typeof description === "string" ? description : undefined;
}
