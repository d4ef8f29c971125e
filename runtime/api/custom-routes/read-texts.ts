import { doubleOf } from "../../../vocabulary/fields/exact-numbers.ts";
import { isJsonObject } from "../../../vocabulary/json.ts";
import { listItems } from "../../data/operations/index.ts";
import { kinds } from "../../data/sql/index.ts";

type Scalar = string | number | boolean;

/** What a text may be meant as. */
interface Meant {
  readonly types: ReadonlySet<unknown>;
  /** The elements, where it is a list. */
  readonly items: Meant | null;
}

/** Reads the texts of a path or a query string as the values that a schema of an object asks for, as filters are read (decisions, part 5). */
export type TextReader = (texts: Iterable<readonly [name: string, text: string]>) => object;

/** The reader for a schema. A text that is not what the schema asks for stays one, for the schema to refuse. */
export function textReader(schema: object): TextReader {
  const properties = partOf(schema, "properties");
  const meant = new Map(
    Object.entries(isJsonObject(properties) ? properties : {}).map(([name, property]) => [
      name,
      meantBy(property, schema),
    ]),
  );
  return (texts) => {
    const values: Record<string, unknown> = Object.create(null);
    for (const [name, text] of texts) values[name] = meantValue(text, meant.get(name) ?? nothing);
    return values;
  };
}

const nothing: Meant = { types: new Set(), items: null };

function meantBy(schema: unknown, root: object, depth = 0): Meant {
  // A schema that refers to itself asks for what no text can hold.
  if (!isJsonObject(schema) || depth > 8) return nothing;
  const { type, const: only, enum: several = [], $ref, allOf, anyOf, oneOf, items } = schema;
  const others = [allOf, anyOf, oneOf, typeof $ref === "string" ? referred($ref, root) : []].flat();
  const inner = others.map((other) => meantBy(other, root, depth + 1));
  const allowed = [...[several].flat(), ...(only === undefined ? [] : [only])].map((value) => typeof value);
  const types = [type ?? allowed, ...inner.map((one) => [...one.types])].flat();
  const elements = items === undefined ? inner.find((one) => one.items !== null)?.items : undefined;
  return {
    types: new Set(types),
    items: items === undefined ? (elements ?? null) : meantBy(items, root, depth + 1),
  };
}

/** What a reference within the schema leads to. */
function referred(reference: string, root: object): unknown {
  const parts = reference.replace(/^#\/?/, "").split("/");
  return parts.reduce<unknown>((at, part) => partOf(at, part), root);
}

function partOf(value: unknown, key: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function meantValue(text: string, { types, items }: Meant): unknown {
  if (types.has("array")) {
    const list = listOf(text, items ?? nothing);
    if (list !== null) return list;
  }
  return scalarOf(text, types);
}

/** Null where it is none, or holds what no filter does. */
function listOf(text: string, { types }: Meant): Scalar[] | null {
  const elements = listItems(text) ?? [null];
  const values = elements.map((element) => {
    if (typeof element === "number" || typeof element === "boolean") return element;
    if (typeof element === "bigint") return doubleOf(element);
    const storable = kinds.text.parse(element);
    return typeof storable === "string" ? scalarOf(storable, types) : null;
  });
  const known = values.filter((value) => value !== null);
  return known.length === values.length ? known : null;
}

function scalarOf(text: string, types: ReadonlySet<unknown>): Scalar {
  const whole = types.has("integer") ? Number(kinds.bigint.parse(text) ?? Number.NaN) : Number.NaN;
  if (Number.isSafeInteger(whole)) return whole;
  const number = types.has("number") ? kinds.float.parse(text) : undefined;
  const flag = types.has("boolean") ? kinds.boolean.parse(text) : undefined;
  return number ?? flag ?? text;
}
