import type { Json } from "../json.ts";
import { type DbLimits, elementDbType, limitsOfDbType, parseDbType } from "./db-types.ts";
import type { DecimalSize } from "./exact-numbers.ts";
import { elementKindOf, type FieldKind, fieldKinds } from "./field-kinds.ts";
import { defaultMaxItems } from "./list-kinds.ts";

/** The minimum and maximum number of elements, and whether they must be distinct. */
export interface ListBounds {
  readonly least: number | null;
  readonly most: number;
  readonly unique: boolean;
}

/** The default bounds of a list. */
export const anyItems: ListBounds = { least: null, most: defaultMaxItems, unique: false };

/** The constraints of a field's value, or of a list's elements. */
export interface FieldConstraints {
  readonly kind: FieldKind;
  /** The type of the column, if it is not the one of the kind. */
  readonly dbType?: string | null;
  readonly nullable?: boolean;
  readonly enum?: readonly (string | number)[] | null;
  readonly minLength?: number | null;
  readonly maxLength?: number | null;
  /** A string if the kind is exact. */
  readonly minimum?: number | string | null;
  readonly maximum?: number | string | null;
  readonly pattern?: string | null;
  /** For decimals. */
  readonly decimal?: DecimalSize | null;
  /** For lists. */
  readonly items?: ListBounds | null;
}

/** Default maximum length of a `string`, in characters. */
export const stringLength = 255;

type Schema = Readonly<Record<string, Json>>;

/** The JSON Schema of one field's value, with custom keywords of the validators, such as `decimal` and `distinct`. */
export function fieldSchema(field: FieldConstraints): Schema {
  const { kind, nullable = false } = field;
  const element = elementKindOf(kind);
  if (element !== null) {
    const dbType = elementDbType(field);
    return listSchema(field, fieldSchema({ ...field, kind: element, dbType, nullable: false }));
  }
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
  return { type: orNull(type, nullable), ...format, ...declared(bounds), ...columnBounds(field) };
}

/** The limits of the column of a field; null if it has the type of its kind. */
export function columnLimits({ dbType = null }: Pick<FieldConstraints, "dbType">): DbLimits | null {
  const type = dbType === null ? null : parseDbType(dbType);
  return type === null || "problem" in type ? null : limitsOfDbType(type);
}

/** Limits of the column that only custom keywords of the validators check. */
function columnBounds(field: FieldConstraints): Schema {
  const { kind } = field;
  const limits = columnLimits(field);
  if (limits === null) return {};
  const { maxBytes, fractionDigits, rounds } = limits;
  // In a column that Kirak makes, a time has three digits.
  const format = kind === "time" ? { format: "microtime" } : {};
  return { ...format, ...declared({ maxBytes, fractionDigits, unrounded: rounds }) };
}

function listSchema({ kind, nullable = false, items }: FieldConstraints, element: Schema): Schema {
  const { least, most, unique } = items ?? anyItems;
  return {
    type: orNull(fieldKinds[kind].schema.type, nullable),
    items: element,
    ...declared({ minItems: least, maxItems: most }),
    // Compares by value: two strings can be the same decimal.
    ...(unique ? { distinct: elementKindOf(kind) } : {}),
  };
}

/**
 * Exact numbers are strings in JSON. The custom keyword checks their bounds and allowed values as numbers.
 */
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
