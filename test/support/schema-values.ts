import fc from "fast-check";
import { isJsonObject, type Json } from "#vocabulary/json";
import type { DocumentSchema, OpenApiDocument } from "#vocabulary/openapi/document";

type Keywords = Exclude<DocumentSchema, boolean>;

const anyJson = fc.jsonValue({ maxDepth: 1 }).map((value): Json => JSON.parse(JSON.stringify(value)));

/** Values that fit a schema of a document, as far as JSON Schema tells: small ones, and those at its bounds. */
export function valuesOf({ components }: OpenApiDocument, schema: DocumentSchema): fc.Arbitrary<Json> {
  return valuesFor(schema);

  function valuesFor(given: DocumentSchema): fc.Arbitrary<Json> {
    const keywords = given === false ? { enum: [] } : given === true ? {} : flattened(given);
    const { anyOf, enum: listed, type } = keywords;
    if ("const" in keywords) return fc.constant(keywords["const"] ?? null);
    if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((each) => valuesFor(schemaIn(each))));
    if (Array.isArray(listed)) return fc.constantFrom(...listed);
    const types = typeof type === "string" ? [type] : Array.isArray(type) ? type : [];
    return types.length === 0 ? anyJson : fc.oneof(...types.map((each) => valuesOfType(each, keywords)));
  }

  /** Without references and `allOf`. */
  function flattened({ $ref, allOf = [], ...own }: Keywords): Keywords {
    const referred =
      typeof $ref === "string" ? [components.schemas[$ref.split("/").at(-1) ?? ""] ?? true] : [];
    const parts = [...referred, ...(Array.isArray(allOf) ? allOf.map(schemaIn) : [])].map((part) =>
      typeof part === "boolean" ? {} : flattened(part),
    );
    const each = [...parts, own];
    const properties: Record<string, DocumentSchema> = {};
    for (const part of each)
      for (const [name, schema] of Object.entries(propertiesOf(part)))
        if (schema !== true || properties[name] === undefined) properties[name] = schema;
    return Object.assign({}, ...each, { properties, required: each.flatMap(requiredOf) });
  }

  function valuesOfType(type: Json, keywords: Keywords): fc.Arbitrary<Json> {
    if (type === "object") return objectsOf(keywords);
    if (type === "array") return listsOf(keywords);
    if (type === "string") return textsOf(keywords);
    if (type === "integer") return wholeNumbersOf(keywords);
    if (type === "number") return numbersOf(keywords);
    return type === "boolean" ? fc.boolean() : fc.constant(null);
  }

  function objectsOf(keywords: Keywords): fc.Arbitrary<Json> {
    const properties = propertiesOf(keywords);
    const required = requiredOf(keywords);
    const optional = Object.keys(properties).filter((name) => !required.includes(name));
    const minLength = Math.min(optional.length, numberIn(keywords, "minProperties", 0));
    const some = fc.subarray(optional, { minLength, maxLength: Math.min(optional.length, 4) });
    return some.chain((names) =>
      fc.record(
        Object.fromEntries(
          [...required, ...names].map((name) => [name, valuesFor(properties[name] ?? true)]),
        ),
      ),
    );
  }

  function listsOf(keywords: Keywords): fc.Arbitrary<Json> {
    const minLength = numberIn(keywords, "minItems", 0);
    const maxLength = Math.max(minLength, Math.min(3, numberIn(keywords, "maxItems", 3)));
    const items = valuesFor(schemaIn(keywords["items"] ?? true));
    return keywords["uniqueItems"] === true
      ? fc.uniqueArray(items, { minLength, maxLength, selector: (value) => JSON.stringify(value) })
      : fc.array(items, { minLength, maxLength });
  }
}

function propertiesOf({ properties }: Keywords): Readonly<Record<string, DocumentSchema>> {
  if (!isJsonObject(properties)) return {};
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, schemaIn(schema)]));
}

function requiredOf({ required }: Keywords): readonly string[] {
  return Array.isArray(required) ? required.map(String) : [];
}

export function schemaIn(value: Json): DocumentSchema {
  if (typeof value === "boolean" || isJsonObject(value)) return value;
  throw new Error(`${JSON.stringify(value)} is not a schema`);
}

function numberIn(keywords: Keywords, name: string, otherwise: number): number {
  const value = keywords[name];
  return typeof value === "number" ? value : otherwise;
}

const bounds: Readonly<Record<string, number>> = { int32: 2 ** 31 - 1, int64: Number.MAX_SAFE_INTEGER };

function wholeNumbersOf(keywords: Keywords): fc.Arbitrary<Json> {
  const bound = bounds[String(keywords["format"])] ?? 1e9;
  const min = Math.max(-bound, numberIn(keywords, "minimum", -bound));
  const max = Math.min(bound, numberIn(keywords, "maximum", bound));
  // Ids of rows that exist.
  const small = fc.integer({ min: Math.max(min, 1), max: Math.max(1, min, Math.min(max, 3)) });
  return fc.oneof({ weight: 4, arbitrary: small }, fc.constantFrom(min, max), fc.integer({ min, max }));
}

function numbersOf(keywords: Keywords): fc.Arbitrary<Json> {
  const [min, max] = [numberIn(keywords, "minimum", -1e9), numberIn(keywords, "maximum", 1e9)];
  return fc.oneof(fc.constantFrom(min, max), fc.double({ min, max, noNaN: true }));
}

const uuid = "0a000000-0000-4000-8000-00000000000a";
const dates = fc
  .date({ min: new Date("1900-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());

const formats: Readonly<Record<string, fc.Arbitrary<string>>> = {
  "date-time": dates,
  date: dates.map((text) => text.slice(0, 10)),
  time: dates.map((text) => text.slice(11, 19)),
  "time-local": dates.map((text) => text.slice(11, 19)),
  uuid: fc.oneof(fc.constant(uuid), fc.uuid()),
  email: fc.oneof(fc.constantFrom("user1@example.com", "jürgen@exämple.com"), fc.emailAddress()),
  "idn-email": fc.oneof(fc.constantFrom("user1@example.com", "jürgen@exämple.com"), fc.emailAddress()),
  int64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  decimal: fc
    .tuple(fc.integer({ min: -999, max: 999 }), fc.nat(99))
    .map(([whole, part]) => `${whole}.${part}`),
};

function textsOf(keywords: Keywords): fc.Arbitrary<Json> {
  const { format, pattern } = keywords;
  const known = formats[String(format)];
  if (known !== undefined) return known;
  const minLength = numberIn(keywords, "minLength", 0);
  const maxLength = numberIn(keywords, "maxLength", 20);
  if (typeof pattern === "string")
    return fc
      .stringMatching(new RegExp(pattern, "u"), { maxLength })
      .filter((text) => [...text].length >= minLength);
  const longest = Math.max(minLength, Math.min(maxLength, 20));
  return fc.oneof(
    fc.string({ minLength, maxLength: longest }),
    fc
      .string({ minLength, maxLength: longest, unit: "binary" })
      .filter((text) => [...text].length <= maxLength),
  );
}
