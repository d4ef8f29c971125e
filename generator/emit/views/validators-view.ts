import { fieldKinds } from "../../../vocabulary/fields/field-kinds.ts";
import { fieldSchema } from "../../../vocabulary/fields/field-schema.ts";
import type { CreatingOperation } from "../../../vocabulary/hook-names.ts";
import type { FieldDefinition, ModelDefinition } from "../../definition/definition.ts";
import { type Import, importFromKirak } from "../file.ts";
import { literal, propertyName } from "../literal.ts";
import type { EntryView } from "./model-view.ts";

/** The view of `templates/validators.hbs`: the JSON Schemas of request bodies. */
export interface ValidatorsView {
  readonly imports: readonly Import[];
  readonly properties: readonly EntryView[];
  /** By operation. */
  readonly required: Readonly<Record<CreatingOperation, string>>;
  readonly id: string;
  /** Whether a create can have an id, as for models with UUIDs. */
  readonly idInCreate: boolean;
}

/** The view of `models/<key>/validators.ts`. */
export function validatorsView(model: ModelDefinition): ValidatorsView {
  const uuid = model.idType === "uuid";
  return {
    imports: [{ from: importFromKirak("model"), names: ["defineValidators"] }],
    ...schemasView(model.fields),
    required: { create: requiredView(model, "create"), upsert: requiredView(model, "upsert") },
    id: literal(fieldKinds[uuid ? "uuid" : "bigint"].schema),
    idInCreate: uuid,
  };
}

/** The keys `required` and `filled` of a schema, as code. */
function requiredView({ fields, filled, hooks }: ModelDefinition, operation: CreatingOperation): string {
  const required = `required: ${requiredOf(fields)}`;
  const names = filled[operation];
  return hooks?.saysFills !== true || names === null ? required : `${required}, filled: ${literal(names)}`;
}

function requiredOf(fields: readonly FieldDefinition[]): string {
  return literal(fields.filter(({ required }) => required).map(({ name }) => name));
}

/** The JSON Schemas of fields, and the required fields among them. */
export function schemasView(fields: readonly FieldDefinition[]) {
  return {
    properties: fields.map((field) => ({
      name: propertyName(field.name),
      literal: literal(fieldSchema(field)),
    })),
    required: requiredOf(fields),
  };
}
