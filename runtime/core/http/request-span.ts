import type { Attributes, Context } from "@opentelemetry/api";
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
  return SpanTrace.begin(
    { api, tracer },
    {
      name: methodOf(request),
      kind: isInstrumented ? "INTERNAL" : "SERVER",
      attributes: attributesOf(request, address),
      parent: isInstrumented ? active : parentOf(api, request, headers),
    },
  );
}

/** From the app's propagator; without one, from `traceparent`. */
function parentOf(api: OpenTelemetry["api"], request: Request, headers: TraceHeaders | null): Context {
  const extracted = api.propagation.extract(api.context.active(), request.headers);
  const isFound = api.trace.getSpanContext(extracted) !== undefined;
  return isFound ? extracted : parentFrom(api, extracted, headers);
}

/** As in semantic conventions, which have one label for other methods. */
const methods = new Set(["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"]);

function methodOf({ method }: Request): string {
  return methods.has(method) ? method : "HTTP";
}

const host = /^([\w.-]{1,255}|\[[0-9a-f:.]{2,45}\])(?::(\d{1,5}))?$/i;
const longestAgent = 512;

/** Nothing from the URL: a path can contain secrets, as in the log. */
function attributesOf(request: Request, address: string | undefined): Attributes {
  const { headers, httpVersion, method, socket } = request;
  const [, server, port] = host.exec(headers.host ?? "") ?? [];
  const agent = headers["user-agent"]?.slice(0, longestAgent);
  return {
    "http.request.method": methods.has(method) ? method : "_OTHER",
    "url.scheme": "encrypted" in socket ? "https" : "http",
    "network.protocol.version": httpVersion,
    ...(server !== undefined && { "server.address": server }),
    ...(port !== undefined && { "server.port": Number(port) }),
    ...(agent !== undefined && { "user_agent.original": agent }),
    ...(address !== undefined && { "client.address": address }),
  };
}

/** Ends the span of a request. `path` is the path as the log has it. */
export function endRequestSpan(trace: SpanTrace, request: Request, response: Response, path: string): void {
  const { context } = request;
  const { route, errorCode, failure } = context;
  const status = response.headersSent ? response.statusCode : null;
  const attributes: Attributes = { "url.path": path, "kirak.request_id": context.id };
  if (route !== null) attributes["http.route"] = route;
  if (status !== null) attributes["http.response.status_code"] = status;
  const isFailure = (status !== null && status >= 500) || failure !== undefined;
  trace.finish(isFailure && errorCode !== null ? { ...attributes, "error.type": errorCode } : attributes, {
    name: route === null ? methodOf(request) : `${methodOf(request)} ${route}`,
    ...(isFailure && { failure: failure ?? new Error(`${errorCode ?? status}`) }),
  });
}
