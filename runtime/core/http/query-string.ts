import type { Problem } from "../errors/index.ts";
import { decodePart } from "./url.ts";

/** Parameters, by the patterns of their names, to which a rule of `readQueryString` does not apply. */
export interface Exceptions {
  readonly mayRepeat?: RegExp;
  readonly mayBeEmpty?: RegExp;
}

const none: ReadonlyMap<string, string> = new Map();
const noExceptions: Exceptions = {};

/**
 * Reads a query string. A name that stands twice or has no value is a problem. Errors: 400 for what cannot be decoded and
 * for a NUL character.
 */
export function readQueryString(
  text: string,
  problems: Problem[],
  { mayRepeat, mayBeEmpty }: Exceptions = noExceptions,
): ReadonlyMap<string, string> {
  if (text === "") return none;
  const parameters = new Map<string, string>();
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? "" : decode(pair.slice(equals + 1));
    if (parameters.has(name) && mayRepeat?.test(name) !== true)
      problems.push({ field: name, message: "stands more than once" });
    if (value === "" && mayBeEmpty?.test(name) !== true) problems.push({ field: name, message: "is empty" });
    parameters.set(name, value);
  }
  return parameters;
}

function decode(text: string): string {
  if (!text.includes("%") && !text.includes("+")) return text;
  return decodePart(text.replaceAll("+", " "));
}
