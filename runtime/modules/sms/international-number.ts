import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
let parser: typeof import("libphonenumber-js") | null | undefined;

/** Loaded lazily (80 files). Null if it is not installed. */
function loadParser(): typeof import("libphonenumber-js") | null {
  if (parser !== undefined) return parser;
  try {
    parser = require("libphonenumber-js");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND")) throw error;
    parser = null;
  }
  return parser ?? null;
}

/** Usual separators only; the parser would also accept extensions and URIs. */
const international = /^\+[\d ().-]{1,30}$/;

/** Parses a number to E.164; null if invalid. Checks its length only: number plans change often. */
export function phoneNumberOf(text: string): string | null {
  const trimmed = text.trim();
  if (!international.test(trimmed)) return null;
  const parser = loadParser();
  if (parser === null) return ungrouped(trimmed);
  const number = parser.parsePhoneNumberFromString(trimmed, { extract: false });
  return number?.isPossible() ? number.number : null;
}

/** Checks the E.164 shape only, because no message is sent to this number. */
function ungrouped(text: string): string | null {
  const digits = text.replaceAll(/[^\d+]/g, "");
  return /^\+[1-9]\d{6,14}$/.test(digits) ? digits : null;
}
