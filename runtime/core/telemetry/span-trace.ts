import type { Attributes, Context, Span, SpanOptions } from "@opentelemetry/api";
import { mostSteps, type Step, type StepName, StepTimes, type Trace } from "../concurrency/index.ts";
import { ServiceError } from "../errors/index.ts";
import type { OpenTelemetry } from "./open-telemetry.ts";

/** The key of the trace in contexts. */
const ofTrace = Symbol("kirak trace");

/** Makes spans of steps, and also keeps their times. */
export class SpanTrace extends StepTimes {
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

  /** Begins the span of a request or a job. Returns null if the SDK makes none. Spans that it does not record pass on the trace. */
  static begin(otel: OpenTelemetry, name: string, options: SpanOptions, parent: Context): Trace | null {
    const span = otel.tracer.startSpan(name, options, parent);
    return otel.api.isSpanContextValid(span.spanContext()) ? new SpanTrace(otel, span, parent) : null;
  }

  override begin(name: StepName, sql?: string): Step {
    const step = super.begin(name);
    if (step >= mostSteps || partOfRequest.has(name)) return step;
    const { spanName, ...options } = spanOf(this.#otel, name, sql);
    this.#open.set(step, this.#otel.tracer.startSpan(spanName, options, this.#current()));
    return step;
  }

  override end(step: Step, error?: unknown): void {
    super.end(step);
    const span = this.#open.get(step);
    this.#open.delete(step);
    if (span === undefined) return;
    const type = this.names[step] === "sql" ? errorType(error) : "";
    if (sqlState.test(type)) span.setAttribute("db.response.status_code", type);
    this.#end(span, error);
  }

  override within<Result>(work: () => Result, step?: Step): Result {
    const span = step === undefined ? this.#span : this.#open.get(step);
    const { context, trace } = this.#otel.api;
    return span === undefined ? work() : context.with(trace.setSpan(this.#current(), span), work);
  }

  override finish(error?: unknown, name?: string, attributes: Attributes = {}): void {
    if (name !== undefined) this.#span.updateName(name);
    this.#end(this.#span.setAttributes(attributes), error);
  }

  override get traceparent(): string {
    const running = this.#otel.api.trace.getSpanContext(this.#current()) ?? this.#span.spanContext();
    const flags = running.traceFlags.toString(16).padStart(2, "0");
    return `00-${running.traceId}-${running.spanId}-${flags}`;
  }

  override get logFields() {
    const { traceId: trace_id, spanId: span_id } = this.#span.spanContext();
    return { trace_id, span_id };
  }

  /** Another request can have left its context here, so only a context of this trace counts. */
  #current(): Context {
    const active = this.#otel.api.context.active();
    return active.getValue(ofTrace) === this ? active : this.#root;
  }

  #end(span: Span, error: unknown): void {
    if (error !== undefined) {
      const code = this.#otel.api.SpanStatusCode.ERROR;
      span.setStatus({ code }).setAttribute("error.type", errorType(error));
    }
    span.end();
  }
}

const partOfRequest = new Set<StepName>(["auth", "limit", "validate", "parse", "plan", "serialize"]);

/** Not `EPIPE`. */
const sqlState = /^(?=.*\d)[0-9A-Z]{5}$/;

const longestText = 8_192;
const tableName = /\b(?:from|into|update)\s+(?:only\s+)?((?:[\w.]|"[^"]+")+)/i;

function spanOf({ api }: OpenTelemetry, name: StepName, sql: string | undefined) {
  const { CLIENT, INTERNAL, PRODUCER } = api.SpanKind;
  if (name.startsWith("send "))
    return { spanName: name, kind: PRODUCER, attributes: messaging(name.slice("send ".length), "send") };
  if (sql === undefined) return { spanName: name, kind: INTERNAL };
  const [, verb = "SQL"] = /^[\s(]*([a-z]+)/i.exec(sql) ?? [];
  const [, table = ""] = tableName.exec(sql.replace(/'[^']*'/g, "")) ?? [];
  const summary = `${verb.toUpperCase()} ${table.replaceAll('"', "")}`.trimEnd();
  const query = { "db.query.summary": summary, "db.query.text": sql.slice(0, longestText) };
  return { spanName: summary, kind: CLIENT, attributes: { "db.system.name": "postgresql", ...query } };
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
