import type { Diagnostic, Sources } from "./diagnostic.ts";
import { fileSystemProblem } from "./file-system-problem.ts";
import type { Problem } from "./problem.ts";

/** What a run that ends early has to say. */
export interface StopReasons {
  readonly problems?: readonly Problem[];
  readonly diagnostics?: readonly Diagnostic[];
  /** Texts that the diagnostics point into. */
  readonly sources?: Sources;
}

/** Ends a run at a stage that cannot go on: 1 for a person to decide, 2 for invalid input. */
export class Stop extends Error {
  override readonly name = "Stop";
  readonly exitCode: 1 | 2;
  readonly reasons: StopReasons;

  constructor(exitCode: 1 | 2, reasons: StopReasons) {
    super(reasons.problems?.map(({ message }) => message).join("\n") ?? "");
    this.exitCode = exitCode;
    this.reasons = reasons;
  }
}

/** The end that an error is: that of a stage, or of a file that cannot be read or written. Other errors are bugs: null. */
export function stopOf(error: unknown): Stop | null {
  if (error instanceof Stop) return error;
  const problem = fileSystemProblem(error);
  return problem === null ? null : new Stop(2, { problems: [problem] });
}
