import { ServiceError } from "../errors/index.ts";

const maximumDepth = 64;

const refuse = (message: string) => new ServiceError("VALIDATION_ERROR", message);

/**
 * Parses JSON from a stranger. Refuses, as 400, malformed text, nesting beyond 64 levels, NUL characters and
 * unpaired surrogates: PostgreSQL stores neither, and would fail or silently change them.
 */
export function parseJson(text: string): unknown {
  const escapes = scan(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse("The body is not valid JSON.");
  }
  if (escapes) refuseUnstorable(value);
  return value;
}

/** Checks the depth and tells whether there is a `\u` escape, without which no character can be unstorable. */
function scan(text: string): boolean {
  let depth = 0;
  let escapes = false;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: {
        const end = endOfString(text, at);
        if (!escapes && text.slice(at, end).includes("\\u")) escapes = true;
        at = end;
        break;
      }
      case 0x5b:
      case 0x7b:
        if (++depth > maximumDepth) throw refuse(`The body is nested deeper than ${maximumDepth} levels.`);
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        break;
    }
  }
  return escapes;
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes++;
  return backslashes % 2 === 1;
}

function refuseUnstorable(value: unknown): void {
  if (typeof value === "string") {
    if (value.includes("\0")) throw refuse("A text contains a NUL character.");
    if (!value.isWellFormed()) throw refuse("A text contains half of a surrogate pair.");
  } else if (Array.isArray(value)) {
    for (const item of value) refuseUnstorable(item);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      refuseUnstorable(key);
      refuseUnstorable(item);
    }
  }
}
