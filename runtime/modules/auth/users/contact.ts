import { invalid } from "../../../core/errors/index.ts";
import { canonicalEmail } from "../../mail/index.ts";
import { phoneNumberOf } from "../../sms/index.ts";

/** Returns the canonical form of an e-mail. Errors: 400 `VALIDATION_ERROR`. */
export function requireEmail(text: string, field = "email"): string {
  const email = canonicalEmail(text);
  if (email === null) throw invalid([{ field, message: "must be an e-mail address" }]);
  return email;
}

/** Returns a text of one line. Errors: 400 `VALIDATION_ERROR`. */
export function requireLine(text: string, field: string): string {
  if (/[\p{Cc}\u2028\u2029]/u.test(text))
    throw invalid([{ field, message: "must not have control characters or line breaks" }]);
  return text;
}

/** Returns a phone number in E.164. Errors: 400 `VALIDATION_ERROR`. */
export function requirePhoneNumber(text: string, field = "phone_number"): string {
  const number = phoneNumberOf(text);
  if (number === null)
    throw invalid([
      { field, message: "must be a phone number in international notation, such as +12025550123" },
    ]);
  return number;
}
