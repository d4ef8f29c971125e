import type { ErrorObject, Format, ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import {
  closedSchema,
  isSchema,
  type JsonSchema,
  keywordsOfNames,
  keywordsWithSchemas,
  type SchemaObject,
} from "../../../vocabulary/code-schemas.ts";
import { isJsonObject } from "../../../vocabulary/json.ts";
import type { Problem } from "../../core/errors/index.ts";
import { formats, messageOf, schemaOptions } from "./compile-schema.ts";
import { comparingKeywords } from "./keywords.ts";

/** The nested schemas with their paths, such as `properties.lines`, without those of `not` and `if`. */
function subSchemasOf(schema: SchemaObject): { readonly path: string; readonly schema: JsonSchema }[] {
  const entries = Object.entries(schema).filter(([keyword]) => keywordsWithSchemas.has(keyword));
  return entries.flatMap(([keyword, value]) => {
    const isMany = Array.isArray(value) || (keywordsOfNames.has(keyword) && isJsonObject(value));
    const found = isMany
      ? Object.entries(value).map(([key, one]) => [`${keyword}.${key}`, one])
      : [[keyword, value]];
    return found.flatMap(([path, one]) => (isSchema(one) ? [{ path: String(path), schema: one }] : []));
  });
}

/** Returns the problems of a value with their paths, such as `lines.2.id`; empty if it is valid. */
export type Check = (value: unknown) => Problem[];

export interface CodeSchema {
  readonly problems: Check;
  /** Whether a part of the schema, by JSON Pointer, accepts a value. */
  allows(pointer: string, value: unknown): boolean;
}

/** Also with JSON Schema's name for datetime. */
const codeFormats: Readonly<Record<string, Format>> = { ...formats, "date-time": formats.datetime };

/** Made on first use, so that apps without schemas start faster. */
let compiler: Ajv2019 | null = null;

function makeCompiler(): Ajv2019 {
  const ajv = new Ajv2019({
    ...schemaOptions,
    formats: codeFormats,
    strictTuples: false,
    logger: false,
    // Each keyword checks its own value. Validation by the meta-schema would double the time.
    meta: false,
    validateSchema: false,
  });
  for (const keyword of comparingKeywords.flatMap(({ keyword }) => keyword)) ajv.removeKeyword(keyword);
  return ajv.addVocabulary(comparingKeywords);
}

let schemas = 0;

/**
 * Compiles the JSON Schema of an input. Unless the schema allows others, an object has only the properties
 * that it names, and never `__proto__`. Throws an Error if the schema is invalid.
 */
export function compileCodeSchema(schema: boolean | object): Check {
  if (!isSchema(schema)) throw new Error("a schema is an object");
  return compileAsWritten(closedSchema(schema)).problems;
}

/** Compiles a JSON Schema (draft 7 or 2019-09, with patterns of RE2). Throws an Error if it is invalid. */
export function compileAsWritten(schema: JsonSchema): CodeSchema {
  compiler ??= makeCompiler();
  const ajv = compiler;
  const name = `schema-${schemas++}`;
  ajv.addSchema(typeof schema === "boolean" ? schema : withoutNames(schema), name);
  const parts = new Map<string, ValidateFunction>();
  const partAt = (pointer: string): ValidateFunction => {
    const part = parts.get(pointer) ?? ajv.compile({ $ref: `${name}#${pointer}` });
    parts.set(pointer, part);
    return part;
  };
  const whole = compiledOrPlaced(schema, () => partAt(""));
  return {
    allows: (pointer, value) => partAt(pointer)(value),
    problems(value) {
      if (whole(value)) return [];
      const errors = whole.errors ?? [];
      const found = typeof schema === "boolean" ? [] : problemsOfKeys(schema, value, partAt);
      return found.length > 0 ? found : [problemOf(errors)];
    },
  };
}

/** Adds the path of the innermost invalid part to an error, such as `properties.lines.items`. */
function compiledOrPlaced(schema: JsonSchema, compile: () => ValidateFunction): ValidateFunction {
  try {
    return compile();
  } catch (error) {
    const path = pathToInvalid(schema).join(".");
    if (path === "" || !(error instanceof Error)) throw error;
    throw new Error(`${path}: ${error.message}`, { cause: error });
  }
}

function pathToInvalid(schema: JsonSchema): string[] {
  if (typeof schema === "boolean") return [];
  const invalid = subSchemasOf(schema).find((inner) => isInvalid(inner.schema));
  return invalid === undefined ? [] : [invalid.path, ...pathToInvalid(invalid.schema)];
}

/** A part with references to other parts cannot be checked by itself. */
function isInvalid(schema: JsonSchema): boolean {
  if (JSON.stringify(schema).includes('"$ref"')) return false;
  try {
    makeCompiler().compile(typeof schema === "boolean" ? schema : withoutNames(schema));
    return false;
  } catch {
    return true;
  }
}

/** All schemas would share an `$id`, and other drafts are not supported. */
function withoutNames({ $id, $schema, ...schema }: SchemaObject): SchemaObject {
  return schema;
}

/** One problem per invalid key of an object. */
function problemsOfKeys(
  schema: SchemaObject,
  value: unknown,
  partAt: (pointer: string) => ValidateFunction,
): Problem[] {
  const { properties = {}, required = [], additionalProperties, patternProperties } = schema;
  if (!isJsonObject(value) || !isJsonObject(properties)) return [];
  const closed = additionalProperties === false && patternProperties === undefined;
  const unknown = Object.keys(value).filter((key) => closed && !Object.hasOwn(properties, key));
  const wrong = Object.keys(properties).flatMap((key) => {
    if (!Object.hasOwn(value, key)) return [];
    const part = partAt(`/properties/${pointerPart(key)}`);
    return part(value[key]) ? [] : [problemOf(part.errors ?? [], key)];
  });
  const missing = [required].flat().filter((key) => !Object.hasOwn(value, String(key)));
  return [
    ...unknown.map((field) => ({ field, message: unknownKey })),
    ...wrong,
    ...missing.map((key) => ({ field: String(key), message: "is required" })),
  ];
}

const unknownKey = "is not a field";

/** A key in a JSON Pointer in a URL. */
export function pointerPart(key: string): string {
  return encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"));
}

/** The main problem, for an `if` that of its `then`. `within` is the key of the value. */
function problemOf(errors: readonly ErrorObject[], within?: string): Problem {
  const error = errors.findLast(({ keyword }) => keyword !== "if") ?? errors.at(-1);
  if (error === undefined) return { field: within ?? "", message: "is not valid" };
  const { instancePath, keyword, params } = error;
  const key: unknown =
    params["missingProperty"] ?? params["additionalProperty"] ?? params["unevaluatedProperty"];
  const path = instancePath.split("/").slice(1).map(unescaped);
  const message = key === undefined ? wordsOf(error) : keyword === "required" ? "is required" : unknownKey;
  return { field: [within ?? [], path, key ?? []].flat().join("."), message };
}

/** The custom `enum` has its own message. */
function wordsOf(error: ErrorObject): string {
  return error.keyword === "enum" ? (error.message ?? "") : messageOf(error);
}

function unescaped(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}
