import type { DiagnosticCode } from "../diagnostics/index.ts";

/** A stretch of a condition's text, in UTF-16 units. */
export interface Place {
  readonly offset: number;
  readonly length: number;
}

/** What is wrong with a condition, and where. */
export interface ConditionProblem {
  readonly code: Extract<DiagnosticCode, `condition-${string}`>;
  readonly at: Place;
  readonly message: string;
  readonly hint: string | null;
}

/** Ends the reading of a condition at its first syntax error. Never leaves this folder. */
export class ConditionSyntaxError extends Error {
  readonly problem: ConditionProblem;

  constructor(
    at: Place,
    message: string,
    hint: string | null = null,
    code: ConditionProblem["code"] = "condition-syntax",
  ) {
    super(message);
    this.problem = { code, at, message, hint };
  }
}
