import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SamplingDecision,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterFile } from "./after-file.ts";

/** The spans that ended so far. */
export interface RecordedSpans {
  /** False: the sampler drops the spans that begin from now on. */
  isSampled: boolean;
  all(): ReadableSpan[];
  /** The one span with this name. Throws without one. */
  one(name: string): ReadableSpan;
  /** `SERVER GET /x`, with its children indented, in the order of their start. `UNSET` is left out. */
  tree(): string;
  reset(): void;
}

/** Registers the SDK of OpenTelemetry, as an app does before its service starts, until the test file is over. */
export function recordSpans(): RecordedSpans {
  const exporter = new InMemorySpanExporter();
  const spanProcessors = [new SimpleSpanProcessor(exporter)];
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({
      spanProcessors,
      sampler: {
        shouldSample: () => ({
          decision: spans.isSampled ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
        }),
      },
    }),
  );
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  afterFile(() => {
    for (const api of [trace, context, propagation]) api.disable();
  });
  const all = () => exporter.getFinishedSpans();
  const spans: RecordedSpans = {
    isSampled: true,
    all,
    one(name) {
      const [found, other] = all().filter((span) => span.name === name);
      if (found === undefined || other !== undefined) throw new Error(`not one span ${name}`);
      return found;
    },
    tree: () => treeOf(all()),
    reset: () => exporter.reset(),
  };
  return spans;
}

function treeOf(spans: readonly ReadableSpan[]): string {
  const ids = new Set(spans.map((span) => span.spanContext().spanId));
  const below = (parent: string | undefined, indent: string): string[] =>
    spans
      .filter(({ parentSpanContext: above }) =>
        parent === undefined ? !ids.has(above?.spanId ?? "") : above?.spanId === parent,
      )
      .sort((one, other) => startOf(one) - startOf(other))
      .flatMap((span) => [indent + lineOf(span), ...below(span.spanContext().spanId, `${indent}  `)]);
  return below(undefined, "").join("\n");
}

function startOf({ startTime: [seconds, nanoseconds] }: ReadableSpan): number {
  return seconds * 1e9 + nanoseconds;
}

function lineOf({ kind, name, status, attributes }: ReadableSpan): string {
  const failure = status.code === SpanStatusCode.ERROR ? ` ERROR ${attributes["error.type"]}` : "";
  return `${SpanKind[kind]} ${name}${failure}`;
}
