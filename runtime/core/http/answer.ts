import type { ErrorRequestHandler, RequestHandler, Response } from "express";
import type { DeclaredErrors } from "../../../vocabulary/error-codes.ts";
import { classifyDatabaseError } from "../database/index.ts";
import { asDeclared, notNow, refusedByDatabase, ServiceError } from "../errors/index.ts";
import { requireDecodable, splitUrl, undecodableUrl } from "./url.ts";

/** Present in an answer only when the request passed `page` or `offset` (contract: "Response envelope"). */
export interface Pagination {
  readonly limit: number;
  readonly page: number;
  readonly offset: number;
  readonly total: number;
  readonly total_pages: number;
  readonly has_more: boolean;
}

/** What a route answers: a message for people and the payload, already JSON text. */
export interface Answer {
  readonly message: string;
  readonly data: string;
  readonly pagination?: Pagination;
}

/** How answers are written. Status and headers are the same in each form. */
export interface AnswerForm {
  readonly contentType: string;
  /** The body of a success. */
  readonly answerText: (answer: Answer) => string;
  /** The body of a failure. Throws when its details are no JSON. */
  readonly errorText: (error: ServiceError) => string;
}

/** The form of every request, unless its route has one of its own for callers who name that media type. */
export const envelope: AnswerForm = {
  contentType: "application/json; charset=utf-8",
  answerText,
  errorText,
};

/** Answers a success in the request's form. `Content-Length` is known, so nothing is chunked. */
export function sendAnswer(response: Response, answer: Answer): void {
  const { form, trace } = response.req.context;
  const step = trace.resume("serialize");
  sendBody(response, 200, form.contentType, form.answerText(answer));
  trace.end(step);
}

/** Answers a failure in the request's form, with the headers that the error asks for. Throws when its details are no JSON. */
export function sendError(response: Response, error: ServiceError): void {
  const { context } = response.req;
  context.errorCode = error.code;
  context.errorMessage = error.message;
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  sendBody(response, error.status, context.form.contentType, context.form.errorText(error));
}

function answerText({ message, data, pagination }: Answer): string {
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

/** A longer text is turned into bytes at once: while it waits to be taken, node:http would hold it twice. */
const longestText = 65_536;

/** Answers with a whole body. `Content-Length` is known, so nothing is chunked. */
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

/** Answers 404 `NOT_FOUND` for a route that does not exist, and 400 where the URL cannot be decoded at all. */
export const routeNotFound: RequestHandler = (request, response) => {
  requireDecodable(request.originalUrl);
  sendError(response, new ServiceError("NOT_FOUND", "There is no such route."));
};

/**
 * Turns whatever was thrown into the error envelope; the cause goes to the request's log line alone. Nothing is left to
 * Express, whose own answer is a page with a stack. What cannot be answered any more ends with its connection.
 */
export const answerError: ErrorRequestHandler = (thrown: unknown, request, response, _next) => {
  const error = asServiceError(thrown);
  if (isFailure(error) || response.headersSent) request.context.failure = error.cause ?? error;
  if (response.headersSent) {
    request.context.errorCode = error.code;
    request.context.errorMessage = error.message;
    response.destroy();
    return;
  }
  try {
    sendError(response, error);
  } catch (cause) {
    // Details that are no JSON, or a header that is none: whoever threw the error must learn of it.
    request.context.failure = new Error(`a ${error.code} could not be answered: ${error.message}`, { cause });
    sendError(response, new ServiceError("INTERNAL_ERROR"));
  }
};

/** A 503 without a cause is no failure but an answer, such as that too many passwords wait: it needs no stack in the log. */
function isFailure({ status, cause }: ServiceError): boolean {
  return status >= 500 && (status !== 503 || cause !== undefined);
}

function asServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof URIError) return undecodableUrl();
  const failure = classifyDatabaseError(thrown);
  const refusal = notNow(failure?.kind, thrown);
  if (refusal !== null) return refusal;
  if (failure?.kind === "refused") return refusedByDatabase(thrown);
  const code = failure === null ? "INTERNAL_ERROR" : "DATABASE_ERROR";
  return new ServiceError(code, undefined, undefined, { cause: thrown });
}

/** Answers 405 for whatever a path takes beside GET. */
export const getOnly: RequestHandler = () => {
  throw methodNotAllowed(["GET", "HEAD"]);
};

/** 405 with the methods that the path takes. */
export function methodNotAllowed(allowed: readonly string[]): ServiceError {
  const list = allowed.join(", ");
  return new ServiceError("HTTP_ERROR", `This path takes ${list}.`, undefined, {
    status: 405,
    headers: { Allow: list },
  });
}

/**
 * Answers a `ServiceError` of routes that stand beside the service in the envelope, by the errors that the service declares. What is
 * none goes on to whoever handles it.
 */
export function answerErrors(declared: DeclaredErrors): ErrorRequestHandler {
  return (thrown: unknown, _request, response, next) => {
    if (!(thrown instanceof ServiceError) || response.headersSent) return next(thrown);
    const error = asDeclared(thrown, declared);
    response.status(error.status).set({ "Cache-Control": "no-store", ...error.headers });
    response.type("json").send(errorText(error));
  };
}

/** Says that the answer depends on a header of the request. Express reads the header again that it adds to, and mostly there is none. */
export function varyBy(response: Response, header: string): void {
  if (response.hasHeader("Vary")) response.vary(header);
  else response.setHeader("Vary", header);
}

/**
 * Handlers as one, each called by the one before it. To Express they are one layer: what it does for each, such as to look whether the path
 * is its own, would cost a request more than most of them. An error, or `"route"`, leads out of all of them; `null` is none, as in Express.
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

/** Whoever throws nothing has failed all the same. */
function asError(thrown: unknown): unknown {
  return thrown || new Error("a handler threw nothing that says what has failed");
}

/** A handler of these paths alone, to the letter; others go on. */
export function onPaths(paths: readonly string[], handler: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const isMeant = paths.includes(splitUrl(request.url).path);
    return isMeant ? handler(request, response, next) : next();
  };
}
