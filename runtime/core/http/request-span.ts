import type { Attributes } from "@opentelemetry/api";
import type { Request, Response } from "express";
import type { TraceHeaders } from "../concurrency/index.ts";
import { type OpenTelemetry, parentFrom, SpanTrace } from "../telemetry/index.ts";

/** Below the span of an instrumentation of node:http, the span of a request is INTERNAL. */
export function beginRequestSpan(
  { api, tracer }: OpenTelemetry,
  request: Request,
  headers: TraceHeaders | null,
  address: string | undefined,
): SpanTrace | null {
  const active = api.context.active();
  const isInstrumented = api.trace.getSpan(active) !== undefined;
  const extracted = isInstrumented ? active : api.propagation.extract(active, request.headers);
  const isFound = api.trace.getSpanContext(extracted) !== undefined;
  const kind = isInstrumented ? api.SpanKind.INTERNAL : api.SpanKind.SERVER;
  const options = { kind, attributes: attributesOf(request, address) };
  // Without a propagator of the app, the parent is that of `traceparent`.
  const parent = isFound ? extracted : parentFrom(api, extracted, headers);
  return SpanTrace.begin({ api, tracer }, request.method, options, parent);
}

const host = /^([\w.-]{1,255}|\[[0-9a-f:.]{2,45}\])(?::(\d{1,5}))?$/i;

/** Nothing from the URL: a path can contain secrets. Attributes that are undefined are left out. */
function attributesOf(request: Request, address: string | undefined): Attributes {
  const { headers, httpVersion, method, socket } = request;
  const [, server, port] = host.exec(headers.host ?? "") ?? [];
  return {
    "http.request.method": method,
    "url.scheme": "encrypted" in socket ? "https" : "http",
    "network.protocol.version": httpVersion,
    "server.address": server,
    "server.port": port === undefined ? undefined : Number(port),
    "user_agent.original": headers["user-agent"]?.slice(0, 512),
    "client.address": address,
  };
}

/** Ends the span of a request. `path` is the path as the log has it. */
export function endRequestSpan(trace: SpanTrace, request: Request, response: Response, path: string): void {
  const { method, context } = request;
  const { errorCode, id } = context;
  const route = context.route ?? undefined;
  const status = response.headersSent ? response.statusCode : undefined;
  const isFailure = (status !== undefined && status >= 500) || context.failure !== undefined;
  const failure = isFailure ? (context.failure ?? new Error(`${errorCode ?? status}`)) : undefined;
  const attributes = { "url.path": path, "http.route": route, "http.response.status_code": status };
  const type = isFailure && errorCode !== null ? { "error.type": errorCode } : {};
  const name = route === undefined ? method : `${method} ${route}`;
  trace.finish({ name, failure, attributes: { ...attributes, ...type, "kirak.request_id": id } });
}
