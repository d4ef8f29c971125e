import type { ColumnType } from "../migrations/schema.ts";
import type { Json, Placeholder } from "./definition.ts";
import * as literals from "./literals.ts";

/** What the generator knows of a kind of field. A kind without one of these does not compile. */
export interface FieldKindRow {
  /** What its values are called in messages. */
  readonly called: string;
  /** Which literals fit, for defaults, enums and conditions. */
  readonly literal: literals.Literal;
  /** Keys of a field that apply, beside `type` and `description`. */
  readonly options: readonly string[];
  /** What row conditions may do with it: each step includes the ones before; null checks always work. */
  readonly compared: "never" | "for equality" | "in order" | "as text";
  readonly placeholders: readonly Placeholder[];
  readonly typescript: string;
  /** Its type in the GraphQL schema, and that of its filter; null for what is only sent. */
  readonly graphql: { readonly value: string; readonly filter: string | null };
  /** `type` and `format` of its JSON Schema. The runtime has the formats in `record-problems.ts`. */
  readonly schema: { readonly type: Json; readonly format?: string };
  /** Its column; `varchar` gets the field's greatest length. */
  readonly column: ColumnType | "varchar";
}

const anyColumn = ["required", "nullable", "renamed_from", "foreign_key"];
const lengths = ["max_length", "min_length", "pattern"];
const indexed = [...anyColumn, "default", "unique", "index"];

const text = {
  literal: literals.text,
  options: [...indexed, "enum", "searchable", ...lengths],
  compared: "as text",
  placeholders: ["user_id", "role", "email"],
  typescript: "string",
  graphql: { value: "String", filter: "StringFilter" },
  schema: { type: "string" },
  column: "text",
} as const;

const number = {
  options: [...indexed, "enum", "minimum", "maximum"],
  compared: "in order",
  typescript: "number",
} as const;

const moment = {
  options: indexed,
  compared: "in order",
  placeholders: ["now"],
  typescript: "string",
} as const;

const rows = {
  string: { ...text, called: "a string", column: "varchar" },
  text: { ...text, called: "a string" },
  integer: {
    ...number,
    called: "an integer of 32 bits",
    literal: literals.integer,
    placeholders: ["user_id"],
    graphql: { value: "Int", filter: "IntFilter" },
    schema: { type: "integer", format: "int32" },
    column: "integer",
  },
  bigint: {
    ...number,
    called: "an integer",
    literal: literals.bigint,
    placeholders: ["user_id"],
    graphql: { value: "BigInt", filter: "BigIntFilter" },
    schema: { type: "integer", format: "int64" },
    column: "bigint",
  },
  float: {
    ...number,
    called: "a number",
    literal: literals.float,
    placeholders: [],
    graphql: { value: "Float", filter: "FloatFilter" },
    schema: { type: "number" },
    column: "double precision",
  },
  boolean: {
    called: "true or false",
    literal: literals.boolean,
    options: indexed,
    compared: "for equality",
    placeholders: [],
    typescript: "boolean",
    graphql: { value: "Boolean", filter: "BooleanFilter" },
    schema: { type: "boolean" },
    column: "boolean",
  },
  datetime: {
    ...moment,
    called: "a date and time such as '2025-01-31T12:00:00Z'",
    literal: literals.datetime,
    graphql: { value: "DateTime", filter: "DateTimeFilter" },
    schema: { type: "string", format: "datetime" },
    column: "timestamptz(3)",
  },
  date: {
    ...moment,
    called: "a date such as '2025-01-31'",
    literal: literals.date,
    graphql: { value: "Date", filter: "DateFilter" },
    schema: { type: "string", format: "date" },
    column: "date",
  },
  email: {
    ...text,
    called: "an e-mail address",
    literal: literals.email,
    placeholders: ["role", "email"],
    schema: { type: "string", format: "email" },
  },
  password: {
    ...text,
    called: "a string",
    options: [...anyColumn, ...lengths],
    compared: "never",
    placeholders: [],
    graphql: { value: "String", filter: null },
    schema: { type: "string", format: "password" },
  },
  json: {
    called: "JSON",
    literal: literals.anyJson,
    options: [...anyColumn, "default"],
    compared: "never",
    placeholders: [],
    typescript: "Json",
    graphql: { value: "JSON", filter: "JSONFilter" },
    schema: { type: ["object", "array", "string", "number", "boolean"] },
    column: "jsonb",
  },
  uuid: {
    called: "a UUID",
    literal: literals.uuid,
    options: indexed,
    compared: "for equality",
    placeholders: ["user_id"],
    typescript: "string",
    graphql: { value: "UUID", filter: "UUIDFilter" },
    schema: { type: "string", format: "uuid" },
    column: "uuid",
  },
} as const satisfies Readonly<Record<string, FieldKindRow>>;

/** The kind of a column. `bigint` is an integer id or a reference to one. */
export type FieldKind = keyof typeof rows;

/** One row for each kind of field: all that the generator knows of it. */
export const fieldKinds: Readonly<Record<FieldKind, FieldKindRow>> = rows;

/** The kind that a type of the models file names by itself; null for relationship types and unknown ones. */
export function kindOfType(type: string): FieldKind | null {
  const name = type === "timestamp" ? "datetime" : type;
  return isFieldKind(name) && name !== "bigint" ? name : null;
}

function isFieldKind(name: string): name is FieldKind {
  return Object.hasOwn(rows, name);
}

/** Keys that apply to a foreign key of whatever kind. */
export const foreignKeyOptions: readonly string[] = indexed;
