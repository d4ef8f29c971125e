import { isJsonObject } from "../../../vocabulary/json.ts";

/** A JSON Schema: what it asks by its keywords, or anything (`true`), or nothing (`false`). */
export type JsonSchema = boolean | SchemaObject;

/** The keywords of a JSON Schema. */
export type SchemaObject = { readonly [keyword: string]: unknown };

/** Whether a schema within another one is for parts of the value that the outer one is for, or for that value itself. */
export type Standing = "part" | "same";

/** How the schemas under a keyword stand there: one, a list, or each under a name of its own. */
const standings: ReadonlyMap<string, Standing> = new Map([
  ["properties", "part"],
  ["patternProperties", "part"],
  ["additionalProperties", "part"],
  ["unevaluatedProperties", "part"],
  ["items", "part"],
  ["additionalItems", "part"],
  ["unevaluatedItems", "part"],
  ["allOf", "same"],
  ["anyOf", "same"],
  ["oneOf", "same"],
  ["then", "same"],
  ["else", "same"],
  ["dependencies", "same"],
  ["dependentSchemas", "same"],
  // Who refers to them says where they stand.
  ["definitions", "same"],
  ["$defs", "same"],
]);

const named = new Set([
  "properties",
  "patternProperties",
  "dependencies",
  "dependentSchemas",
  "definitions",
  "$defs",
]);

/** Whether a value can be meant as a schema. */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "boolean" || isJsonObject(value);
}

/** The schemas within a schema, each with the way to it, such as `properties.lines`; of `not` and `if` none. */
export function subSchemasOf(schema: SchemaObject): { readonly way: string; readonly schema: JsonSchema }[] {
  const entries = Object.entries(schema).filter(([keyword]) => standings.has(keyword));
  return entries.flatMap(([keyword, value]) => {
    const isMany = Array.isArray(value) || (named.has(keyword) && isJsonObject(value));
    const found = isMany
      ? Object.entries(value).map(([key, one]) => [`${keyword}.${key}`, one])
      : [[keyword, value]];
    return found.flatMap(([way, one]) => (isSchema(one) ? [{ way: String(way), schema: one }] : []));
  });
}

/**
 * A copy of a schema with others in the place of those within it, each of which `change` is given with how it stands. What only
 * asks a question, as `not` and `if` do, stays as it is.
 */
export function withSubSchemas(
  schema: SchemaObject,
  change: (inner: JsonSchema, standing: Standing) => JsonSchema,
): SchemaObject {
  const changed = (value: unknown, standing: Standing) => (isSchema(value) ? change(value, standing) : value);
  const entries = Object.entries(schema).map(([keyword, value]) => {
    const standing = standings.get(keyword);
    if (standing === undefined) return [keyword, value] as const;
    if (Array.isArray(value)) return [keyword, value.map((inner) => changed(inner, standing))] as const;
    if (!named.has(keyword) || !isJsonObject(value)) return [keyword, changed(value, standing)] as const;
    const inner = Object.entries(value).map(([name, one]) => [name, changed(one, standing)] as const);
    return [keyword, Object.fromEntries(inner)] as const;
  });
  return Object.fromEntries(entries);
}
