import type { ErrorObject } from "ajv";
import type { ValueFormat } from "../../../vocabulary/fields/field-kinds.ts";

/** What bcrypt looks at, in bytes; it would ignore the rest. */
export const longestPassword = 72;

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

function counted(count: unknown, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** Of the keywords that bound a value. */
const boundMessages: Readonly<Record<string, (params: ErrorObject["params"]) => string>> = {
  minLength: ({ limit }) => (limit === 1 ? "must not be empty" : `must have at least ${limit} characters`),
  maxLength: ({ limit }) => `must have at most ${counted(limit, "character")}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  pattern: ({ pattern }) => `must match ${pattern}`,
  minItems: ({ limit }) => `must have at least ${counted(limit, "element")}`,
  maxItems: ({ limit }) => `must have at most ${counted(limit, "element")}`,
};

/** What is wrong with a value, in words. */
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
  // JSON Schema's own name of it.
  const known = name === "date-time" ? "datetime" : name;
  return Object.entries(formatMessages).find(([format]) => format === known)?.[1] ?? "has the wrong form";
}
