import { isJsonObject } from "../../../vocabulary/json.ts";
import { type LinearRegExp, linearRegExp } from "../../core/text/index.ts";
import { isSchema, type JsonSchema, pointerPart, type SchemaObject } from "../../models/validation/index.ts";

/** A schema within another one, with the way to it. */
export interface SchemaNode {
  readonly schema: JsonSchema;
  /** JSON Pointer. */
  readonly pointer: string;
}

/** Schemas that hold for some values: those of `fitting` that allow the value, or by whether `test` does, `passed` or `failed`. */
export interface Choice {
  readonly fitting: readonly SchemaNode[];
  readonly test: SchemaNode | null;
  readonly passed: readonly SchemaNode[];
  readonly failed: readonly SchemaNode[];
}

/** The schemas under a keyword of a schema, with the ways to them. */
function under({ schema, pointer }: SchemaNode, ...keys: readonly string[]): SchemaNode[] {
  let at: unknown = schema;
  for (const key of keys) at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  const way = [pointer, ...keys.map(pointerPart)].join("/");
  if (Array.isArray(at))
    return at.flatMap((one, index) => (isSchema(one) ? [{ schema: one, pointer: `${way}/${index}` }] : []));
  return isSchema(at) ? [{ schema: at, pointer: way }] : [];
}

/** All schemas that hold for a value that some hold for. `root` is the outermost; `choose` looks at the value. */
export function holdingWith(
  nodes: readonly SchemaNode[],
  root: SchemaNode,
  choose: (choice: Choice) => readonly SchemaNode[],
): SchemaNode[] {
  const found = new Map<string, SchemaNode>();
  const add = (node: SchemaNode): void => {
    if (found.has(node.pointer)) return;
    found.set(node.pointer, node);
    for (const inner of [...under(node, "allOf"), ...referred(node, root)]) add(inner);
    for (const inner of choicesOf(node).flatMap(choose)) add(inner);
  };
  for (const node of nodes) add(node);
  return [...found.values()];
}

function choicesOf(node: SchemaNode): Choice[] {
  const fitting = [...under(node, "anyOf"), ...under(node, "oneOf")];
  const [test = null] = under(node, "if");
  if (fitting.length === 0 && test === null) return [];
  return [{ fitting, test, passed: under(node, "then"), failed: under(node, "else") }];
}

/** What `$ref` leads to, within the same schema alone. */
function referred({ schema }: SchemaNode, root: SchemaNode): SchemaNode[] {
  const reference = typeof schema === "boolean" ? undefined : schema["$ref"];
  if (typeof reference !== "string") return [];
  if (reference === "#") return [root];
  const keys = reference
    .replace(/^#\//, "")
    .split("/")
    .map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~"));
  const found = under(root, ...keys);
  if (found.length !== 1) throw new Error(`$ref ${reference} leads to no schema within the same one`);
  return found;
}

/** Patterns of the app's schemas, each compiled once. */
const patterns = new Map<string, LinearRegExp>();

function compiled(pattern: string): LinearRegExp {
  const known = patterns.get(pattern) ?? linearRegExp(pattern);
  patterns.set(pattern, known);
  return known;
}

/** The schemas that one of an object has for a key. */
export function forKey(node: SchemaNode, key: string): SchemaNode[] {
  const matching = Object.keys(keywordsOf(node, "patternProperties"))
    .filter((pattern) => compiled(pattern).test(key))
    .flatMap((pattern) => under(node, "patternProperties", pattern));
  const named = [...under(node, "properties", key), ...matching];
  const others = [...under(node, "additionalProperties"), ...under(node, "unevaluatedProperties")];
  return named.length > 0 ? named : others.filter(({ schema }) => schema !== false);
}

/** The keys that a schema of an object has by name. */
export function namedKeys(node: SchemaNode): string[] {
  return Object.keys(keywordsOf(node, "properties"));
}

/** The schemas that one of a list has for the element of an index. */
export function forIndex(node: SchemaNode, index: number): SchemaNode[] {
  const items = typeof node.schema === "boolean" ? undefined : node.schema["items"];
  if (!Array.isArray(items)) return under(node, "items");
  const own = under(node, "items")[index];
  return own === undefined ? under(node, "additionalItems") : [own];
}

function keywordsOf({ schema }: SchemaNode, keyword: string): SchemaObject {
  const value = typeof schema === "boolean" ? undefined : schema[keyword];
  return isJsonObject(value) ? value : {};
}

const shaping = [
  "type",
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "items",
];
const leading = ["$ref", "allOf", "anyOf", "oneOf", "if"];

/** Whether a schema says itself what an object may have, leaves that to others that it leads to, or says nothing of it: then anything may be there. */
export function sayOf({ schema }: SchemaNode): "shape" | "leads" | "nothing" {
  if (typeof schema === "boolean") return "nothing";
  const has = (keyword: string) => Object.hasOwn(schema, keyword);
  if (shaping.some(has)) return "shape";
  return leading.some(has) ? "leads" : "nothing";
}
