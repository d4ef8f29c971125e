import { doubleOf } from "../../../vocabulary/fields/exact-numbers.ts";
import { invalid, ServiceError } from "../errors/index.ts";
import { endOfString, parseExactly } from "../json/index.ts";

const maximumDepth = 64;

const refuse = (message: string) => new ServiceError("VALIDATION_ERROR", message);

/** What the text of a body has, which decides how it is parsed. */
interface Scan {
  /** A `\u` escape, without which no character can be unstorable. */
  readonly escapes: boolean;
  /** A number of 16 characters in front of its exponent, without which no digit of a number is lost. */
  readonly longNumbers: boolean;
}

/**
 * Parses JSON from a stranger. Refuses, as 400, malformed text, nesting beyond 64 levels, NUL characters and
 * unpaired surrogates: PostgreSQL stores neither, and would fail or silently change them. Whole numbers beyond 2^53 - 1
 * are BigInts.
 */
export function parseJson(text: string): unknown {
  return parsed(text, parseExactly);
}

/** The same for code that takes doubles. Errors: 400 with `details.field` also for a whole number that would be rounded. */
export function parseDoubles(text: string): unknown {
  return parsed(text, (valid) => {
    const place = placeOfRounded(parseExactly(valid));
    if (place === null) return JSON.parse(valid);
    throw invalid([{ field: place, message: "is a whole number that would be rounded: send it as a text" }]);
  });
}

function parsed(text: string, parseLong: (valid: string) => unknown): unknown {
  const { escapes, longNumbers } = scan(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse("The body is not valid JSON.");
  }
  if (escapes) refuseUnstorable(value);
  return longNumbers ? parseLong(text) : value;
}

/** The place of a whole number that no double holds, such as `lines.2.id`; null where there is none. */
function placeOfRounded(value: unknown): string | null {
  if (typeof value === "bigint") return doubleOf(value) === null ? "" : null;
  if (typeof value !== "object" || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    const place = placeOfRounded(item);
    if (place !== null) return place === "" ? key : `${key}.${place}`;
  }
  return null;
}

/** Checks the depth, and looks at what stands in the text. */
function scan(text: string): Scan {
  let depth = 0;
  let escapes = false;
  let longNumbers = false;
  let digits = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    switch (code) {
      case 0x22: {
        const end = endOfString(text, at);
        if (!escapes && text.slice(at, end).includes("\\u")) escapes = true;
        at = end;
        break;
      }
      case 0x5b:
      case 0x7b:
        if (++depth > maximumDepth) throw refuse(`The body is nested deeper than ${maximumDepth} levels.`);
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        break;
      default:
        digits = isPartOfNumber(code) ? digits + 1 : 0;
        if (digits > 15) longNumbers = true;
    }
  }
  return { escapes, longNumbers };
}

/** A digit, `-`, `.` or `/`, which JSON has in texts only. */
function isPartOfNumber(code: number): boolean {
  return code >= 0x2d && code <= 0x39;
}

function refuseUnstorable(value: unknown): void {
  if (typeof value === "string") {
    if (value.includes("\0")) throw refuse("A text contains a NUL character.");
    if (!value.isWellFormed()) throw refuse("A text contains half of a surrogate pair.");
  } else if (Array.isArray(value)) {
    for (const item of value) refuseUnstorable(item);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      refuseUnstorable(key);
      refuseUnstorable(item);
    }
  }
}
