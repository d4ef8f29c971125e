import { createRequire } from "node:module";
import type { Tracer } from "@opentelemetry/api";
import type { Logger } from "pino";

type Api = typeof import("@opentelemetry/api");

/** The API of OpenTelemetry, with Kirak's tracer. */
export interface OpenTelemetry {
  readonly api: Api;
  readonly tracer: Tracer;
}

const require = createRequire(import.meta.url);

/** All copies of the API share this object, whose key `trace` an SDK sets. */
const registry = Symbol.for("opentelemetry.js.api.1");

/** Loads the API if the process has registered an SDK; otherwise returns null (docs/opentelemetry.md). */
export function openTelemetry(log: Logger): OpenTelemetry | null {
  const registered: unknown = Reflect.get(globalThis, registry);
  if (typeof registered !== "object" || registered === null || !("trace" in registered)) return null;
  try {
    const api: Api = require("@opentelemetry/api");
    return { api, tracer: api.trace.getTracer("kirak") };
  } catch (error) {
    log.warn(
      { err: error },
      "OpenTelemetry is set up, but Kirak cannot load its API: npm install @opentelemetry/api",
    );
    return null;
  }
}

/** Makes the SDK send the spans that it still has, before the process ends. Never rejects. */
export async function flushSpans(log: Logger): Promise<void> {
  const otel = openTelemetry(log);
  if (otel === null) return;
  const proxy = otel.api.trace.getTracerProvider();
  // Another copy of the API can have registered it, with another class.
  const provider: object =
    "getDelegate" in proxy && typeof proxy.getDelegate === "function" ? proxy.getDelegate() : proxy;
  if (!("forceFlush" in provider) || typeof provider.forceFlush !== "function") return;
  try {
    await provider.forceFlush();
  } catch (error) {
    log.warn({ err: error }, "the last spans could not be sent");
  }
}
