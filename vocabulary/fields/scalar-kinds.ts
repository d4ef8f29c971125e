import type { Json } from "../json.ts";
import type { FieldKindRow } from "./field-kind-row.ts";

/**
 * The kinds of field that hold one value, with its TypeScript type in requests and responses. `bigint` is an
 * integer id or a reference to one, and a number in JSON. `int64` is the type `bigint` of models files, and a
 * string in JSON.
 */
export interface ScalarValues {
  string: string;
  text: string;
  email: string;
  /** Only in requests. */
  password: string;
  integer: number;
  bigint: number;
  int64: string;
  decimal: string;
  float: number;
  boolean: boolean;
  datetime: string;
  date: string;
  time: string;
  json: Json;
  uuid: string;
}

export type ScalarKind = keyof ScalarValues;

/** Options of every field with a column. */
export const columnOptions = ["required", "nullable", "renamed_from", "column", "db_type", "generated"];

const anyColumn = [...columnOptions, "foreign_key"];
const lengths = ["max_length", "min_length", "pattern"];
const indexed = [...anyColumn, "default", "preset", "unique", "index"];

/** Allowed keys of a foreign key of any kind. */
export const foreignKeyOptions: readonly string[] = indexed;

const text = {
  options: [...indexed, "enum", "searchable", ...lengths],
  compared: "as text",
  families: ["text"],
  summed: false,
  placeholders: ["user_id", "role", "email"],
  typescript: "string",
  graphql: { value: "String", filter: "StringFilter", alike: ["ID"] },
  schema: { type: "string" },
  column: "text",
} as const;

const anyNumber = {
  options: [...indexed, "enum", "minimum", "maximum"],
  compared: "in order",
  summed: true,
} as const;

const whole = {
  ...anyNumber,
  families: ["number", "number that is exact"],
  placeholders: ["user_id"],
  typescript: "number",
} as const;

const moment = {
  options: indexed,
  compared: "in order",
  summed: false,
  placeholders: ["now"],
  typescript: "string",
} as const;

/** One row for each kind of field that holds one value. */
export const scalarKinds = {
  string: { ...text, called: "a string", column: "varchar" },
  text: { ...text, called: "a string" },
  integer: {
    ...whole,
    called: "an integer of 32 bits",
    graphql: { value: "Int", filter: "IntFilter", alike: [] },
    schema: { type: "integer", format: "int32" },
    column: "integer",
  },
  bigint: {
    ...whole,
    called: "an integer",
    graphql: { value: "BigInt", filter: "BigIntFilter", alike: ["Int", "ID"] },
    schema: { type: "integer", format: "int64" },
    column: "bigint",
  },
  int64: {
    ...anyNumber,
    called: "an integer of 64 bits such as '9007199254740993'",
    families: ["number that is exact"],
    placeholders: ["user_id"],
    typescript: "string",
    graphql: { value: "Int64", filter: "Int64Filter", alike: ["Int", "BigInt", "String", "ID"] },
    schema: { type: ["string", "integer"] },
    column: "bigint",
  },
  decimal: {
    ...anyNumber,
    options: [...anyNumber.options, "precision", "scale", "out_of_range"],
    called: "a decimal such as '12.50'",
    families: ["number that is exact"],
    placeholders: [],
    typescript: "string",
    graphql: { value: "Decimal", filter: "DecimalFilter", alike: ["Int", "Float", "BigInt", "String"] },
    schema: { type: ["string", "number"] },
    column: "numeric",
  },
  float: {
    ...anyNumber,
    options: [...anyNumber.options, "out_of_range"],
    called: "a number",
    families: ["number"],
    placeholders: [],
    typescript: "number",
    graphql: { value: "Float", filter: "FloatFilter", alike: ["Int"] },
    schema: { type: "number" },
    column: "double precision",
  },
  boolean: {
    called: "true or false",
    options: indexed,
    compared: "for equality",
    families: ["boolean"],
    summed: false,
    placeholders: [],
    typescript: "boolean",
    graphql: { value: "Boolean", filter: "BooleanFilter", alike: [] },
    schema: { type: "boolean" },
    column: "boolean",
  },
  datetime: {
    ...moment,
    options: [...indexed, "out_of_range"],
    families: ["date and time"],
    called: "a date and time such as '2025-01-31T12:00:00Z'",
    graphql: { value: "DateTime", filter: "DateTimeFilter", alike: ["String"] },
    schema: { type: "string", format: "datetime" },
    column: "timestamptz(3)",
  },
  date: {
    ...moment,
    options: [...indexed, "out_of_range"],
    families: ["date"],
    called: "a date such as '2025-01-31'",
    graphql: { value: "Date", filter: "DateFilter", alike: ["String"] },
    schema: { type: "string", format: "date" },
    column: "date",
  },
  time: {
    ...moment,
    options: [...indexed, "out_of_range"],
    families: ["time"],
    placeholders: [],
    called: "a time of day such as '12:30'",
    graphql: { value: "Time", filter: "TimeFilter", alike: ["String"] },
    schema: { type: "string", format: "time" },
    column: "time(3)",
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
    families: [],
    placeholders: [],
    graphql: { value: "String", filter: null, alike: [] },
    schema: { type: "string", format: "password" },
  },
  json: {
    called: "JSON",
    options: [...anyColumn, "default", "preset"],
    compared: "for null",
    families: [],
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
    families: ["UUID"],
    summed: false,
    placeholders: ["user_id"],
    typescript: "string",
    graphql: { value: "UUID", filter: "UUIDFilter", alike: ["ID", "String"] },
    schema: { type: "string", format: "uuid" },
    column: "uuid",
  },
} as const satisfies Readonly<Record<ScalarKind, FieldKindRow>>;
