import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
/** Loaded with the first phone number: 80 files, of which a service that takes none has no need. */
const loadParser = (): typeof import("libphonenumber-js") => require("libphonenumber-js");

/** What people put between digits; nothing else, such as the extensions and URIs that the parser would read too. */
const international = /^\+[\d ().-]{1,30}$/;

/**
 * A phone number in international notation as E.164, the only form that is stored or compared; null for anything else. Its
 * length must be possible there. Which numbers are in use changes faster than any table, and tests use others on purpose.
 */
export function phoneNumberOf(text: string): string | null {
  const trimmed = text.trim();
  if (!international.test(trimmed)) return null;
  const number = loadParser().parsePhoneNumberFromString(trimmed, { extract: false });
  return number?.isPossible() ? number.number : null;
}
