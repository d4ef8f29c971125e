import {
  isSchema,
  type JsonSchema,
  type SchemaObject,
  schemaKeywords,
} from "../../../vocabulary/code-schemas.ts";
import { isJsonObject, type Json, jsonCopy } from "../../../vocabulary/json.ts";
import { type DocumentSchema, type Part, reference } from "../../../vocabulary/openapi/document.ts";
import { declared, isPortable } from "./field-schemas.ts";
import { pascalCase } from "./route-names.ts";

/** Turns a schema of the app's code into one of the document. */
export type SchemaTranslator = (schema: JsonSchema) => DocumentSchema;

/**
 * Translates a schema of draft 7 or 2019-09, and parts of it, to draft 2020-12. What a `$ref` to a part names becomes a component,
 * whose name begins with `name`: in a document the pointer would lead elsewhere.
 */
export function schemaTranslator(
  root: JsonSchema,
  name: string,
  components: Map<string, DocumentSchema>,
): SchemaTranslator {
  const known = new Map<string, string>();
  const referred = (pointer: string): Part => {
    const target = partAt(root, pointer);
    if (!isSchema(target)) return {};
    let component = known.get(pointer) ?? name + pascalCase(pointer.split("/").at(-1) ?? "");
    if (!known.has(pointer)) {
      while (components.has(component)) component = `${component}2`;
      known.set(pointer, component);
      // Before the content, which can refer to itself.
      components.set(component, true);
      components.set(component, translate(target));
    }
    return reference("schemas", component);
  };
  const each = (value: object): Part =>
    Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one)]));
  const inner = (value: unknown): Json => (isSchema(value) ? translate(value) : jsonCopy(value));
  const contentOf = (keyword: string, value: unknown): Json => {
    const holds = schemaKeywords[keyword];
    if (holds === "named" && isJsonObject(value)) return each(value);
    if (holds !== "schemas" && keyword !== "prefixItems") return jsonCopy(value);
    return Array.isArray(value) ? value.map(inner) : inner(value);
  };
  const translate: SchemaTranslator = (schema) => {
    if (typeof schema === "boolean") return schema;
    const { $ref, ...others } = inDraft2020(schema);
    const entries = Object.entries(others).map(([keyword, value]) => [keyword, contentOf(keyword, value)]);
    return { ...(typeof $ref === "string" && referred($ref)), ...Object.fromEntries(entries) };
  };
  return translate;
}

/** The format in a document; null if the one of JSON Schema refuses values that the service takes. */
function formatOf(format: string): string | null {
  if (["datetime", "date-time", "time"].includes(format)) return null;
  return format === "email" ? "idn-email" : format;
}

/** The keywords of a schema, without its parts, in draft 2020-12. */
function inDraft2020(schema: SchemaObject): SchemaObject {
  // Names of schemas have no meaning in a document.
  const { $schema, $id, id, $async, definitions, $defs, nullable, ...now } = schema;
  const { items, additionalItems, dependencies, format, pattern, ...kept } = now;
  const [lists, schemas] = dependenciesIn(dependencies);
  return {
    ...kept,
    ...(nullable === true && { type: [...new Set([kept["type"] ?? [], "null"].flat())] }),
    ...(Array.isArray(items)
      ? { prefixItems: items, ...(additionalItems !== undefined && { items: additionalItems }) }
      : items !== undefined && { items }),
    ...(lists.length > 0 && { dependentRequired: Object.fromEntries(lists) }),
    ...(schemas.length > 0 && { dependentSchemas: Object.fromEntries(schemas) }),
    ...declared({ format: typeof format === "string" ? formatOf(format) : null }),
    ...(typeof pattern === "string" && isPortable(pattern) && { pattern }),
  };
}

type Dependencies = [name: string, value: unknown][];

/** Lists of required keys, and schemas. */
function dependenciesIn(value: unknown): [lists: Dependencies, schemas: Dependencies] {
  const entries = Object.entries(isJsonObject(value) ? value : {});
  return [entries.filter(([, one]) => Array.isArray(one)), entries.filter(([, one]) => !Array.isArray(one))];
}

/** The target of a reference inside a schema. Undefined if it leads elsewhere. */
function partAt(root: JsonSchema, pointer: string): unknown {
  const [start, ...parts] = pointer.split("/");
  if (start !== "#") return undefined;
  return parts.reduce<unknown>((at, part) => {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(at)) return at[Number(key)];
    return isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }, root);
}
