import type { FieldDefinition, FieldKind, Json, ModelDefinition } from "../../definition/definition.ts";
import { door, type Import } from "../file.ts";
import { literal, propertyName } from "../literal.ts";

/** What `templates/validators.hbs` prints: the JSON Schemas of the bodies that write. */
export interface ValidatorsView {
  readonly imports: readonly Import[];
  readonly properties: readonly PropertySchemaView[];
  readonly required: string;
  readonly id: string;
  /** On a uuid model a create may bring its own id. */
  readonly idInCreate: boolean;
}

interface PropertySchemaView {
  readonly name: string;
  readonly schema: string;
}

/** The view of `models/<key>/validators.ts`. */
export function validatorsView(model: ModelDefinition): ValidatorsView {
  const uuid = model.idType === "uuid";
  return {
    imports: [{ from: door("model"), names: ["defineValidators"] }],
    properties: model.fields.map((field) => ({
      name: propertyName(field.name),
      schema: literal(fieldSchema(field)),
    })),
    required: literal(model.fields.filter((field) => field.required).map((field) => field.name)),
    id: literal(uuid ? { type: "string", format: "uuid" } : { type: "integer", format: "int64" }),
    idInCreate: uuid,
  };
}

type Schema = { readonly [key: string]: Json };

const formats: Readonly<Record<Exclude<FieldKind, "json">, Schema>> = {
  string: { type: "string" },
  text: { type: "string" },
  email: { type: "string", format: "email" },
  password: { type: "string", format: "password" },
  uuid: { type: "string", format: "uuid" },
  date: { type: "string", format: "date" },
  datetime: { type: "string", format: "datetime" },
  integer: { type: "integer", format: "int32" },
  bigint: { type: "integer", format: "int64" },
  float: { type: "number" },
  boolean: { type: "boolean" },
};

/** The JSON Schema of one field's value. */
export function fieldSchema(field: FieldDefinition): Schema {
  if (field.enum !== null) return { enum: field.nullable ? [...field.enum, null] : field.enum };
  if (field.kind === "json") {
    return field.nullable ? {} : { type: ["object", "array", "string", "number", "boolean"] };
  }
  const { type, ...format } = formats[field.kind];
  const bounds = {
    minLength: field.minLength,
    maxLength: field.maxLength,
    minimum: field.minimum,
    maximum: field.maximum,
    pattern: field.pattern,
  };
  const declared = Object.entries(bounds).filter(([, bound]) => bound !== null);
  return {
    type: field.nullable ? [type ?? null, "null"] : (type ?? null),
    ...format,
    ...Object.fromEntries(declared),
  };
}
