import validator from "validator";
import { canonicalDate, canonicalDatetime } from "./dates.ts";
import type { Json } from "./definition.ts";

/** A literal of JSON in the one form in which the database gets it, or null where it is of another type. */
export type Literal = (value: Json) => Exclude<Json, null> | null;

/** JSON that a column of `jsonb` can store: its strings and keys are text that PostgreSQL can store. */
export const anyJson: Literal = (value) => (storable(value) ? value : null);

export const boolean: Literal = (value) => (typeof value === "boolean" ? value : null);

export const float: Literal = numberThat(Number.isFinite);

export const integer: Literal = numberThat((n) => Number.isInteger(n) && Math.abs(n + 0.5) < 2 ** 31);

export const bigint: Literal = numberThat(Number.isSafeInteger);

export const text: Literal = textAs((value) => value);

export const email: Literal = textAs((value) => (validator.isEmail(value) ? value : null));

export const date: Literal = textAs(canonicalDate);

export const datetime: Literal = textAs(canonicalDatetime);

const form = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** In lower case. */
export const uuid: Literal = textAs((value) => (form.test(value) ? value.toLowerCase() : null));

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
