import type { Attributes, Context, Span, SpanOptions } from "@opentelemetry/api";
import {
  mostSteps,
  type Step,
  type StepName,
  StepTimes,
  type Trace,
  type TraceFields,
  type TraceHeaders,
} from "../concurrency/index.ts";
import { ServiceError } from "../errors/index.ts";
import { mask } from "../masking/index.ts";
import type { OpenTelemetry } from "./open-telemetry.ts";
import { statementSummary } from "./statement-summary.ts";

/** The span of a request or a job, with how it begins. */
export interface RootSpan {
  readonly name: string;
  readonly kind: "SERVER" | "INTERNAL" | "CONSUMER";
  readonly attributes: Attributes;
  readonly parent: Context;
}

/** Makes spans of steps, and also keeps their times. */
export class SpanTrace extends StepTimes {
  readonly #otel: OpenTelemetry;
  readonly #span: Span;
  readonly #root: Context;
  /** By step; steps without a span are missing. */
  readonly #open = new Map<Step, Span>();
  #count = 0;

  private constructor(otel: OpenTelemetry, span: Span, parent: Context) {
    super();
    this.#otel = otel;
    this.#span = span;
    this.#root = otel.api.trace.setSpan(parent, span).setValue(ofTrace, this);
  }

  /** Begins the span of a request or a job. Returns null if no one records it. */
  static begin(otel: OpenTelemetry, { name, kind, attributes, parent }: RootSpan): SpanTrace | null {
    const span = otel.tracer.startSpan(name, { kind: otel.api.SpanKind[kind], attributes }, parent);
    if (span.isRecording()) return new SpanTrace(otel, span, parent);
    span.end();
    return null;
  }

  override begin(name: StepName, sql?: string): Step {
    const step = super.begin(name);
    const options = this.#optionsOf(name, sql);
    if (options === null || this.#count++ >= mostSteps) return step;
    this.#open.set(step, this.#otel.tracer.startSpan(options.name, options, this.#current()));
    return step;
  }

  override end(step: Step, error?: unknown): void {
    super.end(step);
    const span = this.#open.get(step);
    if (span === undefined) return;
    this.#open.delete(step);
    if (error !== undefined) this.#fail(span, error);
    span.end();
  }

  override within<Result>(step: Step, work: () => Result): Result {
    const span = this.#open.get(step);
    // The pool's code outlives a statement.
    if (span === undefined || this.names[step] === "sql") return work();
    return this.#runIn(span, work);
  }

  override async sending(
    job: string,
    work: (headers: TraceHeaders | null) => Promise<string>,
  ): Promise<string> {
    if (this.#count++ >= mostSteps) return work(this.headers());
    const options = { kind: this.#otel.api.SpanKind.PRODUCER, attributes: messaging(job, "send") };
    const span = this.#otel.tracer.startSpan(`send ${job}`, options, this.#current());
    try {
      const id = await this.#runIn(span, () => work(this.headers()));
      span.setAttribute("messaging.message.id", id);
      return id;
    } catch (error) {
      this.#fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  }

  override headers(): TraceHeaders | null {
    const { traceId, spanId, traceFlags, traceState } =
      this.#otel.api.trace.getSpanContext(this.#current()) ?? this.#span.spanContext();
    const traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
    const tracestate = traceState?.serialize() ?? "";
    return tracestate === "" || tracestate.length > longestState
      ? { traceparent }
      : { traceparent, tracestate };
  }

  override get logFields(): TraceFields {
    const { traceId: trace_id, spanId: span_id } = this.#span.spanContext();
    return { trace_id, span_id };
  }

  override afterwards(): Trace {
    return new SpanTrace(this.#otel, this.#span, this.#otel.api.ROOT_CONTEXT);
  }

  /** Runs work below the span of the request or job. */
  run<Result>(work: () => Result): Result {
    return this.#otel.api.context.with(this.#root, work);
  }

  /** Ends the span of the request or job. `failure` is recorded masked. */
  finish(attributes: Attributes, { name, failure }: { name?: string; failure?: unknown } = {}): void {
    for (const step of [...this.#open.keys()]) this.end(step);
    if (name !== undefined) this.#span.updateName(name);
    if (failure !== undefined) {
      this.#fail(this.#span, failure);
      this.#span.recordException(exceptionOf(failure));
    }
    this.#span.setAttributes(attributes).end();
  }

  /** Another request can have left its context here, so only one that is below this span counts. */
  #current(): Context {
    const active = this.#otel.api.context.active();
    return active.getValue(ofTrace) === this ? active : this.#root;
  }

  #runIn<Result>(span: Span, work: () => Result): Result {
    const { context, trace } = this.#otel.api;
    return context.with(trace.setSpan(this.#current(), span), work);
  }

  #fail(span: Span, error: unknown): void {
    span.setStatus({ code: this.#otel.api.SpanStatusCode.ERROR });
    const type = errorType(error);
    span.setAttribute("error.type", type);
    if (sqlState.test(type)) span.setAttribute("db.response.status_code", type);
  }

  #optionsOf(name: StepName, sql: string | undefined): (SpanOptions & { readonly name: string }) | null {
    const { SpanKind } = this.#otel.api;
    if (sql === undefined) return without.has(name) ? null : { name, kind: SpanKind.INTERNAL };
    const { operation, table } = statementSummary(sql);
    const summary = table === null ? operation : `${operation} ${table}`;
    const attributes = {
      "db.system.name": "postgresql",
      "db.operation.name": operation,
      "db.query.summary": summary,
      "db.query.text": sql.slice(0, longestQuery),
      ...(table !== null && { "db.collection.name": table }),
    };
    return { name: summary, kind: SpanKind.CLIENT, attributes };
  }
}

/** Steps that are part of the request's own span. */
const without: ReadonlySet<StepName> = new Set(["auth", "limit", "validate", "parse", "plan", "serialize"]);

/** The key of the trace in contexts. */
const ofTrace = Symbol("kirak trace");

const longestState = 512;
const longestQuery = 8_192;
const longestMessage = 2_048;
const longestStack = 8_192;

/** The attributes of a job (semantic conventions of messaging). */
export function messaging(job: string, operation: "send" | "process"): Attributes {
  return {
    "messaging.system": "kirak",
    "messaging.destination.name": job,
    "messaging.operation.name": operation,
    "messaging.operation.type": operation,
  };
}

const sqlState = /^[0-9A-Z]{5}$/;

/** The code of an error, or its name. Never its message, which can have values. */
function errorType(error: unknown): string {
  const isInternal = error instanceof ServiceError && error.code === "INTERNAL_ERROR";
  if (error instanceof ServiceError && !isInternal) return error.code;
  const cause = isInternal ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return "_OTHER";
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.name;
}

function exceptionOf(error: unknown) {
  const { name, message, stack } =
    error instanceof Error ? error : new Error("the thrown value is not an Error");
  return {
    name,
    message: mask(message).slice(0, longestMessage),
    stack: mask(stack ?? "").slice(0, longestStack),
  };
}
