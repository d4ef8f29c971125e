import type { Json } from "../../../../vocabulary/json.ts";
import type { Part } from "../../../../vocabulary/openapi/document.ts";
import { literal } from "../../literal.ts";
import { isList, isPart } from "../json-parts.ts";

/** The zod schema of a field's JSON Schema. It names helpers that `validatorsText` prints. */
export function valueValidator(schema: Json): string {
  if (!isPart(schema)) return "z.unknown()";
  const { type, enum: values } = schema;
  if (isList(values)) return literalsOf(values);
  const types = [type ?? []].flat().map(String);
  const isNullable = types.includes("null");
  const known = types.filter((one) => one !== "null").sort();
  const validator = validatorOfType(known.join(), schema);
  return isNullable ? `${validator}.nullable()` : validator;
}

function literalsOf(values: readonly Json[]): string {
  return `z.literal([${values.map(literal).join(", ")}])`;
}

function validatorOfType(types: string, schema: Part): string {
  switch (types) {
    case "string":
      return textValidator(schema);
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
      return listValidator(schema);
    default:
      // Any JSON; without null, five types.
      return types === "" ? "z.json()" : 'z.json().refine((value) => value !== null, "must not be null")';
  }
}

/** Formats that text fields have. Dates, UUIDs and addresses are those that the service takes. */
const formats: Readonly<Record<string, string>> = {
  uuid: "z.guid()",
  date: "z.iso.date()",
  "date-time": "z.iso.datetime({ offset: true })",
  // z.email() refuses addresses that the service takes, such as jürgen@example.com.
  "idn-email": "z.string().regex(/^[^\\s@]+@[^\\s@]+$/u)",
  password: "z.string().min(1).max(72)",
};

function textValidator({ format, minLength, maxLength, pattern }: Part): string {
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

function listValidator({ items = {}, minItems, maxItems, uniqueItems }: Part): string {
  return [
    `z.array(${valueValidator(items)})`,
    ...(minItems === undefined ? [] : [`.min(${literal(minItems)})`]),
    ...(maxItems === undefined ? [] : [`.max(${literal(maxItems)})`]),
    ...(uniqueItems === true ? [".refine(...distinct)"] : []),
  ].join("");
}
