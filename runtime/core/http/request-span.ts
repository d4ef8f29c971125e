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
    const active = context.active();
    const isInstrumented = trace.getSpan(active) !== undefined;
    const parent = isInstrumented ? active : propagation.extract(active, request.headers);
    const kind = isInstrumented ? SpanKind.INTERNAL : SpanKind.SERVER;
    const attributes = attributesOf(request, addressOf(request));
    return SpanTrace.begin(otel, request.method, { kind, attributes }, parent);
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

/** Ends the span of a request. `path` is the path as the log has it. Without the mount path, which can contain parameters. */
export function endRequestSpan({ method, context }: Request, response: Response, path: string): void {
  const { errorCode, failure, id, mountPath, trace } = context;
  const route = context.route?.slice(mountPath.length);
  const status = response.headersSent ? response.statusCode : undefined;
  const isFailure = failure !== undefined || (status !== undefined && status >= 500);
  trace.finish({
    name: route === undefined ? method : `${method} ${route}`,
    failure: isFailure ? (failure ?? new ServiceError(errorCode ?? "INTERNAL_ERROR")) : undefined,
    attributes: {
      "url.path": route ?? (mountPath === "" ? path : "*"),
      "http.route": route,
      "http.response.status_code": status,
      "kirak.request_id": id,
    },
  });
}
