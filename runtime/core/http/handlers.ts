import type { ErrorRequestHandler, RequestHandler } from "express";
import { classifyDatabaseError } from "../database/index.ts";
import { notNow, refusedByDatabase, ServiceError } from "../errors/index.ts";
import { sendError } from "./envelope.ts";
import { requireDecodable, undecodableUrl } from "./url.ts";

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
