import { type JsonSchema, type SchemaObject, withSubSchemas } from "./sub-schemas.ts";

/** Keywords by which a schema says itself what becomes of keys that it does not name. */
const telling = ["additionalProperties", "unevaluatedProperties"];

/** Keywords by which it may name keys elsewhere than in its own `properties`. */
const combining = ["$ref", "allOf", "anyOf", "oneOf", "if", "dependencies", "dependentSchemas"];

/** The same schema, where each schema of an object refuses the keys that it does not name, unless it says otherwise (decisions, part 13). */
export function closedSchema(schema: JsonSchema): JsonSchema {
  if (typeof schema === "boolean") return schema;
  const inner = withClosedParts(schema);
  const isTold = telling.some((keyword) => Object.hasOwn(schema, keyword));
  if (isTold || !isForObjects(schema)) return inner;
  const isCombined = combining.some((keyword) => Object.hasOwn(schema, keyword));
  return { ...inner, [isCombined ? "unevaluatedProperties" : "additionalProperties"]: false };
}

/** Schemas of the same value add up, so that the outermost alone knows all keys. */
function withClosedParts(schema: SchemaObject): SchemaObject {
  return withSubSchemas(schema, (inner, standing) => {
    if (standing === "part") return closedSchema(inner);
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
