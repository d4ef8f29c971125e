import type { StopProblem } from "../diagnostics/stop.ts";

/** A failure that ends the process without a result. */
export interface Failure extends Omit<StopProblem, "kind"> {
  readonly kind: "flags" | "bug";
}

/** The failure as JSON, for `--json`, in the form of a result. */
export function failureText(exitCode: number, failure: Failure): string {
  const result = { exitCode, diagnostics: [], problems: [failure], report: null };
  return `${JSON.stringify(result, null, 2)}\n`;
}

/** The same of flags that are not understood. */
export function flagsFailure(message: string, fix: string): string {
  return failureText(2, { kind: "flags", message, details: "", fix });
}
