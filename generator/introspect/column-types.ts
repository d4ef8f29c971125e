import type { CatalogColumn } from "../../vocabulary/catalog.ts";
import type { FieldKind } from "../../vocabulary/field-kinds.ts";
import type { ColumnType } from "../../vocabulary/migration-steps.ts";

/** How a column becomes a field. */
export interface FieldType {
  /** As the baseline has it. An enum type is a text there: migrations know no types of the user. */
  readonly column: ColumnType;
  readonly kind: Exclude<FieldKind, "bigint" | "email" | "password">;
  /** Of a `string`. */
  readonly maxLength: number | null;
}

const plain: Readonly<Record<string, readonly [ColumnType, FieldType["kind"]]>> = {
  smallint: ["smallint", "integer"],
  integer: ["integer", "integer"],
  bigint: ["bigint", "float"],
  real: ["real", "float"],
  "double precision": ["double precision", "float"],
  numeric: ["numeric", "float"],
  boolean: ["boolean", "boolean"],
  "character varying": ["varchar", "text"],
  text: ["text", "text"],
  date: ["date", "date"],
  "timestamp without time zone": ["timestamp", "datetime"],
  "timestamp with time zone": ["timestamptz", "datetime"],
  json: ["json", "json"],
  jsonb: ["jsonb", "json"],
  uuid: ["uuid", "uuid"],
};

const withNumbers = /^(character varying|character|numeric|timestamp)\((-?\d+)(?:,(-?\d+))?\)(.*)$/;

/** All whole numbers of so many digits fit an integer of 32 bits. */
const integerDigits = 9;

/** The field that a column becomes, or null where no field can hold what it holds. */
export function fieldTypeOf({ type, baseType, enumValues }: CatalogColumn): FieldType | null {
  if (enumValues !== null) return { column: "varchar", kind: "text", maxLength: null };
  const text = baseType ?? type;
  const [column, kind] = plain[text] ?? [];
  if (column !== undefined && kind !== undefined) return { column, kind, maxLength: null };
  const [, name, first, second = "0", rest] = withNumbers.exec(text) ?? [];
  const [size, scale] = [Number(first), Number(second)];
  if (name === "character varying") return { column: `varchar(${size})`, kind: "string", maxLength: size };
  if (name === "character") return { column: `char(${size})`, kind: "string", maxLength: size };
  if (name === "numeric") {
    const whole = scale <= 0 && size - scale <= integerDigits;
    return { column: `numeric(${size},${scale})`, kind: whole ? "integer" : "float", maxLength: null };
  }
  if (rest === " with time zone")
    return { column: `timestamptz(${size})`, kind: "datetime", maxLength: null };
  if (rest === " without time zone")
    return { column: `timestamp(${size})`, kind: "datetime", maxLength: null };
  return null;
}
