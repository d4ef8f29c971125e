import { randomUUID } from "node:crypto";
import type { NextFunction, Request, RequestHandler, Response } from "express";
import type { Logger } from "pino";
import { fixedPaths } from "../../../vocabulary/built-in-routes.ts";
import { AfterResponse, BackgroundTasks, noTrace, type Trace } from "../concurrency/index.ts";
import type { ErrorCode } from "../errors/index.ts";
import { type AnswerForm, envelope } from "./answer.ts";

const unlogged = new Set<string>([fixedPaths.health, fixedPaths.ready]);

/** Keys in the order of the line. */
interface LogLine {
  request_id: string;
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
 * Logs the one line of a request: never its query string, headers or body, which can hold secrets. A request
 * without a response has no status.
 */
function logRequest(log: Logger, request: Request, response: Response): void {
  const { context } = request;
  const status = response.headersSent ? response.statusCode : null;
  // A stream can fail after its status was sent.
  const isFailure = status !== null && (status >= 500 || context.failure !== undefined);
  // Operators poll, and the reason of the failure was logged when it began.
  const isExpected = !context.isRecorded && context.failure === undefined;
  const level = isFailure && !isExpected ? "error" : "info";
  if (!log.isLevelEnabled(level)) return;
  const path = pathOf(request.originalUrl);
  // A service that is stopping responds 503 to probes, which is not a failure.
  if (unlogged.has(path) && (!isFailure || context.failure === undefined)) return;
  log[level](lineOf(request, response, path, status), "request");
}

/** Written out: a spread takes longer than writing the line. */
function lineOf(
  { context, method }: Request,
  response: Response,
  path: string,
  status: number | null,
): LogLine {
  const line: LogLine = { request_id: context.id, method, path: context.route ?? unknownPath(path) };
  if (status !== null) line.status = status;
  if (context.errorCode !== null) line.error = context.errorCode;
  line.duration_ms = Math.round((performance.now() - context.startedAt) * 100) / 100;
  if (context.userId !== null) line.user_id = context.userId;
  if (context.failure !== undefined) line.err = context.failure;
  if (!response.writableFinished) line.aborted = true;
  return line;
}

/** An unknown path can hold anything: parts that are not a simple name are left out. */
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
  /** Where an application has mounted the service, as the caller sent it; empty at the root. */
  readonly mountPath: string;
  /** Pattern of the matched route below the mount path; null if none matched. */
  route: string | null;
  /** Key of the model and its operation, if the route has them. */
  model: string | null;
  operation: string | null;
  /** The caller's user id, once known. */
  userId: string | null;
  /** The caller's role, such as `guest`, once known. */
  role: string | null;
  /** The code of an error response. */
  errorCode: ErrorCode | null;
  errorMessage: string | null;
  /** The real reason of a failure. */
  failure: unknown;
  /**
   * Bytes of the body that were sent so far. Null if they are not counted: then `Content-Length` has the
   * number.
   */
  sentBytes: number | null;
  /** The envelope, unless the route sets another form. */
  form: AnswerForm;
  /** Records the steps of the request. */
  readonly trace: Trace;
  /** Registers work of app code to run after the response. */
  readonly later: AfterResponse;
  /** Whether monitoring records it: not for requests of operators, and not for CORS preflights. */
  isRecorded: boolean;
}

/** Records all requests. */
export interface RequestRecorder {
  /** A request has arrived. Returns its trace. */
  arrived(): Trace;
  /** The request has ended. */
  done(request: Request, response: Response): void;
}

declare global {
  namespace Express {
    interface Request {
      context: RequestContext;
    }
  }
}

/** Keeps a request of an operator from being recorded. */
export const unrecorded: RequestHandler = ({ context }, _response, next) => {
  context.isRecorded = false;
  next();
};

const wellFormedId = /^[A-Za-z0-9_.:-]{1,128}$/;

interface RequestContextOptions {
  readonly recorder?: RequestRecorder | null | undefined;
  /** Waits for the work after the responses. */
  readonly background?: BackgroundTasks;
}

/**
 * Gives each request its context, sends `X-Request-Id`, and logs one line when the request ends. Then its
 * deferred work begins.
 */
export function requestContext(
  log: Logger,
  { recorder = null, background = new BackgroundTasks(log) }: RequestContextOptions = {},
) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const sent = request.headers["x-request-id"];
    const id = typeof sent === "string" && wellFormedId.test(sent) ? sent : randomUUID();
    const startedAt = performance.now();
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
      form: envelope,
      trace: recorder?.arrived() ?? noTrace,
      later: new AfterResponse(background),
      isRecorded: true,
    };
    response.setHeader("X-Request-Id", id);
    response.on("close", () => {
      logRequest(log, request, response);
      recorder?.done(request, response);
      onceAnswered(response, () => void request.context.later.begin(request.context.errorCode !== null));
    });
    next();
  };
}

/**
 * If the client leaves, the service still works on the request: it can fail or register work until it has
 * responded.
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
