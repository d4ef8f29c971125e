/** Distributed traces: `traceparent` of W3C Trace Context, and spans of OpenTelemetry. */

export { jobTraces } from "./job-trace.ts";
export { flushSpans, openTelemetry } from "./open-telemetry.ts";
export { SpanTrace } from "./span-trace.ts";
export { readTraceparent } from "./traceparent.ts";
