import validator from "validator";
import { parseDate, parseDatetime, parseTime } from "../../vocabulary/fields/dates.ts";
import {
  type DecimalSize,
  decimalText,
  int64Text,
  numberText,
} from "../../vocabulary/fields/exact-numbers.ts";
import { type FieldKind, withLists } from "../../vocabulary/fields/field-kinds.ts";
import { isUuid } from "../../vocabulary/fields/uuid.ts";
import type { Json } from "../../vocabulary/json.ts";

/** A literal of JSON in the one form in which the database gets it, or null where it is of another type. Of a decimal without a size any number fits. */
export type Literal = (value: Json, decimal: DecimalSize | null) => Exclude<Json, null> | null;

const text = textAs((value) => value);

/** For each kind of field which literals fit: in defaults, enums and conditions. */
export const literals: Readonly<Record<FieldKind, Literal>> = withLists<Literal>(
  {
    string: text,
    text,
    password: text,
    email: textAs((value) => (validator.isEmail(value) ? value : null)),
    integer: numberThat((n) => Number.isInteger(n) && Math.abs(n + 0.5) < 2 ** 31),
    bigint: numberThat(Number.isSafeInteger),
    int64: exactly(int64Text),
    decimal: (value, size) =>
      exactly((one) => (size === null ? numberText(one) : decimalText(one, size)))(value, size),
    float: numberThat(Number.isFinite),
    boolean: (value) => (typeof value === "boolean" ? value : null),
    datetime: textAs(parseDatetime),
    date: textAs(parseDate),
    time: textAs(parseTime),
    // A column of `jsonb` holds what PostgreSQL can store as text, in strings and keys.
    json: (value) => (storable(value) ? value : null),
    uuid: textAs((value) => (isUuid(value) ? value.toLowerCase() : null)),
  },
  listOf,
);

function listOf(element: Literal): Literal {
  return (value, decimal) => {
    if (!Array.isArray(value)) return null;
    const elements = value.flatMap((one) => element(one, decimal) ?? []);
    return elements.length === value.length ? elements : null;
  };
}

function exactly(canonical: (value: string | number) => string | null): Literal {
  return (value) => (typeof value === "string" || typeof value === "number" ? canonical(value) : null);
}

function numberThat(fits: (value: number) => boolean): Literal {
  return (value) => (typeof value === "number" && fits(value) ? value : null);
}

function textAs(canonical: (value: string) => string | null): Literal {
  return (value) => (typeof value === "string" && storable(value) ? canonical(value) : null);
}

/** Whether PostgreSQL can store the text: no NUL, no half of a surrogate pair. */
function storable(value: Json): boolean {
  if (typeof value === "string") return !value.includes("\0") && value.isWellFormed();
  if (value === null || typeof value !== "object") return true;
  return Object.entries(value).every(([key, part]) => storable(key) && storable(part));
}
