import isEmail from "validator/lib/isEmail.js";
import { invalid } from "../../errors/index.ts";
import { oneAddress } from "../../mail/index.ts";

/**
 * The one form of an e-mail address that is stored, looked up and limited by: trimmed, NFC, ASCII letters in lower case
 * (decisions, part 7). Null for what is no single plain address: quotes and lists are tricks on headers.
 */
export function canonicalEmail(text: string): string | null {
  const email = text
    .trim()
    .normalize("NFC")
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  // What mails could not go to is no address to register with.
  return isEmail.default(email) && oneAddress(email) ? email : null;
}

/** The canonical form of a request's e-mail, or 400 `VALIDATION_ERROR`. */
export function requireEmail(text: string, field = "email"): string {
  const email = canonicalEmail(text);
  if (email === null) throw invalid([{ field, message: "must be an e-mail address" }]);
  return email;
}
