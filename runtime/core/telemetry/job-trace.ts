import type { Logger } from "pino";
import { type Trace, traceOf } from "../concurrency/index.ts";
import { openTelemetry } from "./open-telemetry.ts";
import { messaging, SpanTrace } from "./span-trace.ts";

interface TracedRun {
  readonly id: string;
  readonly name: string;
  readonly attempt: number;
  readonly traceparent: string | null;
}

/** Makes the trace of each run of a job, which continues the trace of the code that enqueued the job. */
export function jobTraces(log: Logger): (run: TracedRun) => Trace {
  const otel = openTelemetry(log);
  if (otel === null) return ({ traceparent }) => traceOf(traceparent);
  const { ROOT_CONTEXT, SpanKind, trace } = otel.api;
  return ({ id, name, attempt, traceparent }) => {
    // Without a trace, the ids are invalid, and the SDK begins a trace.
    const [, traceId = "", spanId = "", flags = ""] = traceparent?.split("-") ?? [];
    const sender = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
    const parent = trace.setSpanContext(ROOT_CONTEXT, sender);
    const more = { "messaging.message.id": id, "kirak.job.attempt": attempt };
    const options = { kind: SpanKind.CONSUMER, attributes: { ...messaging(name, "process"), ...more } };
    return SpanTrace.begin(otel, `process ${name}`, options, parent) ?? traceOf(traceparent);
  };
}
