import type { Span } from "../diagnostics/index.ts";
import type { Place } from "./condition-problem.ts";

/** The span in the file of a stretch of a JSON string's value, escapes considered. */
export function placeInString(source: string, literal: Span, { offset, length }: Place): Span {
  const raw = source.slice(literal.offset, literal.offset + literal.length);
  const starts: number[] = [];
  // Each unit of the value is one character of the text, or an escape such as \n or \u00e9.
  for (const match of raw.slice(1, -1).matchAll(/\\u[0-9a-fA-F]{4}|\\.|[^\\]/gs))
    starts.push(match.index + 1);
  starts.push(raw.length - 1);
  const at = (index: number) => starts[index] ?? raw.length - 1;
  return {
    file: literal.file,
    offset: literal.offset + at(offset),
    length: Math.max(1, at(offset + length) - at(offset)),
  };
}
