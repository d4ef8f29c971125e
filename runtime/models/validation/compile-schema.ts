import { Ajv, type ErrorObject, type Format, type Options, type ValidateFunction } from "ajv";
import isEmail from "validator/lib/isEmail.js";
import { parseDate, parseDatetime, parseTime } from "../../../vocabulary/fields/dates.ts";
import type { ValueFormat } from "../../../vocabulary/fields/field-kind-row.ts";
import { isUuid } from "../../../vocabulary/fields/uuid.ts";
import { linearRegExp } from "../../core/text/index.ts";
import { columnKeywords, distinctKeyword, exactKeywords, listKeyword } from "./keywords.ts";

/** In bytes; bcrypt ignores the rest. */
export const longestPassword = 72;

const formatMessages: Readonly<Record<ValueFormat, string>> = {
  int32: "must be a whole number between -2147483648 and 2147483647",
  int64: "must be a whole number in range",
  uuid: "must be a UUID",
  date: "must be a date, YYYY-MM-DD",
  datetime: "must be an ISO-8601 date or datetime",
  time: "must be a time of day, HH:mm or HH:mm:ss.sss",
  microtime: "must be a time of day, HH:mm or HH:mm:ss.ssssss",
  email: "must be an e-mail address",
  password: `must be a string of 1 to ${longestPassword} bytes`,
};

function counted(count: unknown, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

const boundMessages: Readonly<Record<string, (params: ErrorObject["params"]) => string>> = {
  minLength: ({ limit }) => (limit === 1 ? "must not be empty" : `must have at least ${limit} characters`),
  maxLength: ({ limit }) => `must have at most ${counted(limit, "character")}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  pattern: ({ pattern }) => `must match ${pattern}`,
  minItems: ({ limit }) => `must have at least ${counted(limit, "element")}`,
  maxItems: ({ limit }) => `must have at most ${counted(limit, "element")}`,
  not: () => "cannot be set here",
};

export function messageOf({ keyword, params, message = "is not valid" }: ErrorObject): string {
  switch (keyword) {
    case "type":
      return `must be ${[params["type"]].flat().join(" or ")}`;
    case "enum":
      return `must be one of ${[params["allowedValues"]].flat().map(String).join(", ")}`;
    case "format":
      return messageOfFormat(String(params["format"]));
    default:
      return boundMessages[keyword]?.(params) ?? message;
  }
}

function messageOfFormat(name: string): string {
  // JSON Schema's name.
  const known = name === "date-time" ? "datetime" : name;
  return Object.entries(formatMessages).find(([format]) => format === known)?.[1] ?? "has the wrong format";
}

export const formats: Readonly<Record<ValueFormat, Format>> = {
  int32: { type: "number", validate: (value: number) => value >= -(2 ** 31) && value < 2 ** 31 },
  int64: { type: "number", validate: Number.isSafeInteger },
  uuid: isUuid,
  date: (text: string) => parseDate(text) !== null,
  datetime: (text: string) => parseDatetime(text) !== null,
  time: (text: string) => parseTime(text) !== null,
  microtime: (text: string) => parseTime(text, 6) !== null,
  email: (text: string) => text.length <= 320 && isEmail.default(text),
  password: (text: string) => text !== "" && Buffer.byteLength(text) <= longestPassword,
};

export const schemaOptions = {
  // A field can be named `constructor`, which every object inherits.
  ownProperties: true,
  allowUnionTypes: true,
  strictTypes: false,
  code: { regExp: Object.assign(linearRegExp, { code: "linearRegExp" }) },
} satisfies Options;

function compiler(allErrors: boolean): Ajv {
  return new Ajv({ ...schemaOptions, allErrors, formats, keywords: [...exactKeywords, ...columnKeywords] });
}

const records = compiler(true).addKeyword(
  listKeyword(compiler(false).addKeyword(distinctKeyword), messageOf),
);

/** Compiles the schema of an object with only these properties. */
export function compileSchema(
  properties: Readonly<Record<string, object>>,
  required: readonly string[],
): ValidateFunction {
  return records.compile({
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        "items" in property && "type" in property ? { type: property.type, list: property } : property,
      ]),
    ),
    required,
  });
}
