import pg from "pg";
import { isoText, parseComparedDatetime, parseTime, timeText } from "../../../vocabulary/fields/dates.ts";
import { elementDbType } from "../../../vocabulary/fields/db-types.ts";
import type { FieldKind } from "../../../vocabulary/fields/field-kinds.ts";
import { elementKindOf } from "../../../vocabulary/fields/list-kinds.ts";
import { isSupportedTime, isSupportedTimestamp } from "../../core/database/index.ts";
import { columnsOf, type Model } from "../../models/index.ts";
import { integerType, kinds, listOf, quoted, type StoredType, supported } from "./kinds.ts";

/** The type of a column: that of its kind, or another one. */
export interface TypedColumn {
  readonly kind: FieldKind;
  readonly dbType?: string | null;
}

/** A column, or the kind of a value without one. */
export type Typed = FieldKind | TypedColumn;

const known = new Map<string, StoredType>();

/** How values of a column are read, stored and returned. */
export function typeOf(typed: Typed): StoredType {
  if (typeof typed === "string") return kinds[typed];
  const { kind, dbType = null } = typed;
  if (dbType === null) return kinds[kind];
  const key = `${kind} ${dbType}`;
  const type = known.get(key) ?? storedType(kind, dbType);
  known.set(key, type);
  return type;
}

/** How ids of a model are read, stored and returned. */
export function idTypeOf(model: Model): StoredType {
  return typeOf(columnsOf(model).get("id") ?? model.id);
}

/** The type of the elements of a list, or of a single value. */
export function elementType(column: TypedColumn): TypedColumn {
  return { kind: elementKindOf(column.kind) ?? column.kind, dbType: elementDbType(column) };
}

function storedType(kind: FieldKind, dbType: string): StoredType {
  const element = elementKindOf(kind);
  if (element === null) return scalarType(kinds[kind], dbType);
  const one = scalarType(kinds[element], dbType.replace(/\[\]$/, ""));
  return { ...listOf(one, element), sqlType: `${one.sqlType}[]` };
}

function scalarType(base: StoredType, dbType: string): StoredType {
  const [, name = "", size] = /^([a-z ]+?)(?:\((\d+)(?:,\d+)?\))?$/.exec(dbType.replaceAll(", ", ",")) ?? [];
  const row = types[name];
  if (row === undefined) return { ...base, ...asText, sqlType: enumName(dbType) };
  return { ...base, ...row(base, size === undefined ? null : Number(size)) };
}

/** The name of an enum type, possibly with its schema. */
function enumName(dbType: string): string {
  return dbType.split(".").map(pg.escapeIdentifier).join(".");
}

/** Types that have no patterns of their own. */
const asText = { patternSql: "?::text" };

type Row = (base: StoredType, size: number | null) => Partial<StoredType>;

const same: Row = () => ({});
const printed =
  (sqlType: string): Row =>
  () => ({ ...asText, sqlType });

/** One row for each type that is not an enum. The size is the number in parentheses. */
const types: Readonly<Record<string, Row>> = {
  varchar: same,
  text: same,
  char: ({ toJson }) => ({
    ...asText,
    sqlType: "bpchar",
    // The cast removes the padding.
    jsonSql: "?::text",
    toJson: (stored) => toJson(stored.replace(/ +$/, "")),
  }),
  citext: () => ({ sqlType: "citext" }),
  name: printed("name"),
  inet: printed("inet"),
  cidr: printed("cidr"),
  macaddr: printed("macaddr"),
  ltree: printed("ltree"),
  // There is no operator for equality.
  xml: () => ({ ...asText, sqlType: "xml", comparedSql: "?::text" }),
  money: printed("money"),
  interval: printed("interval"),
  tsvector: printed("tsvector"),
  smallint: () => integerType("smallint", 16),
  integer: same,
  bigint: same,
  real: () => ({ sqlType: "real" }),
  "double precision": same,
  numeric: same,
  boolean: same,
  uuid: same,
  date: same,
  timestamptz: (_, size) => moment("timestamptz", digitsOf(size), "+00", "? at time zone 'UTC'"),
  timestamp: (_, size) => moment("timestamp", digitsOf(size), "", "?"),
  time: (_, size) => {
    const digits = digitsOf(size);
    return {
      parse: (value) => (typeof value === "string" ? (parseTime(value, 6) ?? undefined) : undefined),
      expected: "a time of day, HH:mm or HH:mm:ss.ssssss",
      toJson: supported(isSupportedTime, (stored) => quoted(timeText(stored, digits))),
      jsonSql: `to_char(?, 'HH24:MI:SS.FF${digits}')`,
    };
  },
  json: () => ({ sqlType: "json" }),
  jsonb: same,
};

/** The decimals of the seconds in answers. Without a size, a column has six. */
function digitsOf(size: number | null): number {
  return Math.max(3, size ?? 6);
}

function moment(sqlType: string, digits: number, zone: string, inUtc: string): Partial<StoredType> {
  const whole = zone === "" ? (stored: string) => `${stored}+00` : (stored: string) => stored;
  return {
    sqlType,
    parse: (value) => (typeof value === "string" ? (parseComparedDatetime(value) ?? undefined) : undefined),
    toJson: supported(
      (stored) => isSupportedTimestamp(whole(stored)),
      (stored) => quoted(isoText(whole(stored), digits)),
    ),
    jsonSql: `to_char(${inUtc}, 'YYYY-MM-DD"T"HH24:MI:SS.FF${digits}"Z"')`,
    unsupportedSql: `? < '0001-01-01 00:00:00${zone}' or ? >= '10000-01-01 00:00:00${zone}'`,
  };
}
