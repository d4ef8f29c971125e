import { parse } from "postgres-array";
import {
  isoText,
  parseComparedDatetime,
  parseDate,
  parseTime,
  timeText,
} from "../../../vocabulary/fields/dates.ts";
import { doubleOf, int64Text, literalText, numberText } from "../../../vocabulary/fields/exact-numbers.ts";
import { type FieldKind, fieldKinds, withLists } from "../../../vocabulary/fields/field-kinds.ts";
import type { ElementKind } from "../../../vocabulary/fields/list-kinds.ts";
import { isUuid } from "../../../vocabulary/fields/uuid.ts";
import {
  isSupportedDate,
  isSupportedNumber,
  isSupportedTime,
  isSupportedTimestamp,
} from "../../core/database/index.ts";
import { UnsupportedValue } from "../../core/errors/index.ts";

/** How values of one kind are read from requests, stored and returned. */
export interface StoredType {
  /** The PostgreSQL type that bound values are cast to. */
  readonly sqlType: string;
  /** For messages: "a whole number". */
  readonly expected: string;
  /**
   * A filter value (JSON scalar, or text of a query string) as a bound value; undefined if it is invalid.
   * Lists are read element by element.
   */
  readonly parse: (value: unknown) => string | number | boolean | undefined;
  /** Converts PostgreSQL's text of a value to JSON text. Errors: `UnsupportedValue`. */
  readonly toJson: (text: string) => string;
  /** SQL around a column (`?`), so that PostgreSQL's JSON functions write what `toJson` writes. */
  readonly jsonSql: string;
  /** SQL that tests a column (`?`, possibly repeated) for unsupported values; null if all are supported. */
  readonly unsupportedSql: string | null;
  /** SQL around a column (`?`) that is compared with a pattern, or with other values, if the column has no such operator. */
  readonly patternSql?: string;
  readonly comparedSql?: string;
}

/** A kind of list. A column of `varchar[]` has no operator with `text[]`. */
export function listOf(element: StoredType, kind: ElementKind): StoredType {
  return {
    sqlType: fieldKinds[kind].column.startsWith("varchar") ? "varchar[]" : `${element.sqlType}[]`,
    expected: `a list; each element must be ${element.expected}`,
    parse: () => undefined,
    // Only other programs can have stored NULL in a list.
    toJson: (text) =>
      `[${parse(text, element.toJson)
        .map((one) => one ?? "null")
        .join(",")}]`,
    jsonSql: element.jsonSql === "?" ? "?" : elementsSql(element.jsonSql),
    unsupportedSql: element.unsupportedSql && anyElementSql(element.unsupportedSql),
  };
}

function anyElementSql(sql: string): string {
  return `exists (select from unnest(?) as element$ (value) where ${sql.replaceAll("?", "element$.value")})`;
}

/** Keeps the order; a NULL list stays NULL. */
function elementsSql(jsonSql: string): string {
  const written = jsonSql.replace("?", "element$.value");
  return `(select case when list is not null then array(
    select ${written} from unnest(list) with ordinality as element$ (value, position) order by position
  ) end from (select ? as list) as held$)`;
}

export type BindValue = string | number | boolean | null | readonly (string | number | boolean)[];

const verbatim = (text: string): string => text;
export const quoted = (text: string): string => `"${text}"`;

/** Wraps a writer so that it throws an `UnsupportedValue` for a value that the API does not support. */
export const supported =
  (isSupported: (text: string) => boolean, write: (text: string) => string) =>
  (text: string): string => {
    if (isSupported(text)) return write(text);
    throw new UnsupportedValue(text);
  };
const unsupportedNumber = "?::text in ('NaN', 'Infinity', '-Infinity')";

const isText = (value: unknown): value is string => typeof value === "string";
/**
 * Whether PostgreSQL can store a text: without NUL and unpaired surrogates, which JSON in a query string can
 * have.
 */
const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();
const parseText = (value: unknown) => (isText(value) && isStorable(value) ? value : undefined);

function integerBetween(least: bigint, most: bigint) {
  return (value: unknown): string | undefined => {
    const isWhole = typeof value === "bigint" || Number.isSafeInteger(value);
    const text = isWhole ? String(value) : value;
    if (!isText(text) || !/^-?\d{1,19}$/.test(text)) return undefined;
    const number = BigInt(text);
    return number >= least && number <= most ? String(number) : undefined;
  };
}

/** A number, or its text in a query string. Integers are not rounded. */
function parseFloatStrictly(value: unknown): number | undefined {
  if (typeof value === "bigint") return doubleOf(value) ?? undefined;
  const isNumber = isText(value) && /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?$/.test(value);
  const number = isNumber || typeof value === "number" ? Number(value) : Number.NaN;
  if (!Number.isFinite(number)) return undefined;
  const digits = isNumber && !Number.isSafeInteger(number) ? literalText(value) : null;
  return digits === null || digits.includes(".") ? number : (doubleOf(BigInt(digits)) ?? undefined);
}

/** Exact numbers of a filter are read like those of a body. */
function exactly(canonical: (value: string | number) => string | null) {
  return (value: unknown): string | undefined =>
    isText(value) || typeof value === "number"
      ? (canonical(value) ?? undefined)
      : typeof value === "bigint"
        ? (canonical(String(value)) ?? undefined)
        : undefined;
}

function parseBoolean(value: unknown): boolean | undefined {
  if (value === true || value === "true") return true;
  return value === false || value === "false" ? false : undefined;
}

/** A quote, a backslash or a control character. PostgreSQL's text has no unpaired surrogates. */
const escaped = /[^ !#-[\]-\uffff]/;
const jsonText = (text: string): string => (escaped.test(text) ? JSON.stringify(text) : `"${text}"`);

const text = (sqlType: string): StoredType => ({
  sqlType,
  expected: "a string",
  parse: parseText,
  toJson: jsonText,
  jsonSql: "?",
  unsupportedSql: null,
});

export const integerType = (sqlType: string, bits: 16 | 32 | 64): StoredType => {
  const most = 2n ** BigInt(bits - 1) - 1n;
  return {
    sqlType,
    expected: "a whole number in range",
    parse: integerBetween(-most - 1n, most),
    toJson: verbatim,
    jsonSql: "?",
    unsupportedSql: null,
  };
};

/**
 * One row per kind. A new kind also needs a row in the vocabulary's kinds and in the generator's column
 * types.
 */
export const kinds: Readonly<Record<FieldKind, StoredType>> = withLists<StoredType>(
  {
    string: text("text"),
    text: text("text"),
    email: text("text"),
    password: text("text"),
    integer: integerType("integer", 32),
    bigint: integerType("bigint", 64),
    int64: { ...integerType("bigint", 64), parse: exactly(int64Text), toJson: quoted, jsonSql: "?::text" },
    decimal: {
      sqlType: "numeric",
      expected: "a number such as 12.50",
      parse: exactly(numberText),
      toJson: supported(isSupportedNumber, quoted),
      jsonSql: "?::text",
      unsupportedSql: unsupportedNumber,
    },
    float: {
      sqlType: "double precision",
      expected: "a number",
      parse: parseFloatStrictly,
      toJson: supported(isSupportedNumber, verbatim),
      jsonSql: "?",
      unsupportedSql: unsupportedNumber,
    },
    boolean: {
      sqlType: "boolean",
      expected: "true or false",
      parse: parseBoolean,
      toJson: (stored) => (stored === "t" ? "true" : "false"),
      jsonSql: "?",
      unsupportedSql: null,
    },
    uuid: {
      sqlType: "uuid",
      expected: "a UUID",
      parse: (value) => (isText(value) && isUuid(value) ? value.toLowerCase() : undefined),
      toJson: quoted,
      jsonSql: "?",
      unsupportedSql: null,
    },
    date: {
      sqlType: "date",
      expected: "a date, YYYY-MM-DD",
      parse: (value) => (isText(value) ? (parseDate(value) ?? undefined) : undefined),
      toJson: supported(isSupportedDate, quoted),
      jsonSql: "?",
      unsupportedSql: "? < '0001-01-01' or ? > '9999-12-31'",
    },
    time: {
      sqlType: "time",
      expected: "a time of day, HH:mm or HH:mm:ss.sss",
      parse: (value) => (isText(value) ? (parseTime(value) ?? undefined) : undefined),
      toJson: supported(isSupportedTime, (stored) => `"${timeText(stored)}"`),
      jsonSql: "to_char(?, 'HH24:MI:SS.MS')",
      unsupportedSql: "? >= '24:00:00'",
    },
    datetime: {
      sqlType: "timestamptz",
      expected: "an ISO-8601 date or datetime",
      parse: (value) => (isText(value) ? (parseComparedDatetime(value) ?? undefined) : undefined),
      toJson: supported(isSupportedTimestamp, (stored) => `"${isoText(stored)}"`),
      jsonSql: `to_char(? at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
      unsupportedSql: "? < '0001-01-01 00:00:00+00' or ? >= '10000-01-01 00:00:00+00'",
    },
    json: {
      sqlType: "jsonb",
      expected: "JSON",
      parse: () => undefined,
      toJson: verbatim,
      jsonSql: "?",
      unsupportedSql: null,
    },
  },
  listOf,
);
