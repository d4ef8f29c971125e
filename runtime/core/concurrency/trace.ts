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
  | `hook:${string}`
  | `send ${string}`;

/** The position of an open step. */
export type Step = number;

/** The trace of a request or a job. This one records no steps, and passes the caller's distributed trace on. */
export class Trace {
  /** The header that continues the trace elsewhere (W3C Trace Context); null outside a distributed trace. */
  readonly #traceparent: string | null;

  constructor(traceparent: string | null = null) {
    this.#traceparent = traceparent;
  }

  /**
   * A step that is not ended, because of an error, lasts until the end of the request. `sql` is the text of a
   * statement.
   */
  begin(_name: StepName, _sql?: string): Step {
    return 0;
  }

  /** Continues the last step if it has this name and is open. Otherwise begins a step. */
  resume(_name: StepName): Step {
    return 0;
  }

  /** `error`: why the step failed. */
  end(_step: Step, _error?: unknown): void {}

  /** Runs the work of a step, or of the whole trace. Spans that other libraries begin in it are below its span. */
  within<Result>(work: () => Result, _step?: Step): Result {
    return work();
  }

  /** Ends the span of the request or job, if it has one. `error`: why it failed; `name`: default the first one. */
  finish(_error?: unknown, _name?: string, _attributes?: Record<string, string | number | undefined>) {}

  /** The header `traceparent` for calls of other services, of the running span; null outside a distributed trace. */
  get traceparent(): string | null {
    return this.#traceparent;
  }

  /** The keys of the trace in log lines. `span_id` is that of the request or job. */
  get logFields(): { readonly trace_id?: string; readonly span_id?: string } {
    return this.#traceparent === null ? {} : { trace_id: this.#traceparent.slice(3, 35) };
  }
}

export const noTrace = new Trace();

/** A trace that records no steps. */
export function traceOf(traceparent: string | null): Trace {
  return traceparent === null ? noTrace : new Trace(traceparent);
}

/** The step also ends if the work throws. */
export async function asStep<Result>(
  trace: Trace,
  name: StepName,
  work: () => Promise<Result>,
  sql?: string,
): Promise<Result> {
  const step = trace.begin(name, sql);
  try {
    const result = await trace.within(work, step);
    trace.end(step);
    return result;
  } catch (error) {
    trace.end(step, error);
    throw error;
  }
}

/** A request that writes thousands of rows needs no step for each. */
export const mostSteps = 1_000;

/**
 * The steps of one request, in order of their start. Flat arrays, because every request has them and few are
 * kept.
 */
export class StepTimes extends Trace {
  readonly names: StepName[] = [];
  /**
   * Start and end of each step in turn, in milliseconds of `performance.now()`; the end is 0 while it is
   * open.
   */
  readonly times: number[] = [];

  override begin(name: StepName): Step {
    const step = this.names.length;
    if (step >= mostSteps) return mostSteps;
    this.names.push(name);
    this.times.push(performance.now(), 0);
    return step;
  }

  override resume(name: StepName): Step {
    const last = this.names.length - 1;
    return this.names[last] === name && this.times[2 * last + 1] === 0 ? last : this.begin(name);
  }

  override end(step: Step): void {
    if (step < mostSteps) this.times[2 * step + 1] = performance.now();
  }
}
