import type { Request, Response } from "express";
import type { Logger } from "pino";
import type { Trace } from "../concurrency/index.ts";
import { ServiceError } from "../errors/index.ts";
import { openTelemetry, SpanTrace } from "../telemetry/index.ts";
import type { ClientAddress } from "./client-address.ts";

/** Begins the span of a request. Returns null if the SDK makes none. */
export type BeginSpan = (request: Request) => Trace | null;

/** Makes spans of requests; null without an SDK. Below the span of an instrumentation of node:http, they are INTERNAL. */
export function requestSpans(log: Logger, addressOf: ClientAddress): BeginSpan | null {
  const otel = openTelemetry(log);
  if (otel === null) return null;
  const { context, propagation, SpanKind, trace } = otel.api;
  return (request) => {
    const { headers, method, socket } = request;
    const active = context.active();
    const isInstrumented = trace.getSpan(active) !== undefined;
    const parent = isInstrumented ? active : propagation.extract(active, headers);
    const kind = isInstrumented ? SpanKind.INTERNAL : SpanKind.SERVER;
    // Nothing from the URL: a path can contain secrets. Attributes that are undefined are left out.
    const attributes = {
      "http.request.method": method,
      "url.scheme": "encrypted" in socket ? "https" : "http",
      "user_agent.original": headers["user-agent"]?.slice(0, 512),
      "client.address": addressOf(request),
    };
    return SpanTrace.begin(otel, method, { kind, attributes }, parent);
  };
}

/** Ends the span of a request. `path` is the path as the log has it. Without the mount path, which can contain parameters. */
export function endRequestSpan({ method, context }: Request, response: Response, path: string): void {
  const { errorCode, failure, id, mountPath, trace } = context;
  const route = context.route?.slice(mountPath.length);
  const status = response.headersSent ? response.statusCode : undefined;
  const isFailure = status !== undefined && status >= 500;
  const error = failure ?? (isFailure ? new ServiceError(errorCode ?? "INTERNAL_ERROR") : undefined);
  trace.finish(error, route === undefined ? method : `${method} ${route}`, {
    "url.path": route ?? (mountPath === "" ? path : "*"),
    "http.route": route,
    "http.response.status_code": status,
    "kirak.request_id": id,
  });
}
