import { nearest } from "../nearest.ts";
import type { DecimalSize } from "./exact-numbers.ts";
import { elementKindOf, type FieldKind, type FieldKindRow, type ScalarKind } from "./field-kinds.ts";

/** A physical type of a column, from a text such as `varchar(20)`, `numeric(8, 2)`, `real[]` or the name of an enum type. */
export interface DbType {
  /** A name of `dbTypes`, or the name of a native enum type. */
  readonly name: string;
  /** The numbers in parentheses. */
  readonly size: readonly number[];
  readonly isList: boolean;
  readonly isEnum: boolean;
}

/** A physical type that columns of fields can have. */
interface DbTypeRow {
  /** The kinds of field, or of elements of lists, that can have the type. */
  readonly fits: readonly ScalarKind[];
  /** What the numbers in parentheses are. Without it the type has none. */
  readonly size?: "length" | "optional length" | "fraction digits" | "digits";
  /** The operators of filters and conditions, where the type has fewer than the kind. */
  readonly compared?: FieldKindRow["compared"];
  readonly minimum?: number;
  readonly maximum?: number;
  /** The maximum length in bytes, beyond which PostgreSQL cuts a value. */
  readonly maxBytes?: number;
  /** Whether PostgreSQL rounds a value that has more digits than it stores. */
  readonly rounds?: true;
  /** Whether only the database writes the column. */
  readonly readOnly?: true;
}

const texts = ["string", "text", "email"] as const;
/** PostgreSQL has no patterns and no useful order for the printed form of these types. */
const printed = { fits: texts, compared: "for equality" } as const;

/** The physical types that a `db_type` can name. `boolean`, `date` and `uuid` fields have only one type. */
export const dbTypes = {
  varchar: { fits: texts, size: "optional length" },
  char: { fits: texts, size: "length" },
  text: { fits: texts },
  citext: { fits: texts },
  name: { fits: texts, maxBytes: 63 },
  inet: printed,
  cidr: printed,
  macaddr: printed,
  ltree: printed,
  xml: printed,
  money: { ...printed, rounds: true },
  interval: { ...printed, rounds: true },
  tsvector: { ...printed, readOnly: true },
  smallint: { fits: ["integer", "bigint"], minimum: -32_768, maximum: 32_767 },
  integer: { fits: ["integer", "bigint"], minimum: -2_147_483_648, maximum: 2_147_483_647 },
  bigint: { fits: ["bigint", "int64"] },
  real: { fits: ["float"], minimum: -3.4028235e38, maximum: 3.4028235e38 },
  "double precision": { fits: ["float"] },
  numeric: { fits: ["decimal"], size: "digits" },
  timestamptz: { fits: ["datetime"], size: "fraction digits" },
  timestamp: { fits: ["datetime"], size: "fraction digits" },
  time: { fits: ["time"], size: "fraction digits" },
  json: { fits: ["json"] },
  jsonb: { fits: ["json"] },
} as const satisfies Readonly<Record<string, DbTypeRow>>;

export type DbTypeName = keyof typeof dbTypes;

/** Other names of PostgreSQL for these types. */
const aliases: Readonly<Record<string, DbTypeName>> = {
  "character varying": "varchar",
  character: "char",
  bpchar: "char",
  int2: "smallint",
  int: "integer",
  int4: "integer",
  int8: "bigint",
  float4: "real",
  float8: "double precision",
  decimal: "numeric",
  "timestamp with time zone": "timestamptz",
  "timestamp without time zone": "timestamp",
  "time without time zone": "time",
};

const maxLength = 10_485_760;
const maxDigits = 1_000;
/** Digits of a second that PostgreSQL stores. */
const maxFractionDigits = 6;

const written = /^\s*([^()[\]]*[^()[\]\s])\s*(?:\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\))?\s*(\[\s*\])?\s*$/;

/** Parses a `db_type`. A name without parentheses that is not in the table is the name of an enum type. */
export function parseDbType(
  text: string,
): DbType | { readonly problem: string; readonly hint: string | null } {
  const [, base, first, second, list] = written.exec(text) ?? [];
  if (base === undefined)
    return { problem: "is not a column type", hint: 'write a type such as "varchar(20)" or "timestamp(6)"' };
  const size = [first, second].flatMap((digits) => (digits === undefined ? [] : [Number(digits)]));
  const name = base.toLowerCase().replace(/\s+/g, " ");
  const parts = { size, isList: list !== undefined };
  if (isDbTypeName(name)) {
    const problem = sizeProblem(dbTypes[name], size);
    return problem === null ? { name, ...parts, isEnum: false } : { problem, hint: null };
  }
  const meant = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
  if (meant !== undefined)
    return {
      problem: "is another name of a type",
      hint: didYouMean({ name: meant, ...parts, isEnum: false }),
    };
  if (size.length > 0) {
    const near = nearest(name, Object.keys(dbTypes));
    const hint = near === null ? null : didYouMean({ name: near, ...parts, isEnum: false });
    return { problem: "is not a known column type", hint };
  }
  return { name: base, ...parts, isEnum: true };
}

function didYouMean(type: DbType): string {
  return `write "${dbTypeText(type)}"`;
}

/** Whether a name is one of `dbTypes`; others are names of enum types. */
export function isDbTypeName(name: string): name is DbTypeName {
  return Object.hasOwn(dbTypes, name);
}

function sizeProblem({ size }: DbTypeRow, [first, second]: readonly (number | undefined)[]): string | null {
  if (size === undefined) return first === undefined ? null : "has a size, which the type does not have";
  if (first === undefined) return size === "length" ? 'lacks its length, such as "char(1)"' : null;
  if (size === "digits")
    return first >= 1 && first <= maxDigits && (second ?? 0) <= first
      ? null
      : `needs 1 to ${maxDigits} digits, and at most as many after the point`;
  const [least, most, what] =
    size === "fraction digits"
      ? [0, maxFractionDigits, "digits of a second"]
      : [1, maxLength, "as its only length"];
  return second === undefined && first >= least && first <= most ? null : `needs ${least} to ${most} ${what}`;
}

/** The canonical text of a type: `numeric(8,2)`. */
export function dbTypeText({ name, size, isList }: DbType): string {
  return `${name}${size.length === 0 ? "" : `(${size.join(",")})`}${isList ? "[]" : ""}`;
}

/** The row of a type; null for an enum type. */
export function rowOfDbType({ name }: DbType): DbTypeRow | null {
  return isDbTypeName(name) ? dbTypes[name] : null;
}

/** Whether a field of a kind can have the type. Only fields with an `enum` can have an enum type. */
export function fitsKind(type: DbType, kind: FieldKind, hasEnum: boolean): boolean {
  const element = elementKindOf(kind);
  if (type.isList !== (element !== null)) return false;
  const held = element ?? kind;
  if (type.isEnum) return hasEnum && texts.some((one) => one === held);
  return rowOfDbType(type)?.fits.some((one) => one === held) ?? false;
}

/** The types that a field of a kind can have, as texts for messages. Lists have the types of their elements. */
export function dbTypesOf(kind: FieldKind): string[] {
  const element = elementKindOf(kind);
  const held = element ?? kind;
  return Object.entries<DbTypeRow>(dbTypes)
    .filter(([, { fits }]) => fits.some((one) => one === held))
    .map(([name, { size }]) => `${name}${size === "length" ? "(n)" : ""}${element === null ? "" : "[]"}`);
}

/** The limits that a type puts on values of its column, or on elements of a list. Null: none beyond the kind's. */
export interface DbLimits {
  /** In characters. */
  readonly maxLength: number | null;
  readonly maxBytes: number | null;
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly decimal: DecimalSize | null;
  /** Digits of a second. */
  readonly fractionDigits: number | null;
  /** The type, if PostgreSQL rounds values of it. */
  readonly rounds: string | null;
}

/** The limits of a type. */
export function limitsOfDbType(type: DbType): DbLimits {
  const row = rowOfDbType(type);
  const [first, second = 0] = type.size;
  const isLength = row?.size === "length" || row?.size === "optional length";
  const isDigits = row?.size === "digits" && first !== undefined;
  return {
    maxLength: (isLength ? first : row?.maxBytes) ?? null,
    maxBytes: row?.maxBytes ?? null,
    minimum: row?.minimum ?? null,
    maximum: row?.maximum ?? null,
    decimal: isDigits ? { precision: first, scale: second } : null,
    fractionDigits: row?.size === "fraction digits" ? (first ?? maxFractionDigits) : null,
    rounds: row?.rounds === true ? type.name : null,
  };
}

/** The operators of filters and conditions on a column; null if its type has all of the kind. */
export function comparedByDbType({
  dbType = null,
}: {
  readonly dbType?: string | null;
}): FieldKindRow["compared"] | null {
  const type = dbType === null ? null : parseDbType(dbType);
  return type === null || "problem" in type ? null : (rowOfDbType(type)?.compared ?? null);
}

/** The type of the elements of a list, or of a single value. */
export function elementDbType({ dbType = null }: { readonly dbType?: string | null }): string | null {
  return dbType?.replace(/\[\]$/, "") ?? null;
}
