import type { ErrorRequestHandler } from "express";
import type { DeclaredErrors } from "../../../vocabulary/error-codes.ts";
import { asDeclared, ServiceError } from "../errors/index.ts";
import { errorText } from "./envelope.ts";

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
