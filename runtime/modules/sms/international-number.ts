import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
let parser: typeof import("libphonenumber-js") | null | undefined;

/** Loaded with the first phone number: 80 files. Null if it is not installed: a service without `sms.provider` needs no parser. */
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

/** What people put between digits; nothing else, such as the extensions and URIs that the parser would read too. */
const international = /^\+[\d ().-]{1,30}$/;

/**
 * A phone number in international notation as E.164, the only form that is stored or compared; null for anything else. Its
 * length must be possible there. Which numbers are in use changes faster than any table, and tests use others on purpose.
 */
export function phoneNumberOf(text: string): string | null {
  const trimmed = text.trim();
  if (!international.test(trimmed)) return null;
  const parser = loadParser();
  if (parser === null) return ungrouped(trimmed);
  const number = parser.parsePhoneNumberFromString(trimmed, { extract: false });
  return number?.isPossible() ? number.number : null;
}

/** E.164 by its shape only: nothing is sent to it, and no code that came to it is known. */
function ungrouped(text: string): string | null {
  const digits = text.replaceAll(/[^\d+]/g, "");
  return /^\+[1-9]\d{6,14}$/.test(digits) ? digits : null;
}
