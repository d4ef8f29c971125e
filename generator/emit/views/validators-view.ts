import { fieldSchema } from "../../../vocabulary/fields/field-schema.ts";
import type { CreatingOperation } from "../../../vocabulary/hook-names.ts";
import type { FieldDefinition, ModelDefinition } from "../../definition/definition.ts";
import { idConstraints, keyField } from "../../definition/stored.ts";
import { type Import, importFromKirak } from "../file.ts";
import { literal, propertyName } from "../literal.ts";
import type { EntryView } from "./model-view.ts";

/** The view of `templates/validators.hbs`: the JSON Schemas of request bodies. */
export interface ValidatorsView {
  readonly imports: readonly Import[];
  readonly properties: readonly EntryView[];
  /** By operation. */
  readonly required: Readonly<Record<CreatingOperation, string>>;
  /** The schema of an id; null if no record has one. */
  readonly id: string | null;
  /** Whether a create can have an id. */
  readonly idInCreate: boolean;
  /** A field that has the column of the id: an update cannot change it. Null without one. */
  readonly fixed: string | null;
}

/** The view of `models/<key>/validators.ts`. */
export function validatorsView(model: ModelDefinition): ValidatorsView {
  const key = keyField(model);
  const hasId = model.columns.id !== null && key === null && !model.readOnly;
  return {
    imports: [{ from: importFromKirak("model"), names: ["defineValidators"] }],
    ...schemasView(model.readOnly ? [] : model.fields),
    required: { create: requiredView(model, "create"), upsert: requiredView(model, "upsert") },
    id: hasId ? literal(fieldSchema(idConstraints(model))) : null,
    idInCreate: hasId && (model.idSent || model.idType === "uuid"),
    fixed: key === null ? null : propertyName(key.name),
  };
}

/** The keys `required` and `filled` of a schema, as code. */
function requiredView(model: ModelDefinition, operation: CreatingOperation): string {
  const { fields, filled, hooks, idSent, readOnly } = model;
  const required = `required: ${requiredOf(readOnly ? [] : fields, idSent)}`;
  const names = filled[operation];
  return hooks?.saysFills !== true || names === null ? required : `${required}, filled: ${literal(names)}`;
}

function requiredOf(fields: readonly FieldDefinition[], idSent = false): string {
  const names = fields.filter(({ required }) => required).map(({ name }) => name);
  return literal(idSent ? ["id", ...names] : names);
}

/** The schema of a field that no record can have. */
const unsettable = { not: {} };

/** The JSON Schemas of fields, and the required fields among them. */
export function schemasView(fields: readonly FieldDefinition[]) {
  return {
    properties: fields.map((field) => ({
      name: propertyName(field.name),
      literal: literal(field.generated ? unsettable : fieldSchema(field)),
    })),
    required: requiredOf(fields),
  };
}
