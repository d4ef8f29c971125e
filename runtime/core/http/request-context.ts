import { randomUUID } from "node:crypto";
import type { NextFunction, Request, RequestHandler, Response } from "express";
import type { Logger } from "pino";
import { fixedPaths } from "../../../vocabulary/built-in-routes.ts";
import { AfterResponse, BackgroundTasks, noTrace, type Trace } from "../concurrency/index.ts";
import type { ErrorCode } from "../errors/index.ts";
import { type AnswerForm, envelope } from "./answer.ts";

const unlogged = new Set<string>([fixedPaths.health, fixedPaths.ready]);

/** Its keys stand in this order. */
interface Line {
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
 * Writes the one line of a request: never its query string, headers or body, which may hold secrets. A request that was
 * cut off before its answer has no status.
 */
function logRequest(log: Logger, request: Request, response: Response): void {
  const { context } = request;
  const status = response.headersSent ? response.statusCode : null;
  // A stream can fail after its status has gone.
  const isFailure = status !== null && (status >= 500 || context.failure !== undefined);
  // Whoever looks after the service asks again and again. Why it has nothing to show was told when that began.
  const isExpected = !context.isRecorded && context.failure === undefined;
  const level = isFailure && !isExpected ? "error" : "info";
  if (!log.isLevelEnabled(level)) return;
  const path = pathOf(request.originalUrl);
  // A service that stops says 503 to whoever asks, and nothing is wrong.
  if (unlogged.has(path) && (!isFailure || context.failure === undefined)) return;
  log[level](lineOf(request, response, path, status), "request");
}

/** Written out: what is spread takes longer than to put all of it into a text. */
function lineOf({ context, method }: Request, response: Response, path: string, status: number | null): Line {
  const line: Line = { request_id: context.id, method, path: context.route ?? unknownPath(path) };
  if (status !== null) line.status = status;
  if (context.errorCode !== null) line.error = context.errorCode;
  line.duration_ms = Math.round((performance.now() - context.startedAt) * 100) / 100;
  if (context.userId !== null) line.user_id = context.userId;
  if (context.failure !== undefined) line.err = context.failure;
  if (!response.writableFinished) line.aborted = true;
  return line;
}

/** A path that leads nowhere may hold anything: parts that look like more than a name are left out. */
function unknownPath(path: string): string {
  return path.slice(0, 200).replace(/[^/]+/g, (part) => (/^[\w-]{1,32}$/.test(part) ? part : "*"));
}

function pathOf(url: string): string {
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
}

/** What belongs to one request from its first to its last moment. */
export interface RequestContext {
  /** The caller's own `X-Request-Id` where it is well formed, else a new UUID. */
  readonly id: string;
  /** Milliseconds, of `performance.now()`. */
  readonly startedAt: number;
  /** Where an application has mounted the service, as the caller has sent it; empty: at the root. */
  readonly mountPath: string;
  /** Pattern of the route that answered, behind the mount path; null when none did. */
  route: string | null;
  /** Key of the model, and its operation, where the route has them. */
  model: string | null;
  operation: string | null;
  /** The caller's user id, once known. */
  userId: string | null;
  /** The caller's role as access rules name it, `guest` among them, once known. */
  role: string | null;
  /** Of the error that was answered, if one was. */
  errorCode: ErrorCode | null;
  errorMessage: string | null;
  /** What really went wrong, when something did. */
  failure: unknown;
  /** Of the answer's body, so far. Null where nobody counts: then `Content-Length` tells. */
  sentBytes: number | null;
  /** The envelope, until a route knows better. */
  form: AnswerForm;
  /** Times the steps of its work. */
  readonly trace: Trace;
  /** What code of one's own asks for once the answer has gone. */
  readonly later: AfterResponse;
  /** Whether monitoring keeps it: not what looks after the service itself, and no CORS preflight. */
  isRecorded: boolean;
}

/** Whoever wants to know of every request. */
export interface RequestRecorder {
  /** A request has arrived. Gives what times its steps. */
  arrived(): Trace;
  /** It is over. */
  done(request: Request, response: Response): void;
}

declare global {
  namespace Express {
    interface Request {
      context: RequestContext;
    }
  }
}

/** Keeps a request from being recorded: of what looks after the service itself. */
export const unrecorded: RequestHandler = ({ context }, _response, next) => {
  context.isRecorded = false;
  next();
};

const wellFormedId = /^[A-Za-z0-9_.:-]{1,128}$/;

interface RequestSurroundings {
  readonly recorder?: RequestRecorder | null | undefined;
  /** Waits for what follows the answers. */
  readonly background?: BackgroundTasks;
}

/** Gives each request its context, answers `X-Request-Id`, and logs one line when the request is over; what is to follow it begins then. */
export function requestContext(
  log: Logger,
  { recorder = null, background = new BackgroundTasks(log) }: RequestSurroundings = {},
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
      onceServed(response, () => void request.context.later.begin(request.context.errorCode !== null));
    });
    next();
  };
}

/** Who hangs up leaves the service at work: whether that fails, and what it asks for until then, is known once it has answered. */
function onceServed(response: Response, begin: () => void): void {
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
