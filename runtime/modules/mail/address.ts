import { domainToASCII } from "node:url";
import isEmail from "validator/lib/isEmail.js";

/** The longest address that SMTP carries (RFC 5321), and the longest part before the @, in bytes. */
const longestAddress = 254;
const longestLocalPart = 64;

/** The characters that RFC 5322 allows without quotes; letters, marks, digits and symbols of any script. */
const localPart = /^(?:[!#$%&'*+\-/=?^_`{|}~.A-Za-z0-9]|[^\0-\x7f\p{C}\p{Z}\p{P}])+$/u;
const label = /^(?!-)[-A-Za-z0-9\p{L}\p{M}\p{N}]{1,63}(?<!-)$/u;

/**
 * Whether a text is exactly one plain mailbox, and so safe as a recipient: no display name, list, quotes, comment, route
 * or line break. International addresses are allowed.
 */
export function oneAddress(text: string): boolean {
  // Full-width forms of @ and the comma turn into the plain ones on their way through other software.
  return isMailbox(text) && isMailbox(text.normalize("NFKC"));
}

function isMailbox(text: string): boolean {
  const [local = "", domain = "", ...rest] = text.split("@");
  return (
    rest.length === 0 &&
    Buffer.byteLength(text) <= longestAddress &&
    Buffer.byteLength(local) <= longestLocalPart &&
    localPart.test(local) &&
    local.split(".").every((part) => part !== "") &&
    domain.split(".").every((part) => label.test(part))
  );
}

/**
 * Returns the canonical form of an e-mail address, for storage, lookups, limits and mails. It is trimmed, in
 * NFC, with ASCII letters in lower case, and with the domain in IDNA. Returns null if the text is not a
 * single plain address: quotes and lists allow header injection. See `docs/sign-in.md#registration`.
 */
export function canonicalEmail(text: string): string | null {
  const sent = text
    .trim()
    .normalize("NFC")
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (!oneAddress(sent)) return null;
  const at = sent.indexOf("@") + 1;
  const email = sent.slice(0, at) + domainToASCII(sent.slice(at));
  // Registration refuses an address that cannot receive mails.
  return isEmail.default(email) && oneAddress(email) ? email : null;
}
