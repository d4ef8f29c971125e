import type { Json } from "../../../../vocabulary/json.ts";
import type { Part } from "../../../../vocabulary/openapi/document.ts";
import { literal } from "../../literal.ts";
import { isList, isPart } from "../json-parts.ts";

/**
 * The zod schema of a field's JSON Schema. It names helpers that `validatorsText` prints. `answered` is the schema of the field in
 * answers, which has formats that a request does not have, because the service takes more than they allow.
 */
export function valueValidator(schema: Json, answered: Json | undefined): string {
  if (!isPart(schema)) return "z.unknown()";
  const { type, enum: values } = schema;
  if (isList(values)) return literalsOf(values);
  const types = [type ?? []].flat().map(String);
  const isNullable = types.includes("null");
  const known = types.filter((one) => one !== "null").sort();
  const validator = validatorOfType(known.join(), schema, isPart(answered) ? answered : {});
  return isNullable ? `${validator}.nullable()` : validator;
}

function literalsOf(values: readonly Json[]): string {
  return `z.literal([${values.map(literal).join(", ")}])`;
}

function validatorOfType(types: string, schema: Part, answered: Part): string {
  switch (types) {
    case "string":
      return textValidator(schema, schema["format"] ?? answered["format"]);
    case "integer":
    case "number":
      return bounded(
        types === "number" ? "z.number()" : schema["format"] === "int32" ? "z.int32()" : "z.int()",
        schema,
      );
    case "integer,string":
      return `int64(${boundsOf(schema)})`;
    case "number,string":
      return `decimal(${boundsOf(schema)})`;
    case "boolean":
      return "z.boolean()";
    case "array":
      return listValidator(schema, answered);
    default:
      // Any JSON; without null, five types.
      return types === "" ? "z.json()" : 'z.json().refine((value) => value !== null, "must not be null")';
  }
}

/** Formats that text fields have. Each takes what the service takes. */
const formats: Readonly<Record<string, string>> = {
  uuid: "z.guid()",
  date: "z.iso.date()",
  "date-time": "datetime()",
  "time-local": `z.string().regex(/^([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,3})?)?$/, "must be a time of day, HH:mm or HH:mm:ss.sss")`,
  // z.email() refuses addresses that the service takes, such as jürgen@example.com.
  "idn-email": "z.string().regex(/^[^\\s@]+@[^\\s@]+$/u)",
  password: "z.string().min(1).max(72)",
};

function textValidator({ minLength, maxLength, pattern }: Part, format: Json | undefined): string {
  const base = (typeof format === "string" ? formats[format] : undefined) ?? "z.string()";
  return [
    base,
    ...(minLength === undefined && maxLength === undefined
      ? []
      : [`.refine(...characters(${literal(minLength ?? 0)}, ${literal(maxLength ?? null)}))`]),
    // A literal could hold signs that end it.
    ...(pattern === undefined ? [] : [`.regex(new RegExp(${literal(pattern)}, "u"))`]),
  ].join("");
}

function bounded(validator: string, { minimum, maximum }: Part): string {
  const least = minimum === undefined ? "" : `.min(${literal(minimum)})`;
  const most = maximum === undefined ? "" : `.max(${literal(maximum)})`;
  return validator + least + most;
}

/** `12, undefined` for a minimum without a maximum. */
function boundsOf({ minimum, maximum }: Part): string {
  if (minimum === undefined && maximum === undefined) return "";
  return [minimum, maximum].map((bound) => (bound === undefined ? "undefined" : literal(bound))).join(", ");
}

function listValidator({ items = {}, minItems, maxItems, uniqueItems }: Part, answered: Part): string {
  return [
    `z.array(${valueValidator(items, answered["items"])})`,
    ...(minItems === undefined ? [] : [`.min(${literal(minItems)})`]),
    ...(maxItems === undefined ? [] : [`.max(${literal(maxItems)})`]),
    ...(uniqueItems === true ? [".refine(...distinct)"] : []),
  ].join("");
}
