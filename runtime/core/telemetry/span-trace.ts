import type { Attributes, Context, Span, SpanOptions } from "@opentelemetry/api";
import {
  mostSteps,
  type RootTrace,
  type Step,
  type StepName,
  StepTimes,
  type Trace,
  type TraceFields,
} from "../concurrency/index.ts";
import { ServiceError } from "../errors/index.ts";
import { mask } from "../masking/index.ts";
import type { OpenTelemetry } from "./open-telemetry.ts";
import { statementSummary } from "./statement-summary.ts";

/** The key of the trace in contexts. */
const ofTrace = Symbol("kirak trace");

/** Makes spans of steps, and also keeps their times. */
export class SpanTrace extends StepTimes implements RootTrace {
  readonly #otel: OpenTelemetry;
  readonly #span: Span;
  readonly #root: Context;
  /** By step. Steps without a span are missing. */
  readonly #open = new Map<Step, Span>();

  constructor(otel: OpenTelemetry, span: Span, parent: Context) {
    super();
    this.#otel = otel;
    this.#span = span;
    this.#root = otel.api.trace.setSpan(parent, span).setValue(ofTrace, this);
  }

  /** Begins the span of a request or a job. Returns null if the SDK does not record it. */
  static begin(otel: OpenTelemetry, name: string, options: SpanOptions, parent: Context): SpanTrace | null {
    const span = otel.tracer.startSpan(name, options, parent);
    return span.isRecording() ? new SpanTrace(otel, span, parent) : null;
  }

  override begin(name: StepName, sql?: string): Step {
    const step = super.begin(name);
    if (step >= mostSteps || partOfRequest.has(name)) return step;
    const { CLIENT, INTERNAL } = this.#otel.api.SpanKind;
    const { summary, attributes } = sql === undefined ? { summary: name, attributes: {} } : statementOf(sql);
    const options = { kind: sql === undefined ? INTERNAL : CLIENT, attributes };
    this.#open.set(step, this.#otel.tracer.startSpan(summary, options, this.#current()));
    return step;
  }

  override end(step: Step, error?: unknown): void {
    super.end(step);
    const span = this.#open.get(step);
    this.#open.delete(step);
    if (error !== undefined && span !== undefined) this.#fail(span, error);
    span?.end();
  }

  override within<Result>(step: Step, work: () => Result): Result {
    const span = this.#open.get(step);
    // A statement runs no code of the app.
    return span === undefined || this.names[step] === "sql" ? work() : this.#runIn(span, work);
  }

  override async sending(job: string, work: (traceparent: string) => Promise<string>): Promise<string> {
    const options = { kind: this.#otel.api.SpanKind.PRODUCER, attributes: messaging(job, "send") };
    const span = this.#otel.tracer.startSpan(`send ${job}`, options, this.#current());
    try {
      const id = await this.#runIn(span, () => work(this.traceparent));
      span.setAttribute("messaging.message.id", id);
      return id;
    } catch (error) {
      this.#fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  }

  override get traceparent(): string {
    const running = this.#otel.api.trace.getSpanContext(this.#current()) ?? this.#span.spanContext();
    const flags = running.traceFlags.toString(16).padStart(2, "0");
    return `00-${running.traceId}-${running.spanId}-${flags}`;
  }

  override get logFields(): TraceFields {
    const { traceId: trace_id, spanId: span_id } = this.#span.spanContext();
    return { trace_id, span_id };
  }

  override afterwards(): Trace {
    return new SpanTrace(this.#otel, this.#span, this.#otel.api.ROOT_CONTEXT);
  }

  run<Result>(work: () => Result): Result {
    return this.#otel.api.context.with(this.#root, work);
  }

  finish({ name, failure, attributes = {} }: Parameters<RootTrace["finish"]>[0]): void {
    for (const step of [...this.#open.keys()]) this.end(step);
    if (name !== undefined) this.#span.updateName(name);
    if (failure !== undefined) {
      this.#fail(this.#span, failure);
      this.#span.recordException(exceptionOf(failure));
    }
    this.#span.setAttributes(attributes).end();
  }

  /** Another request can have left its context here, so only a context of this trace counts. */
  #current(): Context {
    const active = this.#otel.api.context.active();
    return active.getValue(ofTrace) === this ? active : this.#root;
  }

  #runIn<Result>(span: Span, work: () => Result): Result {
    const { context, trace } = this.#otel.api;
    return context.with(trace.setSpan(this.#current(), span), work);
  }

  #fail(span: Span, error: unknown): void {
    const type = errorType(error);
    span.setStatus({ code: this.#otel.api.SpanStatusCode.ERROR }).setAttribute("error.type", type);
    if (sqlState.test(type)) span.setAttribute("db.response.status_code", type);
  }
}

const partOfRequest: ReadonlySet<StepName> = new Set([
  ...(["auth", "limit", "validate", "parse", "plan", "serialize"] as const),
]);

const longestText = 8_192;
const sqlState = /^[0-9A-Z]{5}$/;

function statementOf(sql: string) {
  const { operation, table } = statementSummary(sql);
  const summary = table === undefined ? operation : `${operation} ${table}`;
  const attributes = {
    "db.system.name": "postgresql",
    "db.operation.name": operation,
    "db.query.summary": summary,
    "db.query.text": sql.slice(0, longestText),
    ...(table !== undefined && { "db.collection.name": table }),
  };
  return { summary, attributes };
}

/** The attributes of a job (semantic conventions of messaging). */
export function messaging(job: string, operation: "send" | "process"): Attributes {
  return {
    "messaging.system": "kirak",
    "messaging.destination.name": job,
    "messaging.operation.name": operation,
    "messaging.operation.type": operation,
  };
}

/** The code of an error, or its name. Never its message, which can have values. */
function errorType(error: unknown): string {
  const isInternal = error instanceof ServiceError && error.code === "INTERNAL_ERROR";
  const cause = isInternal ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return "_OTHER";
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.name;
}

function exceptionOf(error: unknown) {
  const { name, message, stack = "" } = error instanceof Error ? error : new Error("not an Error");
  const [shown, trace] = [message, stack].map((text) => mask(text).slice(0, longestText));
  return { name, message: shown ?? "", stack: trace ?? "" };
}
