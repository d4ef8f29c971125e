import { literalText } from "../../../vocabulary/fields/exact-numbers.ts";

/** Marks a number in quotes. Texts of requests and of PostgreSQL have no NUL. */
const mark = "\0";

/** Doubles keep up to this many significant digits, with any exponent. */
const safeLength = 15;

/**
 * Parses valid JSON whose strings have no NUL. Integers beyond 2^53 - 1 become BigInts, other numbers are
 * doubles (docs/api.md).
 */
export function parseExactly(text: string): unknown {
  return parseMarked(text, wholeBeyondDouble);
}

/** Untyped, like the result of `JSON.parse`. */
type Parsed = ReturnType<typeof JSON.parse>;

/**
 * Like `parseExactly`, for JSON from PostgreSQL: a number with an exponent is a double there, and stays a
 * number.
 */
export function parseStored(text: string): Parsed {
  return /\d{16}/.test(text)
    ? parseMarked(text, (number) => (/e/i.test(number) ? null : wholeBeyondDouble(number)))
    : JSON.parse(text);
}

/** A number of JSON or GraphQL: a BigInt if it is an integer beyond 2^53 - 1, else a double. */
export function numberOf(text: string): number | bigint {
  const digits = wholeBeyondDouble(text);
  return digits === null ? Number(text) : BigInt(digits);
}

/**
 * The digits of an integer beyond 2^53 - 1; null for other numbers, and those beyond the range of doubles.
 */
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

/** Changes the value in place: a reviver of `JSON.parse` takes ten times as long. */
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

/** The position of the closing quote of a JSON string that begins at `start`, or the end of the text. */
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
