import type { RequestHandler } from "express";
import { fixedPaths } from "../../vocabulary/built-in-routes.ts";
import { tooMuchToDo } from "../errors/index.ts";
import { Admission, type EventLoop } from "./admission.ts";

const forOperators = new RegExp(`^${fixedPaths.monitoring}(?:[/?]|$)`);

/**
 * Lets requests in as the process gets to them, but for those of operators, who look at what is wrong. Error, where more arrives than it can
 * serve: 503 `HTTP_ERROR` with `Retry-After`. `room`: how many more may wait for the database.
 */
export function admit(room: () => number, loop?: EventLoop): RequestHandler {
  const admission = new Admission(room, tooMuchToDo, loop);
  return (request, response, next) => {
    if (forOperators.test(request.url)) next();
    else admission.admit(request.context.startedAt, response, next);
  };
}
