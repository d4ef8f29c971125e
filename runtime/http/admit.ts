import type { RequestHandler } from "express";
import { fixedPaths } from "../../vocabulary/built-in-routes.ts";
import { ServiceError } from "../errors/index.ts";
import { Admission, type EventLoop } from "./admission.ts";

/** One for all: while there is too much to do, each must cost little. */
const refusal = new ServiceError(
  "HTTP_ERROR",
  "The service has more to do than it can right now.",
  undefined,
  { status: 503, headers: { "Retry-After": "1" } },
);

const forOperators = new RegExp(`^${fixedPaths.monitoring}(?:[/?]|$)`);

/**
 * Lets requests in as the process gets to them, but for those of operators, who look at what is wrong. Error, where more arrives than it can
 * serve: 503 `HTTP_ERROR` with `Retry-After`. `isFull`: whether too many wait for the database already.
 */
export function admit(isFull: () => boolean, loop?: EventLoop): RequestHandler {
  const admission = new Admission(isFull, refusal, loop);
  return (request, response, next) => {
    if (forOperators.test(request.url)) next();
    else admission.admit(request.context.startedAt, response, next);
  };
}
