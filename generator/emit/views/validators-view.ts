import { fieldKinds } from "../../../vocabulary/field-kinds.ts";
import type { Json } from "../../../vocabulary/json.ts";
import type { FieldDefinition, ModelDefinition } from "../../definition/definition.ts";
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
    id: literal(fieldKinds[uuid ? "uuid" : "bigint"].schema),
    idInCreate: uuid,
  };
}

/** Whether somebody sends records of a model: to its routes, or to those of the accounts. */
export function takesRecords({ internal, builtIn }: ModelDefinition): boolean {
  return !internal || builtIn === "extensible";
}

/** The JSON Schema of one field's value. */
export function fieldSchema(field: FieldDefinition): Readonly<Record<string, Json>> {
  if (field.enum !== null) return { enum: field.nullable ? [...field.enum, null] : field.enum };
  if (field.kind === "json" && field.nullable) return {};
  const { type, ...format } = fieldKinds[field.kind].schema;
  const bounds = {
    minLength: field.minLength,
    maxLength: field.maxLength,
    minimum: field.minimum,
    maximum: field.maximum,
    pattern: field.pattern,
  };
  const declared = Object.entries(bounds).filter(([, bound]) => bound !== null);
  return {
    type: field.nullable ? [type, "null"] : type,
    ...format,
    ...Object.fromEntries(declared),
  };
}
