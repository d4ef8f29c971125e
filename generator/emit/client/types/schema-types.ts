import type { Json } from "../../../../vocabulary/json.ts";
import type { DocumentSchema } from "../../../../vocabulary/openapi/document.ts";
import { propertyName, stringLiteral } from "../../literal.ts";
import { descriptionOf, isDocumentSchema, isList, isPart, propertiesIn, requiredIn } from "../json-parts.ts";

/** Who makes a value: the caller, or the service. Callers can give lists that are readonly, and `undefined` for a missing property. */
export type ValueSide = "sent" | "answered";

/** The name of the type of a component in `components.schemas`. */
export type NameOf = (component: string, side: ValueSide) => string;

type SchemaKeywords = Exclude<DocumentSchema, boolean>;

/** Prints the type of a nested schema. */
type Inner = (schema: Json) => string;

/** A property of an object type. */
export interface Property {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description?: string | undefined;
}

/** Any value: a schema that TypeScript cannot express has this type. */
export const anything = "unknown";

/** The TypeScript type of a schema. Keywords that types cannot express, such as `pattern` and `not`, do not change it. */
export function schemaType(schema: DocumentSchema, side: ValueSide, nameOf: NameOf): string {
  if (typeof schema === "boolean") return schema ? anything : "never";
  const inner = (one: Json) => schemaType(isDocumentSchema(one) ? one : {}, side, nameOf);
  const { $ref, const: constant, enum: values, allOf } = schema;
  if (constant !== undefined) return literalType(constant);
  if (Array.isArray(values)) return unionType(values.map(literalType));
  const alternatives = [schema["anyOf"], schema["oneOf"]].filter(isList);
  return intersectionType([
    ...(typeof $ref === "string" ? [nameOf($ref.split("/").at(-1) ?? "", side)] : []),
    ...(isList(allOf) ? allOf.map(inner) : []),
    ...alternatives.map((list) => unionType(list.map(inner))),
    ownType(schema, side, inner),
  ]);
}

/** The type that `type` and the keywords of objects and lists give. */
function ownType(schema: SchemaKeywords, side: ValueSide, inner: Inner): string {
  const { type } = schema;
  if (type !== undefined) return unionType([type].flat().map((one) => typeNamed(one, schema, side, inner)));
  if (hasAny(schema, ["properties", "required"])) return typeNamed("object", schema, side, inner);
  return hasAny(schema, ["prefixItems", "items"]) ? typeNamed("array", schema, side, inner) : anything;
}

function typeNamed(type: Json, schema: SchemaKeywords, side: ValueSide, inner: Inner): string {
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type;
    case "integer":
    case "number":
      return "number";
    case "object":
      return objectType(schema, side, inner);
    case "array":
      return listType(schema, side, inner);
    default:
      return anything;
  }
}

/** The properties that an object schema names. */
export function propertiesOf(schema: DocumentSchema, side: ValueSide, nameOf: NameOf): Property[] {
  if (typeof schema === "boolean") return [];
  return namedProperties(schema, (one) => schemaType(isDocumentSchema(one) ? one : {}, side, nameOf));
}

function namedProperties(schema: SchemaKeywords, inner: Inner): Property[] {
  const required = requiredIn(schema);
  const known = propertiesIn(schema);
  const names = [...new Set([...Object.keys(known), ...required])];
  return names.map((name) => {
    const property = known[name] ?? true;
    const description = descriptionOf(property);
    return { name, type: inner(property), required: required.includes(name), description };
  });
}

/** A property of an interface, without its end. */
export function propertyText({ name, type, required }: Property, side: ValueSide): string {
  const optional = side === "sent" && type !== anything ? `${type} | undefined` : type;
  return required ? `${propertyName(name)}: ${type}` : `${propertyName(name)}?: ${optional}`;
}

function objectType(schema: SchemaKeywords, side: ValueSide, inner: Inner): string {
  const { unevaluatedProperties, additionalProperties = unevaluatedProperties, patternProperties } = schema;
  const named = namedProperties(schema, inner).map((property) => propertyText(property, side));
  const patterns = isPart(patternProperties) ? Object.values(patternProperties) : [];
  const others = [...patterns, ...(additionalProperties === false ? [] : [additionalProperties ?? true])];
  if (named.length === 0) {
    // Other parts of the schema know the properties.
    if (hasAny(schema, ["$ref", "allOf", "anyOf", "oneOf"])) return anything;
    return `{ [name: string]: ${unionType(others.map(inner))} }`;
  }
  // Answers can get more properties in later versions, but those have no type.
  const isOpen = others.length > 0 && additionalProperties !== undefined;
  // A type of the other properties would have to admit the named ones.
  return `{ ${[...named, ...(isOpen ? [`[name: string]: ${anything}`] : [])].join("; ")} }`;
}

function listType(schema: SchemaKeywords, side: ValueSide, inner: Inner): string {
  const { items = true, prefixItems, minItems = 0 } = schema;
  const modifier = side === "sent" ? "readonly " : "";
  if (!isList(prefixItems)) return `${modifier}${inParentheses(inner(items))}[]`;
  const first = prefixItems.map((one, index) => {
    const type = inner(one);
    return index < Number(minItems) ? type : `${inParentheses(type)}?`;
  });
  const rest = items === false ? [] : [`...${inParentheses(inner(items))}[]`];
  return `${modifier}[${[...first, ...rest].join(", ")}]`;
}

/** JSON as a type is as JSON is written, but for some strings. */
function literalType(value: Json): string {
  if (typeof value === "string") return stringLiteral(value);
  if (isList(value)) return `[${value.map(literalType).join(", ")}]`;
  if (!isPart(value)) return String(value);
  const properties = Object.entries(value).map(([name, one]) => `${propertyName(name)}: ${literalType(one)}`);
  return `{ ${properties.join("; ")} }`;
}

/** A union without repetitions. */
export function unionType(types: readonly string[]): string {
  const distinct = [...new Set(types)].filter((type) => type !== "never");
  if (distinct.includes(anything)) return anything;
  return distinct.length === 0 ? "never" : distinct.join(" | ");
}

function intersectionType(types: readonly string[]): string {
  const distinct = [...new Set(types)].filter((type) => type !== anything);
  if (distinct.length < 2) return distinct[0] ?? anything;
  return distinct.map(inParentheses).join(" & ");
}

/** A type of several parts needs parentheses in a list or an intersection. Literals with such signs get them too. */
function inParentheses(type: string): string {
  return /[|&]|^readonly /.test(type) && !/^\{[^{}]*\}$/.test(type) ? `(${type})` : type;
}

function hasAny(schema: SchemaKeywords, keywords: readonly string[]): boolean {
  return keywords.some((keyword) => schema[keyword] !== undefined);
}
