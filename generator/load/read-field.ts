import type { Span } from "../diagnostics/index.ts";
import { type JsonMember, type JsonNode, plain } from "./json-tree.ts";
import type { RawField, RawRelationship } from "./raw.ts";
import { child, itemsOf, type Located, membersOf, readBoolean, readNumber, readString } from "./read.ts";
import { readLintIgnore } from "./read-lint-ignore.ts";

/** Where each key of an object stands. */
export function keySpans(node: JsonNode): ReadonlyMap<string, Span> {
  return new Map([...membersOf(node)].map(([key, member]) => [key, member.key]));
}

/** Reads one field definition. Tolerant: what has a wrong shape is skipped. */
export function readField(name: string, { key: at, value: node }: JsonMember): RawField {
  const flag = (key: string) => readBoolean(child(node, key))?.value ?? false;
  const number = (key: string) => readNumber(child(node, key));
  const bound = (key: string) => number(key) ?? readString(child(node, key));
  const values = child(node, "enum");
  const fallback = child(node, "default");
  return {
    name,
    at,
    type: readString(child(node, "type")),
    description: readString(child(node, "description"))?.value ?? null,
    renamedFrom: readString(child(node, "renamed_from")),
    required: flag("required"),
    nullable: readBoolean(child(node, "nullable"))?.value ?? null,
    default: fallback === undefined ? null : locatedValue(fallback),
    preset: readString(child(node, "preset")),
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

function locatedValue(node: JsonNode): Located<ReturnType<typeof plain>> {
  return { value: plain(node), at: node.at };
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
