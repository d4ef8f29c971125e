import type { Request, RequestHandler } from "express";
import { fixedPaths } from "../../vocabulary/built-in-routes.ts";
import { tooMuchToDo } from "../errors/index.ts";
import { Admission, type EventLoop } from "./admission.ts";
import type { ClientAddress } from "./client-address.ts";

export interface AdmitOptions {
  /** How many requests the database has refused so far, since too many wait for it. */
  readonly refusals: () => number;
  readonly addressOf: ClientAddress;
  readonly loop?: EventLoop | undefined;
}

/**
 * Lets requests in as the process gets to them, but for those of operators, who look at what is wrong. Error, where more arrives than it can
 * serve: 503 `HTTP_ERROR` with `Retry-After`.
 */
export function admit({ refusals, addressOf, loop }: AdmitOptions): RequestHandler {
  const admission = new Admission(refusals, tooMuchToDo, loop);
  return (request, response, next) => {
    const source = () => sourceOf(request, addressOf);
    if (isForOperators(request.url)) next();
    else admission.admit(source, response, next);
  };
}

/** Whoever has no key is answered out of memory there: a refusal, 404, the ping or the page. No database is asked before the key is checked. */
function isForOperators(url: string): boolean {
  if (!url.startsWith(fixedPaths.monitoring)) return false;
  const next = url[fixedPaths.monitoring.length];
  return next === undefined || next === "/" || next === "?";
}

/** Tells who sends requests from others as well as can be told before anything is looked at. */
function sourceOf(request: Request, addressOf: ClientAddress): string {
  const { authorization, "x-api-key": key, cookie } = request.headers;
  return authorization ?? key?.toString() ?? cookie ?? addressOf(request);
}
