import type { Random } from "./random.ts";
import { countries } from "./words.ts";

/** Addresses to sign in with: a customer with many orders, and those who work here. */
export const knownEmails = {
  reader: "reader@example.com",
  staff: "staff@example.com",
  admin: "admin@example.com",
} as const;

export interface Person {
  readonly name: string;
  readonly country: string;
  /** `zoe.de.boer`, for addresses. */
  readonly handle: string;
}

export function person(random: Random): Person {
  const [country, names] = random.pick(Object.entries(countries));
  const name = `${random.pick(names.first)} ${random.pick(names.last)}`;
  const handle = name
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase()
    .replaceAll(" ", ".");
  return { name, country, handle };
}
