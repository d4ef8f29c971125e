import { isDbTypeName, parseDbType } from "../../../vocabulary/fields/db-types.ts";
import type { Json } from "../../../vocabulary/json.ts";
import { type CatalogColumn, elementTypeOf } from "../../../vocabulary/migrations/catalog.ts";

/** How a field holds the values of a column, without a conversion. */
export interface HeldType {
  /** The type of the field, such as `decimal[]`. */
  readonly type: string;
  /** The type of the column, also where a field without `db_type` has it. */
  readonly column: string;
  /** Whether the field needs a `db_type`. */
  readonly differs: boolean;
  /** `max_length`, `precision`, `scale` and `enum`. */
  readonly options: { readonly [option: string]: Json };
}

type Sizes = readonly (number | undefined)[];

const printedTypes = [
  ...["citext", "inet", "cidr", "macaddr", "ltree", "xml", "money", "interval", "tsvector"],
];

/** The names that PostgreSQL prints, and those of `db_type`. */
const shortNames: Readonly<Record<string, string>> = {
  "character varying": "varchar",
  character: "char",
  "timestamp with time zone": "timestamptz",
  "timestamp without time zone": "timestamp",
  "time without time zone": "time",
};

/** The type of a field for a column; null if no field can hold its values as they are. */
export function heldTypeOf(
  column: Pick<CatalogColumn, "type" | "baseType" | "enumValues" | "enumType" | "dimensions">,
): HeldType | null {
  const { type, baseType, dimensions } = column;
  const text = baseType ?? type;
  const element = elementTypeOf(text);
  const one = enumField(column) ?? scalarType(element ?? text);
  if (one === null || element === null) return one;
  if (dimensions > 1 || one.type === "json" || one.column === "tsvector") return null;
  return { ...one, type: `${one.type}[]`, column: `${one.column}[]` };
}

/** Null for an enum type whose name would mean another type as a `db_type`: a point separates the schema there. */
function enumField({
  type,
  baseType,
  enumValues,
  enumType,
}: Pick<CatalogColumn, "type" | "baseType" | "enumValues" | "enumType">): HeldType | null {
  if (enumValues === null || enumType === null) return null;
  const meant = parseDbType(enumType);
  const quoted = (baseType ?? type).match(/"(?:[^"]|"")*"/g) ?? [];
  if ("problem" in meant || !meant.isEnum || quoted.some((name) => name.includes("."))) return null;
  return { type: "string", column: enumType, differs: true, options: { enum: [...enumValues] } };
}

function scalarType(text: string): HeldType | null {
  const [, before = "", first, second, after = ""] =
    /^([^()]+?)(?:\((\d+)(?:,(-?\d+))?\))?((?: with| without) time zone)?$/.exec(text) ?? [];
  // The type of an extension has its schema in front.
  const printed = `${before}${after}`.replace(/^"?\w+"?\.(?=\w+$)/, "");
  const name = shortNames[printed] ?? printed;
  const [size, scale] = [first, second].map((digits) => (digits === undefined ? undefined : Number(digits)));
  const sizes = [size, scale].flatMap((digits) => digits ?? []);
  const column = `${name}${sizes.length === 0 ? "" : `(${sizes.join(",")})`}`;
  const field = fieldOf(name, [size, scale]);
  return field === null ? null : { column, ...field };
}

type Field = Omit<HeldType, "column">;

function fieldOf(name: string, [size, scale]: Sizes): Field | null {
  const field = (type: string, differs: boolean, options: HeldType["options"] = {}): Field => ({
    ...{ type, differs, options },
  });
  if (["boolean", "date", "uuid"].includes(name)) return field(name, false);
  if (!isDbTypeName(name)) return null;
  if (printedTypes.includes(name)) return size === undefined ? field("text", true) : null;
  switch (name) {
    case "varchar":
      return size === undefined ? field("text", true) : field("string", false, { max_length: size });
    case "char":
      return size === undefined ? null : field("string", true, { max_length: size });
    case "name":
      return field("string", true, { max_length: 63 });
    case "text":
      return field("text", false);
    case "smallint":
    case "integer":
      return field("integer", name === "smallint");
    case "bigint":
      return field("bigint", false);
    case "real":
    case "double precision":
      return field("float", name === "real");
    case "numeric":
      return size === undefined ? field("decimal", true) : sizedDecimal(size, scale ?? 0, field);
    case "timestamptz":
    case "timestamp":
      return field("datetime", name === "timestamp" || size !== 3);
    case "time":
      return field("time", size !== 3);
    case "json":
    case "jsonb":
      return field("json", name === "json");
    default:
      return null;
  }
}

/** PostgreSQL allows scales below 0 and above the precision, which decimals do not have. */
function sizedDecimal(
  precision: number,
  scale: number,
  field: (type: string, differs: boolean, options: HeldType["options"]) => Field,
): Field | null {
  if (scale < 0 || scale > precision) return null;
  return field("decimal", false, { precision, ...(scale === 0 ? {} : { scale }) });
}
