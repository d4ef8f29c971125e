import type { DecimalSize } from "../../vocabulary/fields/exact-numbers.ts";
import type { FieldKind, ScalarKind } from "../../vocabulary/fields/field-kinds.ts";
import { elementKinds } from "../../vocabulary/fields/list-kinds.ts";
import { type CatalogColumn, elementTypeOf } from "../../vocabulary/migrations/catalog.ts";
import type {
  AdoptedElementType,
  ColumnType,
  ElementColumnType,
} from "../../vocabulary/migrations/migration-steps.ts";

/** How a column becomes a field. */
export interface FieldType extends Sizes {
  /** The type in the baseline. An enum type is a text, because migrations have no custom types. */
  readonly column: ColumnType;
  readonly kind: Exclude<FieldKind, "bigint" | "email" | "password">;
  /** The type of the elements of a list; null for other types. */
  readonly elements: ElementType | null;
}

/** Sizes of a value, or of the elements of a list. */
interface Sizes {
  /** For `string`. */
  readonly maxLength: number | null;
  /** For `decimal`. */
  readonly decimal: DecimalSize | null;
}

type ElementType = ElementColumnType | AdoptedElementType;

interface ScalarType extends Sizes {
  readonly column: ElementType | "json" | "jsonb";
  readonly kind: Exclude<ScalarKind, "bigint" | "email" | "password">;
}

const plain: Readonly<Record<string, readonly [ScalarType["column"], ScalarType["kind"]]>> = {
  smallint: ["smallint", "integer"],
  integer: ["integer", "integer"],
  bigint: ["bigint", "int64"],
  real: ["real", "float"],
  "double precision": ["double precision", "float"],
  numeric: ["numeric", "float"],
  boolean: ["boolean", "boolean"],
  "character varying": ["varchar", "text"],
  text: ["text", "text"],
  date: ["date", "date"],
  "time without time zone": ["time", "time"],
  "timestamp without time zone": ["timestamp", "datetime"],
  "timestamp with time zone": ["timestamptz", "datetime"],
  json: ["json", "json"],
  jsonb: ["jsonb", "json"],
  uuid: ["uuid", "uuid"],
};

const withNumbers = /^(character varying|character|numeric|timestamp|time)\((-?\d+)(?:,(-?\d+))?\)(.*)$/;

/** All whole numbers with this number of digits fit 32 bits. */
const integerDigits = 9;

/** The field for a column, or null if no field can hold its values. */
export function fieldTypeOf({
  type,
  baseType,
  enumValues,
  dimensions,
}: Pick<CatalogColumn, "type" | "baseType" | "enumValues" | "dimensions">): FieldType | null {
  const text = baseType ?? type;
  if (enumValues !== null && elementTypeOf(text) === null)
    return { ...unsized, column: "varchar", kind: "text", elements: null };
  const elements = elementTypeOf(text);
  const one = scalarTypeOf(elements ?? text);
  if (one === null) return null;
  if (elements === null) return { ...one, elements: null };
  const kind = elementKinds.find((name) => name === one.kind);
  if (kind === undefined || kind === "email" || dimensions > 1) return null;
  if (one.column === "json" || one.column === "jsonb") return null;
  return { ...one, column: `${one.column}[]`, kind: `${kind}[]`, elements: one.column };
}

/** Whether the column is a `numeric` that no decimal can hold: without a size, with a negative scale, or a scale above the precision. */
export function isUnsized({ column, kind }: FieldType): boolean {
  return column.startsWith("numeric") && (kind === "float" || kind === "float[]" || kind === "integer");
}

const unsized = { maxLength: null, decimal: null } as const;

function scalarTypeOf(text: string): ScalarType | null {
  const [column, kind] = plain[text] ?? [];
  if (column !== undefined && kind !== undefined) return { ...unsized, column, kind };
  const [, name, first, second = "0", rest] = withNumbers.exec(text) ?? [];
  const [size, scale] = [Number(first), Number(second)];
  if (name === "character varying")
    return { ...unsized, column: `varchar(${size})`, kind: "string", maxLength: size };
  if (name === "character") return { ...unsized, column: `char(${size})`, kind: "string", maxLength: size };
  if (name === "numeric") return numericType(size, scale);
  if (name === "timestamp" && rest === " with time zone")
    return { ...unsized, column: `timestamptz(${size})`, kind: "datetime" };
  if (rest !== " without time zone") return null;
  return name === "time"
    ? { ...unsized, column: `time(${size})`, kind: "time" }
    : { ...unsized, column: `timestamp(${size})`, kind: "datetime" };
}

/** PostgreSQL allows scales below 0 and above the precision, which decimals do not allow. */
function numericType(precision: number, scale: number): ScalarType {
  const column = `numeric(${precision},${scale})` as const;
  if (scale >= 0 && scale <= precision)
    return { ...unsized, column, kind: "decimal", decimal: { precision, scale } };
  const whole = scale < 0 && precision - scale <= integerDigits;
  return { ...unsized, column, kind: whole ? "integer" : "float" };
}
