import { longestPattern } from "../../../vocabulary/conditions/conditions.ts";
import type { Problem } from "../../core/errors/index.ts";
import { kinds } from "./kinds.ts";

/** A text to look for in others; null for any other value, and then `problems` says why. */
export function soughtText(value: unknown, field: string, problems: Problem[]): string | null {
  const text = kinds.text.parse(value);
  const isText = typeof text === "string" && text !== "";
  if (isText && !isTooLong(text)) return text;
  const message = isText
    ? `must have at most ${longestPattern} characters`
    : "must be a text that is not empty";
  problems.push({ field, message });
  return null;
}

/** A character has one or two units, so of a megabyte none is counted. */
function isTooLong(text: string): boolean {
  if (text.length <= longestPattern) return false;
  return text.length > 2 * longestPattern || [...text].length > longestPattern;
}
