import type { ErrorObject } from "ajv";
import type { Problem } from "../errors/index.ts";
import { compileWhole } from "./compile-schema.ts";
import { messageOf } from "./problem-messages.ts";

/** What is wrong with a value; empty where nothing is. */
export type Check = (value: unknown) => Problem[];

/** Keywords whose value is a schema, or a list of such. */
const within = new Set(["items", "additionalProperties", "anyOf", "oneOf"]);
/** Keywords whose values are schemas by name. */
const byName = new Set(["properties", "patternProperties", "$defs", "definitions"]);

/**
 * Compiles a JSON Schema that code of one's own came with. An object has the properties that its schema names and no others, `__proto__`
 * least of all, unless that says otherwise in `additionalProperties`. Throws an Error that says what is wrong with the schema.
 */
export function compileCodeSchema(schema: object): Check {
  const validate = compileWhole(Object(closed(schema)));
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map(problemOf));
}

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [key, closedPart(key, value)]);
  const isObject = Reflect.get(schema, "type") === "object";
  return { ...(isObject && { additionalProperties: false }), ...Object.fromEntries(entries) };
}

function closedPart(key: string, value: unknown): unknown {
  if (within.has(key)) return closed(value);
  if (!byName.has(key) || typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, closed(part)]));
}

function problemOf(error: ErrorObject): Problem {
  const { keyword, params, instancePath } = error;
  const at = instancePath.split("/").slice(1).map(unescaped);
  if (keyword === "required")
    return { field: [...at, params["missingProperty"]].join("."), message: "is required" };
  if (keyword === "additionalProperties")
    return { field: [...at, params["additionalProperty"]].join("."), message: "is not a field" };
  return { field: at.join("."), message: messageOf(error) };
}

/** A segment of a JSON pointer. */
function unescaped(segment: string): string {
  return segment.replaceAll("~1", "/").replaceAll("~0", "~");
}
