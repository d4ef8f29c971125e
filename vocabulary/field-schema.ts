import { type FieldKind, fieldKinds } from "./field-kinds.ts";
import type { Json } from "./json.ts";

/** What a field's value must fit. */
export interface FieldConstraints {
  readonly kind: FieldKind;
  readonly nullable?: boolean;
  readonly enum?: readonly (string | number)[] | null;
  readonly minLength?: number | null;
  readonly maxLength?: number | null;
  readonly minimum?: number | null;
  readonly maximum?: number | null;
  readonly pattern?: string | null;
}

/** Characters of a `string` that says nothing of its length. */
export const stringLength = 255;

/** The JSON Schema of one field's value. */
export function fieldSchema(field: FieldConstraints): Readonly<Record<string, Json>> {
  const { kind, nullable = false, enum: allowed = null } = field;
  if (allowed !== null) return { enum: nullable ? [...allowed, null] : allowed };
  if (kind === "json" && nullable) return {};
  const { type, ...format } = fieldKinds[kind].schema;
  const bounds = {
    minLength: field.minLength,
    maxLength: field.maxLength ?? (kind === "string" ? stringLength : null),
    minimum: field.minimum,
    maximum: field.maximum,
    pattern: field.pattern,
  };
  const declared = Object.entries(bounds).filter(([, bound]) => bound != null);
  return { type: nullable ? [type, "null"] : type, ...format, ...Object.fromEntries(declared) };
}
