import { randomInt } from "node:crypto";

/** Crockford's alphabet: no letter that looks like a digit on paper. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** An order's number for people, such as `BK-7Q2M40XHZC`: fifty random bits, so it can be neither guessed nor counted. */
export function orderReference(): string {
  return `BK-${Array.from({ length: 10 }, () => alphabet[randomInt(alphabet.length)]).join("")}`;
}
