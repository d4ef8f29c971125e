import type { DiagnosticCode, SourceSpan } from "../../diagnostics/index.ts";

/** A range in the text of a condition, in UTF-16 units. */
export interface TextRange {
  readonly offset: number;
  readonly length: number;
}

/** A problem in a condition, with its position. */
export interface ConditionProblem {
  readonly code: Extract<DiagnosticCode, `condition-${string}`>;
  readonly at: TextRange;
  readonly message: string;
  readonly hint: string | null;
}

/** Ends parsing at the first syntax error. Never leaves this folder. */
export class ConditionSyntaxError extends Error {
  readonly problem: ConditionProblem;

  constructor(
    at: TextRange,
    message: string,
    hint: string | null = null,
    code: ConditionProblem["code"] = "condition-syntax",
  ) {
    super(message);
    this.problem = { code, at, message, hint };
  }
}

/** Maps a range in the value of a JSON string to its span in the file, with regard to escapes. */
export function rangeInString(
  source: string,
  literal: SourceSpan,
  { offset, length }: TextRange,
): SourceSpan {
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
