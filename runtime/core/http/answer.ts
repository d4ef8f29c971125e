import type { ErrorRequestHandler, RequestHandler, Response } from "express";
import type { DeclaredErrors } from "../../../vocabulary/error-codes.ts";
import { classifyDatabaseError } from "../database/index.ts";
import { asDeclared, databaseUnavailable, refusedByDatabase, ServiceError } from "../errors/index.ts";
import { requireDecodable, splitUrl, undecodableUrl } from "./url.ts";

/** The number of matching rows. */
export interface Total {
  readonly total: number;
  /** Set if the number is PostgreSQL's estimate. */
  readonly estimated?: true;
}

/** A page by `page` or `offset`. */
export interface OffsetPagination extends Partial<Total> {
  readonly limit: number;
  readonly page: number;
  readonly offset: number;
  readonly total_pages?: number;
  readonly has_more: boolean;
}

/** A page by cursor. */
export interface CursorPagination extends Partial<Total> {
  readonly limit: number;
  readonly has_more: boolean;
  readonly next: string | null;
  readonly previous: string | null;
}

/** A response of a route: a message for people, and the payload as JSON text. */
export interface SuccessResponse {
  readonly message: string;
  readonly data: string;
  /** Part of a list response only if the request asked for a page. */
  readonly pagination?: OffsetPagination | CursorPagination;
}

/** The format of response bodies. It does not change status and headers. */
export interface ResponseFormat {
  readonly contentType: string;
  /** The body of a successful response. */
  readonly successText: (answer: SuccessResponse) => string;
  /** The body of an error response. Throws if its details are not JSON. */
  readonly errorText: (error: ServiceError) => string;
}

/** The default format. A route can set another one for callers that request its media type. */
export const envelope: ResponseFormat = {
  contentType: "application/json; charset=utf-8",
  successText,
  errorText,
};

/** Sends a successful response in the format of `context.responseFormat`. */
export function sendSuccess(response: Response, answer: SuccessResponse): void {
  const { responseFormat, trace } = response.req.context;
  const step = trace.resume("serialize");
  sendBody(response, 200, responseFormat.contentType, responseFormat.successText(answer));
  trace.end(step);
}

/**
 * Sends an error response in the format of `context.responseFormat`. Throws if the details of the error are not JSON.
 */
export function sendError(response: Response, error: ServiceError): void {
  const { context } = response.req;
  context.errorCode = error.code;
  context.errorMessage = error.message;
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  sendBody(
    response,
    error.status,
    context.responseFormat.contentType,
    context.responseFormat.errorText(error),
  );
}

function successText({ message, data, pagination }: SuccessResponse): string {
  const page = pagination === undefined ? "" : `,"pagination":${JSON.stringify(pagination)}`;
  return `{"statusCode":200,"status":"success","message":${JSON.stringify(message)},"data":${data}${page}}`;
}

/** The error envelope as JSON text. */
export function errorText(error: ServiceError): string {
  return JSON.stringify({
    statusCode: error.status,
    status: "error",
    error: error.code,
    message: error.message,
    data: null,
    details: error.details,
  });
}

/** Longer texts are converted to bytes first: node:http would hold them twice while they wait. */
const longestText = 65_536;

/** Sends a complete body with `Content-Length`, so it is not chunked. */
export function sendBody(
  response: Response,
  status: number,
  contentType: string,
  content: string | Uint8Array,
): void {
  const isLong = typeof content === "string" && content.length > longestText;
  const body = isLong ? Buffer.from(content) : content;
  const bytes = Buffer.byteLength(body);
  response.req.context.sentBytes = bytes;
  response.statusCode = status;
  response.setHeader("Content-Type", contentType);
  response.setHeader("Content-Length", bytes);
  response.end(body);
}

/** Responds 404 `NOT_FOUND` if no route matches, and 400 if the URL cannot be decoded. */
export const routeNotFound: RequestHandler = (request, response) => {
  requireDecodable(request.originalUrl);
  sendError(response, new ServiceError("NOT_FOUND", "There is no such route."));
};

/**
 * Sends any thrown value as an error response; only the log has the cause. Express's own handler would send a
 * page with a stack. If the response has begun, the connection is closed.
 */
export const answerError: ErrorRequestHandler = (thrown: unknown, request, response, _next) => {
  const error = serviceErrorOf(thrown, request.context);
  if (response.headersSent) {
    request.context.failure = error.cause ?? error;
    request.context.errorCode = error.code;
    request.context.errorMessage = error.message;
    response.destroy();
    return;
  }
  try {
    sendError(response, error);
  } catch (cause) {
    // Details that are not JSON, or an invalid header: the log must have the original error.
    request.context.failure = new Error(
      `the response for ${error.code} could not be sent: ${error.message}`,
      { cause },
    );
    sendError(response, new ServiceError("INTERNAL_ERROR"));
  }
};

/** Any thrown value as the error of a response. The log gets the cause of a failure. */
export function serviceErrorOf(thrown: unknown, context: { failure: unknown }): ServiceError {
  const error = asServiceError(thrown);
  if (isFailure(error)) context.failure = error.cause ?? error;
  return error;
}

/** A 503 without a cause is expected, such as too many waiting passwords: no stack in the log. */
function isFailure({ status, cause }: ServiceError): boolean {
  return status >= 500 && (status !== 503 || cause !== undefined);
}

function asServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof URIError) return undecodableUrl();
  const failure = classifyDatabaseError(thrown);
  const refusal = databaseUnavailable(failure?.kind, thrown);
  if (refusal !== null) return refusal;
  if (failure?.kind === "refused") return refusedByDatabase(thrown);
  const code = failure === null ? "INTERNAL_ERROR" : "DATABASE_ERROR";
  return new ServiceError(code, undefined, undefined, { cause: thrown });
}

/** 405 for the other methods of a path with GET only. */
export const allowOnlyGet: RequestHandler = () => {
  throw methodNotAllowed(["GET", "HEAD"]);
};

export function methodNotAllowed(allowed: readonly string[]): ServiceError {
  const list = allowed.join(", ");
  return new ServiceError("HTTP_ERROR", `This path accepts only ${list}.`, undefined, {
    status: 405,
    headers: { Allow: list },
  });
}

/**
 * Sends a `ServiceError` of routes outside the service in the envelope, with the errors that the service
 * declares. Passes other errors on.
 */
export function answerErrors(declared: DeclaredErrors): ErrorRequestHandler {
  return (thrown: unknown, _request, response, next) => {
    if (!(thrown instanceof ServiceError) || response.headersSent) return next(thrown);
    const error = asDeclared(thrown, declared);
    response.status(error.status).set({ "Cache-Control": "no-store", ...error.headers });
    response.type("json").send(errorText(error));
  };
}

/** Adds a header to `Vary`. Express would parse the existing header, which is usually absent. */
export function varyBy(response: Response, header: string): void {
  if (response.hasHeader("Vary")) response.vary(header);
  else response.setHeader("Vary", header);
}

/**
 * Combines handlers into one, because a layer of Express costs more than most of them. An error or `"route"`
 * leaves the chain; `null` is not an error, as in Express.
 */
export function compose(...handlers: readonly RequestHandler[]): RequestHandler {
  return (request, response, next) => {
    let at = 0;
    const goOn = (error?: unknown) => {
      const handler = handlers[at++];
      if (error || handler === undefined) {
        next(error);
        return;
      }
      try {
        const done = handler(request, response, goOn);
        if (done instanceof Promise) done.catch((thrown) => next(asError(thrown)));
      } catch (thrown) {
        next(asError(thrown));
      }
    };
    goOn();
  };
}

/** A falsy value is an error too. */
function asError(thrown: unknown): unknown {
  return thrown || new Error("a handler threw a falsy value");
}

/** Runs a handler for these exact paths only. */
export function onPaths(paths: readonly string[], handler: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const isMeant = paths.includes(splitUrl(request.url).path);
    return isMeant ? handler(request, response, next) : next();
  };
}
