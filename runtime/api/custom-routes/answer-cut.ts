import { isJsonObject } from "../../../vocabulary/json.ts";
import { compileAsWritten, type JsonSchema, withSubSchemas } from "../../models/validation/index.ts";
import {
  type Choice,
  forIndex,
  forKey,
  holdingWith,
  namedKeys,
  type SchemaNode,
  sayOf,
} from "./answer-nodes.ts";

/** Leaves out of a value what a schema does not name, at every depth. What its parts say their JSON is stands in their place. */
export type Cut = (value: unknown) => unknown;

/** The cut of a schema. Of schemas that hold for some values it takes those that do. */
export function cutOf(schema: JsonSchema): Cut {
  const root: SchemaNode = { schema: opened(schema), pointer: "" };
  const { allows } = compileAsWritten(root.schema);
  const cuts = remembered((nodes) => {
    let depends = false;
    const always = holdingWith(nodes, root, () => {
      depends = true;
      return [];
    });
    if (!depends) return shapes(always);
    return (sent) => {
      const value = asJson(sent);
      return shapes(holdingWith(nodes, root, (choice) => chosen(choice, value)))(value);
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

/** What refuses keys that it does not name would not allow a value before they are left out. */
function opened(schema: JsonSchema): JsonSchema {
  if (typeof schema === "boolean") return schema;
  const entries = Object.entries(withSubSchemas(schema, opened));
  const refusing = ["additionalProperties", "unevaluatedProperties"];
  return Object.fromEntries(entries.filter(([key, value]) => value !== false || !refusing.includes(key)));
}

type CutBy = (nodes: readonly SchemaNode[]) => Cut;

/** Made once for the same schemas. */
function remembered(make: CutBy): CutBy {
  const known = new Map<string, Cut>();
  return (nodes) => {
    const id = nodes.map(({ pointer }) => pointer).join(" ");
    const cut = known.get(id) ?? make(nodes);
    known.set(id, cut);
    return cut;
  };
}

/** Cuts by schemas that hold, whatever the value. */
function shapedBy(nodes: readonly SchemaNode[], cuts: CutBy): Cut {
  const shaping = nodes.filter((node) => sayOf(node) === "shape");
  const isOpen = shaping.length === 0 && nodes.some((node) => sayOf(node) === "nothing");
  const cutFor = (inner: readonly SchemaNode[]) => (inner.length === 0 ? null : cuts(inner));
  const ofKey = (key: string) => cutFor(shaping.flatMap((node) => forKey(node, key)));
  // Made when they are first needed: a schema may refer to itself.
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

/** What a value says itself that its JSON is, as a Date does. */
function asJson(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("toJSON" in value)) return value;
  const { toJSON } = value;
  return typeof toJSON === "function" ? toJSON.call(value) : value;
}
