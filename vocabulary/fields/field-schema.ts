import type { Json } from "../json.ts";
import type { DecimalSize } from "./exact-numbers.ts";
import { elementKindOf, type FieldKind, fieldKinds } from "./field-kinds.ts";
import { defaultMaxItems } from "./list-kinds.ts";

/** How many elements a list may have, and whether no two of them may be the same. */
export interface ListBounds {
  readonly least: number | null;
  readonly most: number;
  readonly unique: boolean;
}

/** Bounds of a list that says nothing of them. */
export const anyItems: ListBounds = { least: null, most: defaultMaxItems, unique: false };

/** The constraints of a field's value; for a list of its elements. */
export interface FieldConstraints {
  readonly kind: FieldKind;
  readonly nullable?: boolean;
  readonly enum?: readonly (string | number)[] | null;
  readonly minLength?: number | null;
  readonly maxLength?: number | null;
  /** A number as text where the kind is exact. */
  readonly minimum?: number | string | null;
  readonly maximum?: number | string | null;
  readonly pattern?: string | null;
  /** Of a decimal. */
  readonly decimal?: DecimalSize | null;
  /** Of a list. */
  readonly items?: ListBounds | null;
}

/** Characters of a `string` that says nothing of its length. */
export const stringLength = 255;

type Schema = Readonly<Record<string, Json>>;

/** The JSON Schema of one field's value. `decimal`, `int64` and `distinct` are keywords of validators here. */
export function fieldSchema(field: FieldConstraints): Schema {
  const { kind, nullable = false } = field;
  const element = elementKindOf(kind);
  if (element !== null) return listSchema(field, fieldSchema({ ...field, kind: element, nullable: false }));
  if (kind === "decimal" || kind === "int64") return exactSchema(field, kind);
  const allowed = field.enum ?? null;
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
  return { type: orNull(type, nullable), ...format, ...declared(bounds) };
}

function listSchema({ kind, nullable = false, items }: FieldConstraints, element: Schema): Schema {
  const { least, most, unique } = items ?? anyItems;
  return {
    type: orNull(fieldKinds[kind].schema.type, nullable),
    items: element,
    ...declared({ minItems: least, maxItems: most }),
    // By value: two texts may be the same decimal.
    ...(unique ? { distinct: elementKindOf(kind) } : {}),
  };
}

/** Numbers that JSON has as text are compared by value, so that their bounds and allowed values belong to the keyword. */
function exactSchema(field: FieldConstraints, kind: "decimal" | "int64"): Schema {
  const { minimum, maximum, decimal, nullable = false } = field;
  const size = decimal == null ? {} : { precision: decimal.precision, scale: decimal.scale };
  const rules = declared({ minimum, maximum, enum: field.enum });
  return { type: orNull(fieldKinds[kind].schema.type, nullable), [kind]: { ...size, ...rules } };
}

function orNull(type: Json, nullable: boolean): Json {
  return nullable ? [type, "null"].flat() : type;
}

function declared(bounds: Readonly<Record<string, Json | null | undefined>>): Schema {
  return Object.fromEntries(
    Object.entries(bounds).flatMap(([name, bound]) => (bound == null ? [] : [[name, bound]])),
  );
}
