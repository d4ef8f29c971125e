import { Ajv, type ErrorObject, type Format, type ValidateFunction } from "ajv";
import { RE2JS } from "re2js";
import isEmail from "validator/lib/isEmail.js";
import { parseDate, parseDatetime } from "../../vocabulary/dates.ts";
import type { ValueFormat } from "../../vocabulary/field-kinds.ts";
import { isRuntimeColumn } from "../../vocabulary/runtime-columns.ts";
import { parseTime } from "../../vocabulary/times.ts";
import { isUuid } from "../../vocabulary/uuid.ts";
import type { Problem } from "../errors/index.ts";
import type { RecordSchema } from "../model/index.ts";

/** What bcrypt looks at, in bytes; it would ignore the rest. */
export const longestPassword = 72;

/** Patterns come from the models file, texts from strangers: RE2 matches in linear time whatever either is. */
const linearRegExp = Object.assign((pattern: string) => RE2JS.compile(pattern), { code: "RE2JS.compile" });

const formats: Readonly<Record<ValueFormat, Format>> = {
  int32: { type: "number", validate: (value: number) => value >= -(2 ** 31) && value < 2 ** 31 },
  int64: { type: "number", validate: Number.isSafeInteger },
  uuid: isUuid,
  date: (text: string) => parseDate(text) !== null,
  datetime: (text: string) => parseDatetime(text) !== null,
  time: (text: string) => parseTime(text) !== null,
  email: (text: string) => text.length <= 320 && isEmail.default(text),
  password: (text: string) => text !== "" && Buffer.byteLength(text) <= longestPassword,
};

const ajv = new Ajv({
  allErrors: true,
  // A field may be called `constructor`, which every object seems to have.
  ownProperties: true,
  allowUnionTypes: true,
  strictTypes: false,
  code: { regExp: linearRegExp },
  formats,
});

const formatMessages: Readonly<Record<ValueFormat, string>> = {
  int32: "must be a whole number between -2147483648 and 2147483647",
  int64: "must be a whole number in range",
  uuid: "must be a UUID",
  date: "must be a date, YYYY-MM-DD",
  datetime: "must be an ISO-8601 date or datetime",
  time: "must be a time of day, HH:mm or HH:mm:ss.sss",
  email: "must be an e-mail address",
  password: `must be a text of 1 to ${longestPassword} bytes`,
};

/** Of the keywords in `bounds`. */
const boundMessages: Readonly<Record<string, (params: ErrorObject["params"]) => string>> = {
  minLength: ({ limit }) => (limit === 1 ? "must not be empty" : `must have at least ${limit} characters`),
  maxLength: ({ limit }) => `must have at most ${limit} ${limit === 1 ? "character" : "characters"}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  pattern: ({ pattern }) => `must match ${pattern}`,
};

/**
 * How much is checked: `complete` as for a new record, `partial` without required fields, and `types` without bounds,
 * lengths and patterns either, for what a before-hook sees (decisions, part 8).
 */
export type Strictness = "complete" | "partial" | "types";

const bounds = new Set(["minLength", "maxLength", "pattern", "minimum", "maximum"]);

const compiled = new WeakMap<RecordSchema, Partial<Record<Strictness, ValidateFunction>>>();

/** What is wrong with a record of a request body. The schema is compiled when it is first needed. */
export function recordProblems(schema: RecordSchema, record: object, strictness: Strictness): Problem[] {
  const validate = validatorOf(schema, strictness);
  return validate(record) ? [] : (validate.errors ?? []).map(problemOf);
}

function validatorOf(schema: RecordSchema, strictness: Strictness): ValidateFunction {
  const known = compiled.get(schema) ?? {};
  compiled.set(schema, known);
  known[strictness] ??= ajv.compile({
    type: "object",
    additionalProperties: false,
    properties: strictness === "types" ? withoutBounds(schema.properties) : schema.properties,
    required: strictness === "complete" ? (schema.required ?? []) : [],
  });
  return known[strictness];
}

function withoutBounds(properties: RecordSchema["properties"]): Record<string, object> {
  const types = (property: object) =>
    Object.fromEntries(Object.entries(property).filter(([key]) => !bounds.has(key)));
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, types(property)]));
}

function problemOf(error: ErrorObject): Problem {
  const { params } = error;
  const field = error.instancePath.slice(1);
  switch (error.keyword) {
    case "required":
      return { field: String(params["missingProperty"]), message: "is required" };
    case "additionalProperties": {
      const name = String(params["additionalProperty"]);
      return { field: name, message: isRuntimeColumn(name) ? "is set by the server" : "is not a field" };
    }
    case "type":
      return { field, message: `must be ${[params["type"]].flat().join(" or ")}` };
    case "enum":
      return { field, message: `must be one of ${[params["allowedValues"]].flat().map(String).join(", ")}` };
    case "format":
      return { field, message: messageOfFormat(String(params["format"])) };
    default:
      return { field, message: boundMessages[error.keyword]?.(params) ?? error.message ?? "is not valid" };
  }
}

function messageOfFormat(name: string): string {
  return Object.entries(formatMessages).find(([format]) => format === name)?.[1] ?? "has the wrong form";
}
