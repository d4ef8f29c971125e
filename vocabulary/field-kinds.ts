import type { PlaceholderName } from "./conditions.ts";
import type { Json } from "./json.ts";
import type { ColumnType } from "./migration-steps.ts";

/** The kinds of field, and the TypeScript type of their values in requests and answers. `bigint` is an integer id or a reference to one. */
export interface FieldValues {
  string: string;
  text: string;
  email: string;
  /** Only ever sent. */
  password: string;
  integer: number;
  bigint: number;
  float: number;
  boolean: boolean;
  datetime: string;
  date: string;
  json: Json;
  uuid: string;
}

export type FieldKind = keyof FieldValues;

/** Formats of JSON Schema that validators know. */
export type ValueFormat = "int32" | "int64" | "datetime" | "date" | "email" | "password" | "uuid";

/** All that there is to say of a kind of field. A kind without one of these does not compile. */
export interface FieldKindRow {
  /** What its values are called in messages. */
  readonly called: string;
  /** Keys of a field that apply, beside `type` and `description`. */
  readonly options: readonly string[];
  /** What filters and row conditions may do with it: each step includes the ones before. */
  readonly compared: "never" | "for null" | "for equality" | "in order" | "as text";
  /** Row conditions compare two fields of one family; without one it is compared with no field. */
  readonly family: "number" | "text" | "UUID" | "boolean" | "date and time" | "date" | null;
  /** Aggregates may sum it. */
  readonly summed: boolean;
  readonly placeholders: readonly PlaceholderName[];
  /** The name of its type in `FieldValues`. */
  readonly typescript: string;
  readonly graphql: {
    /** Its type in the schema. */
    readonly value: string;
    /** The type of its filter; null for what is only sent. */
    readonly filter: string | null;
    /** Types of variables that may stand for a value as well. */
    readonly alike: readonly string[];
  };
  /** `type` and `format` of its JSON Schema. */
  readonly schema: { readonly type: Json; readonly format?: ValueFormat };
  /** Its column; `varchar` gets the field's greatest length. */
  readonly column: ColumnType | "varchar";
}

const anyColumn = ["required", "nullable", "renamed_from", "foreign_key"];
const lengths = ["max_length", "min_length", "pattern"];
const indexed = [...anyColumn, "default", "unique", "index"];

const text = {
  options: [...indexed, "enum", "searchable", ...lengths],
  compared: "as text",
  family: "text",
  summed: false,
  placeholders: ["user_id", "role", "email"],
  typescript: "string",
  graphql: { value: "String", filter: "StringFilter", alike: ["ID"] },
  schema: { type: "string" },
  column: "text",
} as const;

const number = {
  options: [...indexed, "enum", "minimum", "maximum"],
  compared: "in order",
  family: "number",
  summed: true,
  typescript: "number",
} as const;

const moment = {
  options: indexed,
  compared: "in order",
  summed: false,
  placeholders: ["now"],
  typescript: "string",
} as const;

const rows = {
  string: { ...text, called: "a string", column: "varchar" },
  text: { ...text, called: "a string" },
  integer: {
    ...number,
    called: "an integer of 32 bits",
    placeholders: ["user_id"],
    graphql: { value: "Int", filter: "IntFilter", alike: [] },
    schema: { type: "integer", format: "int32" },
    column: "integer",
  },
  bigint: {
    ...number,
    called: "an integer",
    placeholders: ["user_id"],
    graphql: { value: "BigInt", filter: "BigIntFilter", alike: ["Int", "ID"] },
    schema: { type: "integer", format: "int64" },
    column: "bigint",
  },
  float: {
    ...number,
    called: "a number",
    placeholders: [],
    graphql: { value: "Float", filter: "FloatFilter", alike: ["Int"] },
    schema: { type: "number" },
    column: "double precision",
  },
  boolean: {
    called: "true or false",
    options: indexed,
    compared: "for equality",
    family: "boolean",
    summed: false,
    placeholders: [],
    typescript: "boolean",
    graphql: { value: "Boolean", filter: "BooleanFilter", alike: [] },
    schema: { type: "boolean" },
    column: "boolean",
  },
  datetime: {
    ...moment,
    family: "date and time",
    called: "a date and time such as '2025-01-31T12:00:00Z'",
    graphql: { value: "DateTime", filter: "DateTimeFilter", alike: ["String"] },
    schema: { type: "string", format: "datetime" },
    column: "timestamptz(3)",
  },
  date: {
    ...moment,
    family: "date",
    called: "a date such as '2025-01-31'",
    graphql: { value: "Date", filter: "DateFilter", alike: ["String"] },
    schema: { type: "string", format: "date" },
    column: "date",
  },
  email: {
    ...text,
    called: "an e-mail address",
    placeholders: ["role", "email"],
    schema: { type: "string", format: "email" },
  },
  password: {
    ...text,
    called: "a string",
    options: [...anyColumn, ...lengths],
    compared: "never",
    family: null,
    placeholders: [],
    graphql: { value: "String", filter: null, alike: [] },
    schema: { type: "string", format: "password" },
  },
  json: {
    called: "JSON",
    options: [...anyColumn, "default"],
    compared: "for null",
    family: null,
    summed: false,
    placeholders: [],
    typescript: "Json",
    graphql: { value: "JSON", filter: "JSONFilter", alike: [] },
    schema: { type: ["object", "array", "string", "number", "boolean"] },
    column: "jsonb",
  },
  uuid: {
    called: "a UUID",
    options: indexed,
    compared: "for equality",
    family: "UUID",
    summed: false,
    placeholders: ["user_id"],
    typescript: "string",
    graphql: { value: "UUID", filter: "UUIDFilter", alike: ["ID", "String"] },
    schema: { type: "string", format: "uuid" },
    column: "uuid",
  },
} as const satisfies Readonly<Record<FieldKind, FieldKindRow>>;

/** One row for each kind of field. */
export const fieldKinds: Readonly<Record<FieldKind, FieldKindRow>> = rows;

type GraphqlTypes = (typeof rows)[FieldKind]["graphql"];

/** The types of GraphQL for values of fields and for filters on them. */
export type GraphqlType = NonNullable<GraphqlTypes["value" | "filter"]>;

/** Whether values of a kind can be told apart, so that rows are ordered and grouped by them. */
export function isComparableKind(kind: FieldKind): boolean {
  const { compared } = rows[kind];
  return compared !== "never" && compared !== "for null";
}

/** Whether values of a kind can be sorted, and have a least and a greatest. */
export function isOrderedKind(kind: FieldKind): boolean {
  const { compared } = rows[kind];
  return compared === "in order" || compared === "as text";
}

/** The kinds that are compared so, for types. */
export type KindsCompared<How extends FieldKindRow["compared"]> = {
  [Kind in FieldKind]: (typeof rows)[Kind]["compared"] extends How ? Kind : never;
}[FieldKind];

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
