import validator from "validator";
import { parseDate, parseDatetime } from "../../vocabulary/dates.ts";
import type { FieldKind } from "../../vocabulary/field-kinds.ts";
import type { Json } from "../../vocabulary/json.ts";
import { isUuid } from "../../vocabulary/uuid.ts";

/** A literal of JSON in the one form in which the database gets it, or null where it is of another type. */
export type Literal = (value: Json) => Exclude<Json, null> | null;

const text = textAs((value) => value);

/** For each kind of field which literals fit: in defaults, enums and conditions. */
export const literals: Readonly<Record<FieldKind, Literal>> = {
  string: text,
  text,
  password: text,
  email: textAs((value) => (validator.isEmail(value) ? value : null)),
  integer: numberThat((n) => Number.isInteger(n) && Math.abs(n + 0.5) < 2 ** 31),
  bigint: numberThat(Number.isSafeInteger),
  float: numberThat(Number.isFinite),
  boolean: (value) => (typeof value === "boolean" ? value : null),
  datetime: textAs(parseDatetime),
  date: textAs(parseDate),
  // A column of `jsonb` holds what PostgreSQL can store as text, in strings and keys.
  json: (value) => (storable(value) ? value : null),
  uuid: textAs((value) => (isUuid(value) ? value.toLowerCase() : null)),
};

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
