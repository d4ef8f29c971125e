import { performance } from "node:perf_hooks";

export type StepName =
  | "auth"
  | "limit"
  | "validate"
  | "sql"
  | "serialize"
  | "parse"
  | "plan"
  | "handler"
  | "password"
  | `provider:${string}`
  | `hook:${string}`;

/** The position of an open step. */
export type Step = number;

/** Records the steps of one request. */
export interface Trace {
  /** A step that is not ended, because of an error, lasts until the end of the request. */
  begin(name: StepName): Step;
  /** Continues the last step if it has this name and is open. Otherwise begins a step. */
  resume(name: StepName): Step;
  end(step: Step): void;
}

export const noTrace: Trace = { begin: () => 0, resume: () => 0, end() {} };

/** The step also ends if the work throws. */
export async function asStep<Result>(
  trace: Trace,
  name: StepName,
  work: () => Promise<Result>,
): Promise<Result> {
  const step = trace.begin(name);
  try {
    return await work();
  } finally {
    trace.end(step);
  }
}

/** A request that writes thousands of rows needs no step for each. */
const mostSteps = 1_000;

/**
 * The steps of one request, in order of their start. Flat arrays, because every request has them and few are
 * kept.
 */
export class StepTimes implements Trace {
  readonly names: StepName[] = [];
  /**
   * Start and end of each step in turn, in milliseconds of `performance.now()`; the end is 0 while it is
   * open.
   */
  readonly times: number[] = [];

  begin(name: StepName): Step {
    const step = this.names.length;
    if (step >= mostSteps) return mostSteps;
    this.names.push(name);
    this.times.push(performance.now(), 0);
    return step;
  }

  resume(name: StepName): Step {
    const last = this.names.length - 1;
    return this.names[last] === name && this.times[2 * last + 1] === 0 ? last : this.begin(name);
  }

  end(step: Step): void {
    if (step < mostSteps) this.times[2 * step + 1] = performance.now();
  }
}
