import type { ErrorObject, ValidateFunction } from "ajv";
import { isRuntimeColumn } from "../../../vocabulary/fields/runtime-columns.ts";
import type { Problem } from "../../core/errors/index.ts";
import type { RecordSchema } from "../index.ts";
import { compileSchema, messageOf } from "./compile-schema.ts";

/**
 * `complete`: everything, for a new record. `partial`: without required fields. `types`: also without bounds,
 * lengths and patterns, for the input of a before-hook. Fields that the hook fills in are not required.
 */
export type Strictness = "complete" | "partial" | "types";

const bounds = new Set([
  "minLength",
  "maxLength",
  "pattern",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "distinct",
  "maxBytes",
  "fractionDigits",
  "unrounded",
]);

/** Keywords with nested rules. The size of decimals in them is part of the type. */
const nested = new Set(["items", "decimal", "int64"]);

const compiled = new WeakMap<RecordSchema, Partial<Record<Strictness, ValidateFunction>>>();

/** The problems of a record. The schema is compiled on first use. */
export function recordProblems(schema: RecordSchema, record: object, strictness: Strictness): Problem[] {
  const validate = validatorOf(schema, strictness);
  return validate(record) ? [] : (validate.errors ?? []).map((error) => problemOf(error, record));
}

function validatorOf(schema: RecordSchema, strictness: Strictness): ValidateFunction {
  const known = compiled.get(schema) ?? {};
  compiled.set(schema, known);
  known[strictness] ??= compileSchema(
    strictness === "types" ? withoutBounds(schema.properties) : schema.properties,
    requiredFields(schema, strictness),
  );
  return known[strictness];
}

function requiredFields({ required = [], filled }: RecordSchema, strictness: Strictness): readonly string[] {
  if (strictness === "complete") return required;
  if (strictness === "partial" || filled === undefined) return [];
  return required.filter((name) => !filled.includes(name));
}

function withoutBounds(properties: RecordSchema["properties"]): Record<string, object> {
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, typesOf(property)]));
}

function typesOf(property: object): object {
  return Object.fromEntries(
    Object.entries(property).flatMap(([key, value]) => {
      if (bounds.has(key)) return [];
      return [[key, nested.has(key) ? typesOf(value) : value]];
    }),
  );
}

const tooLong = "has too many digits to be stored exactly";

function problemOf(error: ErrorObject, record: object): Problem {
  const { params } = error;
  switch (error.keyword) {
    case "required":
      return { field: String(params["missingProperty"]), message: "is required" };
    case "additionalProperties": {
      const name = String(params["additionalProperty"]);
      return { field: name, message: isRuntimeColumn(name) ? "is set by the server" : "is not a field" };
    }
    default: {
      const field = error.instancePath.slice(1);
      const isTooLong = error.keyword === "type" && typeof Reflect.get(record, field) === "bigint";
      return { field, message: isTooLong ? tooLong : messageOf(error) };
    }
  }
}
