import { kindOfType } from "../../vocabulary/fields/field-kinds.ts";
import { nearest } from "../../vocabulary/nearest.ts";
import type { SourceSpan } from "../diagnostics/index.ts";
import { type JsonMember, type JsonNode, plainValue } from "./json-tree.ts";
import type { RawField, RawRelationship } from "./raw.ts";
import { child, itemsOf, type Located, membersOf, readBoolean, readNumber, readString } from "./read.ts";
import { readLintIgnore } from "./read-lint-ignore.ts";

/** Type names of other systems, and the types for them. */
const knownElsewhere: readonly (readonly [names: readonly string[], type: string])[] = [
  [["varchar", "char", "character varying", "str", "enum"], "string"],
  [["citext", "longtext", "clob"], "text"],
  [["int", "int4", "int32", "smallint", "int2", "int16", "serial"], "integer"],
  [["int8", "int64", "long", "bigserial"], "bigint"],
  [["numeric", "money", "currency"], "decimal"],
  [["double", "double precision", "real", "float4", "float8", "number"], "float"],
  [["bool", "bit"], "boolean"],
  [["timestamptz", "timestamp with time zone", "date-time"], "datetime"],
  [["timetz", "time with time zone"], "time"],
  [["jsonb", "object", "map", "record", "any"], "json"],
  [["guid", "uid"], "uuid"],
  [["reference", "ref", "relation", "foreign_key"], "belongs_to"],
];

const typesByName = new Map(knownElsewhere.flatMap(([names, type]) => names.map((name) => [name, type])));

/** Names of lists without an element type. */
const anyLists = new Set(["array", "list", "set", "[]"]);

/** A hint for an unknown type. */
export function typeHint(written: string, types: readonly string[]): string | null {
  const name = written.trim().toLowerCase();
  if (anyLists.has(name)) return 'a list type is the element type with [], such as "string[]"';
  const elements = elementsOf(name);
  return elements === null ? scalarHint(name, types) : listHint(elements, types);
}

/** The element type of a list in other notations: `string []`, `array<string>`, `[string]`. */
function elementsOf(name: string): string | null {
  const [, before, of, between] =
    /^(.*\S)\s*\[\s*\]$|^(?:array|list|set)\s*(?:of\s+|[<(])(.*?)[>)]?$|^\[(.*)\]$/.exec(name) ?? [];
  return before ?? of ?? between ?? null;
}

function scalarHint(name: string, types: readonly string[]): string | null {
  const [, plain = name, digits = null] = /^([a-z ]+?)\s*\(([\d\s,]+)\)$/.exec(name) ?? [];
  const type = typeNamed(plain, types);
  if (type === null) return null;
  return digits === null ? `did you mean "${type}"?` : `write "type": "${type}"${sizeOf(type, digits)}`;
}

function sizeOf(type: string, digits: string): string {
  const [first, second = "0"] = digits.split(",").map((one) => one.trim());
  if (type === "decimal") return `, "precision": ${first}, "scale": ${second}`;
  return type === "string" || type === "text" ? `, "max_length": ${first}` : "";
}

function listHint(elements: string, types: readonly string[]): string | null {
  if (elementsOf(elements) !== null)
    return 'a list cannot contain lists; use the type "json" for nested values';
  const type = typeNamed(elements.replace(/\s*\([\d\s,]+\)$/, ""), types);
  if (type === null) return null;
  if (kindOfType(`${type}[]`) !== null) return `did you mean "${type}[]"?`;
  if (type === "json") return 'the type "json" can contain lists';
  return type === "belongs_to" ? 'rows of another model are "has_many"' : null;
}

/** The type for a name: a type, an alias of another system, or a typo. */
function typeNamed(name: string, types: readonly string[]): string | null {
  if (types.includes(name)) return name;
  return typesByName.get(name) ?? nearest(name, types);
}

/** The positions of the keys of an object. */
export function keySpans(node: JsonNode): ReadonlyMap<string, SourceSpan> {
  return new Map([...membersOf(node)].map(([key, member]) => [key, member.key]));
}

/** Reads one field definition. Skips values of a wrong shape: the shape check reports them. */
export function readField(name: string, { key: at, value: node }: JsonMember): RawField {
  const flag = (key: string) => readBoolean(child(node, key))?.value ?? false;
  const number = (key: string) => readNumber(child(node, key));
  const bound = (key: string) => number(key) ?? readString(child(node, key));
  const values = child(node, "enum");
  const fallback = child(node, "default");
  const sqlDefault = isSqlDefault(fallback);
  return {
    name,
    at,
    type: readString(child(node, "type")),
    description: readString(child(node, "description"))?.value ?? null,
    renamedFrom: readString(child(node, "renamed_from")),
    required: flag("required"),
    nullable: readBoolean(child(node, "nullable"))?.value ?? null,
    default: fallback === undefined || sqlDefault ? null : locatedValue(fallback),
    column: readString(child(node, "column")),
    dbType: readString(child(node, "db_type")),
    generated: flag("generated"),
    sqlDefault,
    outOfRange: readString(child(node, "out_of_range")),
    preset: readString(child(child(node, "preset"), "value") ?? child(node, "preset")),
    presetOnWrite: readString(child(child(node, "preset"), "on"))?.value === "write",
    enum: values?.kind === "array" ? itemsOf(values).map(locatedValue) : null,
    searchable: flag("searchable"),
    unique: flag("unique"),
    index: flag("index"),
    maxLength: number("max_length"),
    minLength: number("min_length"),
    minimum: bound("minimum"),
    maximum: bound("maximum"),
    pattern: readString(child(node, "pattern")),
    precision: number("precision"),
    scale: number("scale"),
    minItems: number("min_items"),
    maxItems: number("max_items"),
    uniqueItems: flag("unique_items"),
    foreignKey: readBoolean(child(node, "foreign_key")),
    relationship: readRelationship(child(node, "relationship")),
    lintIgnore: readLintIgnore(node, at),
    keys: keySpans(node),
  };
}

/** Whether a default is `{"sql": true}`: an expression of the database. */
function isSqlDefault(node: JsonNode | undefined): boolean {
  return membersOf(node).size === 1 && readBoolean(child(node, "sql"))?.value === true;
}

function locatedValue(node: JsonNode): Located<ReturnType<typeof plainValue>> {
  return { value: plainValue(node), at: node.at };
}

function readRelationship(node: JsonNode | undefined): RawRelationship | null {
  if (node?.kind !== "object") return null;
  return {
    at: node.at,
    model: readString(child(node, "model")),
    foreignKey: readString(child(node, "foreign_key")),
    onDelete: readString(child(node, "on_delete")),
  };
}
