/** Distributed traces: `traceparent` of W3C Trace Context, and spans of OpenTelemetry. */

export { flushSpans, type OpenTelemetry, openTelemetry } from "./open-telemetry.ts";
export { messaging, SpanTrace } from "./span-trace.ts";
export { readTraceparent, remoteSpan } from "./traceparent.ts";
