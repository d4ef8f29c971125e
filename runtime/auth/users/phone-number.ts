import { invalid } from "../../errors/index.ts";
import { phoneNumberOf } from "../../sms/index.ts";

/** The E.164 form of a request's phone number, or 400 `VALIDATION_ERROR`. */
export function requirePhoneNumber(text: string, field = "phone_number"): string {
  const number = phoneNumberOf(text);
  if (number === null)
    throw invalid([
      { field, message: "must be a phone number in international notation, such as +12025550123" },
    ]);
  return number;
}
