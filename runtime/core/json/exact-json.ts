import { literalText } from "../../../vocabulary/fields/exact-numbers.ts";

/** Marks a number in quotes. No text of a request or of PostgreSQL has a NUL. */
const mark = "\0";

/** So many digits, with any exponent, are a number that JavaScript prints with the same digits. */
const safeLength = 15;

/**
 * Parses valid JSON whose texts hold no NUL. A whole number beyond 2^53 - 1 becomes a BigInt, other numbers are doubles
 * (docs/api.md#numbers).
 */
export function parseExactly(text: string): unknown {
  return parseMarked(text, wholeBeyondDouble);
}

/** As untyped as what `JSON.parse` gives. */
type Parsed = ReturnType<typeof JSON.parse>;

/** The same for JSON that PostgreSQL made, where a number with an exponent is a double of a column and stays a number. */
export function parseStored(text: string): Parsed {
  return /\d{16}/.test(text)
    ? parseMarked(text, (number) => (/e/i.test(number) ? null : wholeBeyondDouble(number)))
    : JSON.parse(text);
}

/** A number as JSON and GraphQL write it: a BigInt where it is whole and beyond 2^53 - 1, else a double. */
export function numberOf(text: string): number | bigint {
  const digits = wholeBeyondDouble(text);
  return digits === null ? Number(text) : BigInt(digits);
}

/** The digits of a whole number that no double is sure to hold; null for other numbers, and for those out of a double's range. */
function wholeBeyondDouble(number: string): string | null {
  if (number.search(/e|$/i) <= safeLength) return null;
  const double = Number(number);
  if (!Number.isFinite(double) || Number.isSafeInteger(double)) return null;
  const digits = literalText(number);
  return digits?.includes(".") ? null : digits;
}

function parseMarked(text: string, digitsOf: (number: string) => string | null): Parsed {
  const marked = withMarks(text, digitsOf);
  const parsed: Parsed = JSON.parse(marked);
  return marked === text ? parsed : unmarked(parsed);
}

/** Changes the value. A reviver of `JSON.parse` takes ten times as long. */
function unmarked(value: Parsed): Parsed {
  if (typeof value === "string") return value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value;
  if (Array.isArray(value)) return value.map(unmarked);
  if (typeof value === "object" && value !== null)
    for (const key of Object.keys(value)) value[key] = unmarked(value[key]);
  return value;
}

function withMarks(text: string, digitsOf: (number: string) => string | null): string {
  const number = /-?\d[\d.eE+-]*/y;
  let marked = "";
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    if (code !== 0x2d && (code < 0x30 || code > 0x39)) continue;
    number.lastIndex = at;
    const [found = ""] = number.exec(text) ?? [];
    const digits = digitsOf(found);
    if (digits !== null) {
      marked += `${text.slice(from, at)}${JSON.stringify(mark + digits)}`;
      from = at + found.length;
    }
    at += found.length - 1;
  }
  return marked + text.slice(from);
}

/** The place of the quote that ends a string of JSON, which begins at `start`; without one the end of the text. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes++;
  return backslashes % 2 === 1;
}
