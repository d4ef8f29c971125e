import { isJsonObject } from "./json.ts";

/** A JSON Schema: keywords, or anything (`true`), or nothing (`false`). */
export type JsonSchema = boolean | SchemaObject;

/** The keywords of a JSON Schema. */
export type SchemaObject = { readonly [keyword: string]: unknown };

/** Whether a nested schema applies to a part of the value or to the same value. */
type SchemaPosition = "part" | "same";

/** Keywords with nested schemas. */
export const keywordsWithSchemas: ReadonlyMap<string, SchemaPosition> = new Map([
  ["properties", "part"],
  ["patternProperties", "part"],
  ["additionalProperties", "part"],
  ["unevaluatedProperties", "part"],
  ["propertyNames", "part"],
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
  // References decide where they apply.
  ["definitions", "same"],
  ["$defs", "same"],
]);

/** Keywords whose schemas have names. */
export const keywordsOfNames: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "dependencies",
  "dependentSchemas",
  "definitions",
  "$defs",
]);

/** Whether a value can be a schema. */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "boolean" || isJsonObject(value);
}

/**
 * A copy with changed nested schemas. `change` gets each of them with its position. Schemas that only test,
 * such as `not` and `if`, stay.
 */
export function withSubSchemas(
  schema: SchemaObject,
  change: (inner: JsonSchema, position: SchemaPosition) => JsonSchema,
): SchemaObject {
  const changed = (value: unknown, position: SchemaPosition) =>
    isSchema(value) ? change(value, position) : value;
  const entries = Object.entries(schema).map(([keyword, value]) => {
    const position = keywordsWithSchemas.get(keyword);
    if (position === undefined) return [keyword, value] as const;
    if (Array.isArray(value)) return [keyword, value.map((inner) => changed(inner, position))] as const;
    if (!keywordsOfNames.has(keyword) || !isJsonObject(value))
      return [keyword, changed(value, position)] as const;
    const inner = Object.entries(value).map(([name, one]) => [name, changed(one, position)] as const);
    return [keyword, Object.fromEntries(inner)] as const;
  });
  return Object.fromEntries(entries);
}

/** With one of these, a schema decides itself about keys that it does not name. */
const decidingKeywords = ["additionalProperties", "unevaluatedProperties"];

/** With one of these, it can name keys outside its `properties`. */
const combining = ["$ref", "allOf", "anyOf", "oneOf", "if", "dependencies", "dependentSchemas"];

/** Makes each schema of an object reject keys that it does not name, unless it allows them. */
export function closedSchema(schema: JsonSchema): JsonSchema {
  if (typeof schema === "boolean") return schema;
  const inner = withClosedParts(schema);
  const isDecided = decidingKeywords.some((keyword) => Object.hasOwn(schema, keyword));
  if (isDecided || !isForObjects(schema)) return inner;
  const isCombined = combining.some((keyword) => Object.hasOwn(schema, keyword));
  return { ...inner, [isCombined ? "unevaluatedProperties" : "additionalProperties"]: false };
}

/** Combined schemas of the same value: only the outermost one knows all keys. */
function withClosedParts(schema: SchemaObject): SchemaObject {
  return withSubSchemas(schema, (inner, position) => {
    if (position === "part") return closedSchema(inner);
    return typeof inner === "boolean" ? inner : withClosedParts(inner);
  });
}

function isForObjects(schema: SchemaObject): boolean {
  const { type } = schema;
  if (type !== undefined) return [type].flat().includes("object");
  return ["properties", "patternProperties", "required", ...combining].some((keyword) =>
    Object.hasOwn(schema, keyword),
  );
}

/** Without the keywords that reject keys: answers can get more keys in later versions. */
export function openedSchema(schema: JsonSchema): JsonSchema {
  if (typeof schema === "boolean") return schema;
  const entries = Object.entries(withSubSchemas(schema, openedSchema));
  return Object.fromEntries(
    entries.filter(([key, value]) => value !== false || !decidingKeywords.includes(key)),
  );
}

/** The content of a JSON Schema keyword: values, one or more schemas, or schemas by custom names. */
type Holds = "values" | "schemas" | "named";

/** The known keywords of JSON Schemas in app code: drafts 7 and 2019-09. With another keyword the service does not start. */
export const schemaKeywords: Readonly<Record<string, Holds>> = {
  ...keywords("values", "$async $dynamicAnchor $dynamicRef $recursiveAnchor $recursiveRef $schema $id $ref"),
  ...keywords(
    "values",
    "$vocabulary $comment id maximum minimum exclusiveMaximum exclusiveMinimum multipleOf",
  ),
  ...keywords("values", "maxLength minLength pattern maxProperties minProperties required maxItems minItems"),
  ...keywords("values", "uniqueItems type nullable const enum format title description default deprecated"),
  ...keywords("values", "readOnly writeOnly examples contentMediaType contentEncoding dependentRequired"),
  ...keywords("values", "maxContains minContains"),
  ...keywords(
    "schemas",
    "not anyOf oneOf allOf if then else propertyNames additionalProperties contentSchema",
  ),
  ...keywords("schemas", "additionalItems items contains unevaluatedProperties unevaluatedItems"),
  ...keywords("named", "properties patternProperties dependencies dependentSchemas definitions $defs"),
};

function keywords(holds: Holds, names: string): Record<string, Holds> {
  return Object.fromEntries(names.split(" ").map((name) => [name, holds]));
}
