import {
  isSchema,
  type JsonSchema,
  openedSchema,
  type SchemaObject,
  schemaKeywords,
  withSubSchemas,
} from "../../../vocabulary/code-schemas.ts";
import { isRecord, jsonText } from "../../../vocabulary/json.ts";
import { isStandardSchema, jsonSchemaOf, type StandardSchema } from "../../../vocabulary/standard-schema.ts";
import type { Problem } from "../../core/errors/index.ts";
import { type LinearRegExp, linearRegExp } from "../../core/text/index.ts";
import { compileAsWritten, inputReader, pointerPart } from "../../models/validation/index.ts";

interface SchemaNode {
  readonly schema: JsonSchema;
  /** The keys that lead to it in the outermost schema. */
  readonly path: readonly string[];
}

/** The schemas under a keyword. */
function under({ schema, path }: SchemaNode, ...keys: readonly string[]): SchemaNode[] {
  let at: unknown = schema;
  for (const key of keys)
    at = typeof at === "object" && at !== null && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined;
  if (isSchema(at)) return [{ schema: at, path: [...path, ...keys] }];
  if (!Array.isArray(at)) return [];
  return at.flatMap((one, index) =>
    isSchema(one) ? [{ schema: one, path: [...path, ...keys, String(index)] }] : [],
  );
}

/** The target of `$ref`, which must be in the same schema. */
function referred(node: SchemaNode, root: SchemaNode): SchemaNode[] {
  const { $ref: reference } = keywordsIn(node);
  if (typeof reference !== "string") return [];
  if (reference === "#") return [root];
  const keys = reference
    .replace(/^#\//, "")
    .split("/")
    .map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~"));
  const found = under(root, ...keys);
  if (found.length !== 1)
    throw new Error(`$ref ${reference} does not point to a schema of the same document`);
  return found;
}

/** Shared by all schemas of the app. */
const patterns = new Map<string, LinearRegExp>();

function compiled(pattern: string): LinearRegExp {
  const known = patterns.get(pattern) ?? linearRegExp(pattern);
  patterns.set(pattern, known);
  return known;
}

function forKey(node: SchemaNode, key: string): SchemaNode[] {
  const matching = Object.keys(Object(keywordsIn(node)["patternProperties"]))
    .filter((pattern) => compiled(pattern).test(key))
    .flatMap((pattern) => under(node, "patternProperties", pattern));
  const named = [...under(node, "properties", key), ...matching];
  if (named.length > 0) return named;
  const others = [...under(node, "additionalProperties"), ...under(node, "unevaluatedProperties")];
  return others.filter(({ schema }) => schema !== false);
}

function forIndex(node: SchemaNode, index: number): SchemaNode[] {
  const { items } = keywordsIn(node);
  if (!Array.isArray(items)) return under(node, "items");
  return index < items.length ? under(node, "items", String(index)) : under(node, "additionalItems");
}

function keywordsIn({ schema }: SchemaNode): SchemaObject {
  return typeof schema === "boolean" ? {} : schema;
}

/** Keywords that define the content of an object. */
const shaping = [
  "type",
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "items",
];
/** Keywords that leave it to other schemas. Without any of these, a schema allows anything. */
const leading = ["$ref", "allOf", "anyOf", "oneOf", "if"];

function hasOneOf(keywords: readonly string[]): (node: SchemaNode) => boolean {
  return (node) => keywords.some((keyword) => Object.hasOwn(keywordsIn(node), keyword));
}

/** Keywords with schemas for objects that have a key. */
const dependent = ["dependencies", "dependentSchemas"];

const [isShape, isLead] = [hasOneOf(shaping), hasOneOf(leading)];

/** Removes properties that a schema does not name, at every depth. `toJSON` is applied first. */
function cutOf(schema: JsonSchema): (value: unknown) => unknown {
  // Unknown keys must not be rejected before they are removed.
  const root: SchemaNode = { schema: openedSchema(schema), path: [] };
  const { allows } = compileAsWritten(root.schema);
  const fitting = (nodes: readonly SchemaNode[], value: unknown) => {
    const json = nodes.length === 0 ? null : deepJson(value);
    return nodes.filter(({ path }) => allows(["", ...path.map(pointerPart)].join("/"), json));
  };
  /** Adds a schema and all others that apply to the same value. */
  const add = (node: SchemaNode, value: object, found: Map<JsonSchema, SchemaNode>): void => {
    if (found.has(node.schema)) return;
    found.set(node.schema, node);
    const test = under(node, "if");
    const passed = fitting(test, value);
    const tested = under(node, passed.length < test.length ? "else" : "then");
    const oneOf = fitting([...under(node, "anyOf"), ...under(node, "oneOf")], value);
    const byKey = dependent.flatMap((word) => {
      const keys = Object.keys(Object(keywordsIn(node)[word])).filter((key) => Object.hasOwn(value, key));
      return keys.flatMap((key) => under(node, word, key));
    });
    const always = [...under(node, "allOf"), ...referred(node, root), ...byKey];
    for (const inner of [...always, ...oneOf, ...passed, ...tested]) add(inner, value, found);
  };
  const cut = (nodes: readonly SchemaNode[], sent: unknown): unknown => {
    const value = asJson(sent);
    if (typeof value !== "object" || value === null) return value;
    const found = new Map<JsonSchema, SchemaNode>();
    for (const node of nodes) add(node, value, found);
    const applied = [...found.values()];
    const shapes = applied.filter(isShape);
    if (shapes.length === 0 && !applied.every(isLead)) return value;
    if (!Array.isArray(value)) return withKeys(value, (key) => shapes.flatMap((node) => forKey(node, key)));
    return value.map((item, index) => {
      const inner = shapes.flatMap((node) => forIndex(node, index));
      return inner.length === 0 ? item : cut(inner, item);
    });
  };
  const withKeys = (value: object, nodesOf: (key: string) => readonly SchemaNode[]) => {
    const kept: Record<string, unknown> = Object.create(null);
    for (const [key, item] of Object.entries(value)) {
      const inner = nodesOf(key);
      if (inner.length > 0) kept[key] = cut(inner, item);
    }
    return kept;
  };
  return (value) => cut([root], value);
}

/** The result of `toJSON`, for example of a Date. */
function asJson(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("toJSON" in value)) return value;
  const { toJSON } = value;
  return typeof toJSON === "function" ? toJSON.call(value) : value;
}

/** A copy in which `toJSON` is applied at every depth, so that schemas see what is sent. */
function deepJson(sent: unknown): unknown {
  const value = asJson(sent);
  if (Array.isArray(value)) return value.map(deepJson);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, deepJson(item)]));
}

/**
 * Returns the JSON text of a handler's result, without properties that the schema does not name. Throws if it
 * is not JSON or does not fit the schema.
 */
export type ResponseWriter = (value: unknown) => string | Promise<string>;

/** Throws if the schema is invalid. An undefined result is written as null. */
export function responseWriter(schema: object | boolean): ResponseWriter {
  if (isStandardSchema(schema)) return standardWriter(schema);
  if (!isSchema(schema)) throw new Error("a schema is an object");
  const { problems } = compileAsWritten(schema);
  const cut = cutOf(schema);
  return (value) => {
    const answer = cut(value ?? null);
    requireNone(problems(answer));
    return jsonText(answer);
  };
}

/** The library checks and converts a result; its JSON Schema says which keys remain. */
function standardWriter(schema: StandardSchema): ResponseWriter {
  const read = inputReader(schema);
  const cut = cutOf(ofObjects(jsonSchemaOf(schema, "output") ?? true));
  return async (value) => {
    const { problems, value: answer } = await read(value);
    requireNone(problems);
    return jsonText(cut(answer) ?? null);
  };
}

/** Keywords that tell no object from another, and that libraries write in their own way. */
const ofTexts = ["pattern", "format", "id", "$id"];

/** Without those, and without keywords of the app, such as `example` of zod's `meta`. */
function ofObjects(schema: JsonSchema): JsonSchema {
  if (typeof schema === "boolean") return schema;
  const entries = Object.entries(withSubSchemas(schema, ofObjects));
  return Object.fromEntries(
    entries.filter(([keyword]) => Object.hasOwn(schemaKeywords, keyword) && !ofTexts.includes(keyword)),
  );
}

function requireNone([problem]: readonly Problem[]): void {
  if (problem !== undefined) throw new Error(`${problem.field} ${problem.message}`.trim());
}
