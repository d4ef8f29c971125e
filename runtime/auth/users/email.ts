import { invalid } from "../../errors/index.ts";
import { canonicalEmail } from "../../mail/index.ts";

/** The canonical form of a request's e-mail, or 400 `VALIDATION_ERROR`. */
export function requireEmail(text: string, field = "email"): string {
  const email = canonicalEmail(text);
  if (email === null) throw invalid([{ field, message: "must be an e-mail address" }]);
  return email;
}
