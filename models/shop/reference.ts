import { randomInt } from "node:crypto";

/** Crockford's alphabet: no letter that looks like a digit on paper. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Order number for customers, such as `BK-7Q2M40XHZC`: 50 random bits, so no one can guess it. */
export function orderReference(): string {
  return `BK-${Array.from({ length: 10 }, () => alphabet[randomInt(alphabet.length)]).join("")}`;
}
