import {
  isSchema,
  type JsonSchema,
  openedSchema,
  type SchemaObject,
  schemaKeywords,
  withSubSchemas,
} from "../../../vocabulary/code-schemas.ts";
import { isJsonObject, jsonText } from "../../../vocabulary/json.ts";
import { isStandardSchema, jsonSchemaOf, type StandardSchema } from "../../../vocabulary/standard-schema.ts";
import type { Problem } from "../../core/errors/index.ts";
import { type LinearRegExp, linearRegExp } from "../../core/text/index.ts";
import { compileAsWritten, inputReader, pointerPart } from "../../models/validation/index.ts";

interface SchemaNode {
  readonly schema: JsonSchema;
  /** JSON Pointer. */
  readonly pointer: string;
}

/**
 * Schemas that apply to some values only: those of `fitting` that accept the value, and `passed` or `failed`
 * by the result of `test`.
 */
interface Choice {
  readonly fitting: readonly SchemaNode[];
  readonly test: SchemaNode | null;
  readonly passed: readonly SchemaNode[];
  readonly failed: readonly SchemaNode[];
}

/** The schemas under a keyword. */
function under({ schema, pointer }: SchemaNode, ...keys: readonly string[]): SchemaNode[] {
  let at: unknown = schema;
  for (const key of keys) at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  const way = [pointer, ...keys.map(pointerPart)].join("/");
  if (Array.isArray(at))
    return at.flatMap((one, index) => (isSchema(one) ? [{ schema: one, pointer: `${way}/${index}` }] : []));
  return isSchema(at) ? [{ schema: at, pointer: way }] : [];
}

/** All schemas that apply to a value. `root` is the outermost one; `choose` tests the value. */
function applicableSchemas(
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

/** The target of `$ref`, which must be in the same schema. */
function referred({ schema }: SchemaNode, root: SchemaNode): SchemaNode[] {
  const reference = typeof schema === "boolean" ? undefined : schema["$ref"];
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
  const matching = Object.keys(keywordsOf(node, "patternProperties"))
    .filter((pattern) => compiled(pattern).test(key))
    .flatMap((pattern) => under(node, "patternProperties", pattern));
  const named = [...under(node, "properties", key), ...matching];
  const others = [...under(node, "additionalProperties"), ...under(node, "unevaluatedProperties")];
  return named.length > 0 ? named : others.filter(({ schema }) => schema !== false);
}

function namedKeys(node: SchemaNode): string[] {
  return Object.keys(keywordsOf(node, "properties"));
}

function forIndex(node: SchemaNode, index: number): SchemaNode[] {
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

/**
 * Whether a schema defines the content of an object itself ("shape"), or by schemas that it refers to
 * ("leads"). Otherwise anything is allowed.
 */
function contentRuleOf({ schema }: SchemaNode): "shape" | "leads" | "nothing" {
  if (typeof schema === "boolean") return "nothing";
  const has = (keyword: string) => Object.hasOwn(schema, keyword);
  if (shaping.some(has)) return "shape";
  return leading.some(has) ? "leads" : "nothing";
}

/** Removes properties that a schema does not name, at every depth. `toJSON` is applied first. */
type Cut = (value: unknown) => unknown;

/** The cut of a schema. Schemas that apply to some values only are chosen for each value. */
function cutOf(schema: JsonSchema): Cut {
  // Unknown keys must not be rejected before they are removed.
  const root: SchemaNode = { schema: openedSchema(schema), pointer: "" };
  const { allows } = compileAsWritten(root.schema);
  const cuts = remembered((nodes) => {
    let depends = false;
    const always = applicableSchemas(nodes, root, () => {
      depends = true;
      return [];
    });
    if (!depends) return shapes(always);
    return (sent) => {
      const value = asJson(sent);
      return shapes(applicableSchemas(nodes, root, (choice) => chosen(choice, value)))(value);
    };
  });
  const shapes = remembered((nodes) => shapedBy(nodes, cuts));
  const chosen = ({ fitting, test, passed, failed }: Choice, value: unknown) => {
    const isAllowed = ({ pointer }: SchemaNode) => allows(pointer, value);
    const tested = test === null ? [] : isAllowed(test) ? [test, ...passed] : failed;
    return [...fitting.filter(isAllowed), ...tested];
  };
  return cuts([root]);
}

type CutBy = (nodes: readonly SchemaNode[]) => Cut;

/** Caches a cut per list of schemas. */
function remembered(make: CutBy): CutBy {
  const known = new Map<string, Cut>();
  return (nodes) => {
    const id = nodes.map(({ pointer }) => pointer).join(" ");
    const cut = known.get(id) ?? make(nodes);
    known.set(id, cut);
    return cut;
  };
}

/** Cuts by schemas that apply to any value. */
function shapedBy(nodes: readonly SchemaNode[], cuts: CutBy): Cut {
  const shaping = nodes.filter((node) => contentRuleOf(node) === "shape");
  const isOpen = shaping.length === 0 && nodes.some((node) => contentRuleOf(node) === "nothing");
  const cutFor = (inner: readonly SchemaNode[]) => (inner.length === 0 ? null : cuts(inner));
  const ofKey = (key: string) => cutFor(shaping.flatMap((node) => forKey(node, key)));
  // Made on first use, because a schema can refer to itself.
  const named = new Map<string, Cut | null>();
  const names = new Set(shaping.flatMap(namedKeys));
  const keyCut = (key: string) => {
    const known = named.get(key);
    if (known !== undefined) return known;
    const cut = ofKey(key);
    if (names.has(key)) named.set(key, cut);
    return cut;
  };
  return (sent) => {
    const value = asJson(sent);
    if (isOpen || typeof value !== "object") return value;
    if (Array.isArray(value))
      return value.map((item, index) => {
        const cut = cutFor(shaping.flatMap((node) => forIndex(node, index)));
        return cut === null ? item : cut(item);
      });
    return isJsonObject(value) ? withKeys(value, keyCut) : value;
  };
}

function withKeys(value: object, keyCut: (key: string) => Cut | null): object {
  const kept: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(value)) {
    const cut = keyCut(key);
    if (cut !== null) kept[key] = cut(item);
  }
  return kept;
}

/** The result of `toJSON`, for example of a Date. */
function asJson(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("toJSON" in value)) return value;
  const { toJSON } = value;
  return typeof toJSON === "function" ? toJSON.call(value) : value;
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
