import type { Diagnostic, Sources } from "../diagnostics/index.ts";
import type { Problem } from "../review/problem.ts";

/** What a run that ends early has to say. */
export interface StopReasons {
  readonly problems?: readonly Problem[];
  readonly diagnostics?: readonly Diagnostic[];
  /** Texts that the diagnostics point into. */
  readonly sources?: Sources;
}

/** Ends a run at a stage that cannot go on: 1 for a person to decide, 2 for invalid input. `generate` makes it a result. */
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
