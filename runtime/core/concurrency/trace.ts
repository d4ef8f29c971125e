import { performance } from "node:perf_hooks";

/** What part of a request's work a step is (decisions, part 11). */
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

/** A step that has begun, for whoever ends it. */
export type Step = number;

/** Times the steps of one request's work. */
export interface Trace {
  /** Begins a step. One that is never ended, since something was thrown, lasts until the request is over. */
  begin(name: StepName): Step;
  /** Goes on with the step that was the last to begin, where it has this name and is still under way, else begins one. */
  resume(name: StepName): Step;
  end(step: Step): void;
}

/** Where nobody wants to know. */
export const noTrace: Trace = { begin: () => 0, resume: () => 0, end() {} };

/** Runs work as a step, which ends also where the work throws. */
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

/** Whoever writes thousands of rows in one request has seen enough of them. */
const mostSteps = 1_000;

/** The steps of one request, in the order in which they began. Flat, since every request has one and few are kept. */
export class StepTimes implements Trace {
  readonly names: StepName[] = [];
  /** Milliseconds, of `performance.now()`: where a step began, and where it ended or 0, each beside the other. */
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
