import { randomUUID } from "node:crypto";
import type { NextFunction, Request, RequestHandler, Response } from "express";
import type { Logger } from "pino";
import { fixedPaths } from "../../../vocabulary/built-in-routes.ts";
import { AfterResponse, BackgroundTasks, type Trace, traceOf } from "../concurrency/index.ts";
import type { ErrorCode } from "../errors/index.ts";
import { readTraceparent } from "../telemetry/index.ts";
import { envelope, type ResponseFormat } from "./answer.ts";
import { type BeginSpan, endRequestSpan } from "./request-span.ts";

const unlogged = new Set<string>([fixedPaths.health, fixedPaths.ready]);

/** In the order of the keys in the line. */
interface LogLine {
  request_id: string;
  trace_id: string | undefined;
  span_id: string | undefined;
  method: string;
  path: string;
  status?: number;
  error?: string;
  duration_ms?: number;
  user_id?: string;
  err?: unknown;
  aborted?: true;
}

/**
 * Logs one line for a request, without its query string, headers and body, which can hold secrets. Without a
 * response it has no status.
 */
function logRequest(log: Logger, request: Request, response: Response): void {
  const { context } = request;
  const status = response.headersSent ? response.statusCode : null;
  // A stream can fail after its status was sent.
  const isFailure = status !== null && (status >= 500 || context.failure !== undefined);
  // Operators poll, and the failure was logged when it began.
  const isExpected = !context.isRecorded && context.failure === undefined;
  const level = isFailure && !isExpected ? "error" : "info";
  if (!log.isLevelEnabled(level)) return;
  const path = pathOf(request.originalUrl);
  // A stopping service responds 503 to probes, which is not a failure.
  if (unlogged.has(path) && (!isFailure || context.failure === undefined)) return;
  log[level](lineOf(request, response, status), "request");
}

function lineOf(request: Request, response: Response, status: number | null): LogLine {
  const { context, method } = request;
  const { trace_id, span_id } = context.trace.logFields;
  const line: LogLine = { request_id: context.id, trace_id, span_id, method, path: loggedPath(request) };
  if (status !== null) line.status = status;
  if (context.errorCode !== null) line.error = context.errorCode;
  line.duration_ms = Math.round((performance.now() - context.startedAt) * 100) / 100;
  if (context.userId !== null) line.user_id = context.userId;
  if (context.failure !== undefined) line.err = context.failure;
  if (!response.writableFinished) line.aborted = true;
  return line;
}

function loggedPath({ context, originalUrl }: Request): string {
  return context.route ?? unknownPath(pathOf(originalUrl));
}

/** An unknown path can hold secrets: only simple names are logged. */
function unknownPath(path: string): string {
  return path.slice(0, 200).replace(/[^/]+/g, (part) => (/^[\w-]{1,32}$/.test(part) ? part : "*"));
}

function pathOf(url: string): string {
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
}

/** The state of one request. */
export interface RequestContext {
  /** The caller's `X-Request-Id` if it is well formed, else a new UUID. */
  readonly id: string;
  /** Milliseconds, of `performance.now()`. */
  readonly startedAt: number;
  /** The path where an application mounts the service, as sent; empty at the root. */
  readonly mountPath: string;
  /** The pattern of the matched route, with the mount path; null without a route. */
  route: string | null;
  /** The key of the model, and the operation, if the route has them. */
  model: string | null;
  operation: string | null;
  /** Null until it is known. */
  userId: string | null;
  /** Null until it is known. */
  role: string | null;
  errorCode: ErrorCode | null;
  errorMessage: string | null;
  /** The cause of a failure, for the log. */
  failure: unknown;
  /** Bytes of the body sent so far; null if `Content-Length` has their number. */
  sentBytes: number | null;
  /** The envelope, unless the route sets another format. */
  responseFormat: ResponseFormat;
  /** Records the steps of the request. */
  readonly trace: Trace;
  /** Deferred work of app code. */
  readonly later: AfterResponse;
  /** False for operators' requests and CORS preflights. */
  isRecorded: boolean;
}

/** Records all requests. */
export interface RequestRecorder {
  /** Returns the trace of a new request, which passes on `traceparent` of its caller. */
  arrived(traceparent: string | null): Trace;
  done(request: Request, response: Response): void;
}

declare global {
  namespace Express {
    interface Request {
      context: RequestContext;
    }
  }
}

/** Excludes an operator's request from monitoring. */
export const excludeFromMonitoring: RequestHandler = ({ context }, _response, next) => {
  context.isRecorded = false;
  next();
};

const wellFormedId = /^[A-Za-z0-9_.:-]{1,128}$/;

interface RequestContextOptions {
  readonly recorder?: RequestRecorder | null | undefined;
  readonly background?: BackgroundTasks;
  /** Null: requests have no spans. */
  readonly beginSpan?: BeginSpan | null;
}

/**
 * Adds the context of a request and `X-Request-Id`. When the request ends, logs one line and starts its
 * deferred work.
 */
export function requestContext(
  log: Logger,
  { recorder = null, background = new BackgroundTasks(log), beginSpan = null }: RequestContextOptions = {},
) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const sent = request.headers["x-request-id"];
    const id = typeof sent === "string" && wellFormedId.test(sent) ? sent : randomUUID();
    const startedAt = performance.now();
    const traceparent = readTraceparent(request.headers["traceparent"]);
    const recorded = recorder?.arrived(traceparent) ?? traceOf(traceparent);
    const isProbe = unlogged.has(pathOf(request.url));
    const trace = (isProbe ? null : beginSpan?.(request)) ?? recorded;
    request.context = {
      id,
      startedAt,
      mountPath: request.baseUrl,
      route: null,
      model: null,
      operation: null,
      userId: null,
      role: null,
      errorCode: null,
      errorMessage: null,
      failure: undefined,
      sentBytes: null,
      responseFormat: envelope,
      trace,
      later: new AfterResponse(background),
      isRecorded: true,
    };
    response.setHeader("X-Request-Id", id);
    response.on("close", () => {
      logRequest(log, request, response);
      recorder?.done(request, response);
      if (trace !== recorded) endRequestSpan(request, response, loggedPath(request));
      onceAnswered(response, () => void request.context.later.begin(request.context.errorCode !== null));
    });
    trace.within(next);
  };
}

/**
 * If the client leaves, the service still works on the request, and can fail or register work until it
 * responds.
 */
function onceAnswered(response: Response, begin: () => void): void {
  if (response.writableEnded || response.headersSent) {
    begin();
    return;
  }
  const { end } = response;
  const value = (...parameters: unknown[]) => {
    Reflect.apply(end, response, parameters);
    begin();
    return response;
  };
  Object.defineProperty(response, "end", { value, configurable: true });
}
