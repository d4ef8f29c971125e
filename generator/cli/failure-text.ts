import type { StopProblem } from "../diagnostics/stop.ts";

/** What ends the process without a run's result. */
export interface Failure extends Omit<StopProblem, "kind"> {
  readonly kind: "flags" | "bug";
}

/** What is printed of it where `--json` is given: the shape that results have. */
export function failureText(exitCode: number, failure: Failure): string {
  const result = { exitCode, diagnostics: [], problems: [failure], report: null };
  return `${JSON.stringify(result, null, 2)}\n`;
}

/** The same of flags that are not understood. */
export function flagsFailure(message: string, fix: string): string {
  return failureText(2, { kind: "flags", message, details: "", fix });
}
