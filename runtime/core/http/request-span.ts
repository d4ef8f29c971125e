import type { Request, Response } from "express";
import type { Logger } from "pino";
import type { RootTrace } from "../concurrency/index.ts";
import { openTelemetry, parentFrom, SpanTrace } from "../telemetry/index.ts";
import type { ClientAddress } from "./client-address.ts";

/** Begins the span of a request. Returns null if the SDK does not record it. */
export type BeginSpan = (request: Request, traceparent: string | null) => RootTrace | null;

/** Makes spans of requests; null without an SDK. Below the span of an instrumentation of node:http, they are INTERNAL. */
export function requestSpans(log: Logger, addressOf: ClientAddress): BeginSpan | null {
  const otel = openTelemetry(log);
  if (otel === null) return null;
  const { context, propagation, SpanKind, trace } = otel.api;
  return (request, traceparent) => {
    const active = context.active();
    const isInstrumented = trace.getSpan(active) !== undefined;
    const extracted = isInstrumented ? active : propagation.extract(active, request.headers);
    const isFound = trace.getSpanContext(extracted) !== undefined;
    const kind = isInstrumented ? SpanKind.INTERNAL : SpanKind.SERVER;
    const options = { kind, attributes: attributesOf(request, addressOf(request)) };
    // Without a propagator of the app, the parent is that of `traceparent`.
    const parent = isFound ? extracted : parentFrom(otel.api, extracted, traceparent);
    return SpanTrace.begin(otel, request.method, options, parent);
  };
}

const host = /^([\w.-]{1,255}|\[[0-9a-f:.]{2,45}\])(?::(\d{1,5}))?$/i;

/** Nothing from the URL: a path can contain secrets. Attributes that are undefined are left out. */
function attributesOf(request: Request, address: string) {
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
export function endRequestSpan(trace: RootTrace, request: Request, response: Response, path: string): void {
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
