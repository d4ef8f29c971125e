import { fieldKinds } from "../../../vocabulary/field-kinds.ts";
import { fieldSchema } from "../../../vocabulary/field-schema.ts";
import type { FieldDefinition, ModelDefinition } from "../../definition/definition.ts";
import { door, type Import } from "../file.ts";
import { literal, propertyName } from "../literal.ts";
import type { EntryView } from "./model-view.ts";

/** What `templates/validators.hbs` prints: the JSON Schemas of the bodies that write. */
export interface ValidatorsView {
  readonly imports: readonly Import[];
  readonly properties: readonly EntryView[];
  readonly required: string;
  readonly id: string;
  /** On a uuid model a create may bring its own id. */
  readonly idInCreate: boolean;
}

/** The view of `models/<key>/validators.ts`. */
export function validatorsView(model: ModelDefinition): ValidatorsView {
  const uuid = model.idType === "uuid";
  return {
    imports: [{ from: door("model"), names: ["defineValidators"] }],
    ...schemasView(model.fields),
    id: literal(fieldKinds[uuid ? "uuid" : "bigint"].schema),
    idInCreate: uuid,
  };
}

/** The JSON Schemas of the values of some fields, and which of these must be there. */
export function schemasView(fields: readonly FieldDefinition[]) {
  return {
    properties: fields.map((field) => ({
      name: propertyName(field.name),
      literal: literal(fieldSchema(field)),
    })),
    required: literal(fields.filter(({ required }) => required).map(({ name }) => name)),
  };
}
