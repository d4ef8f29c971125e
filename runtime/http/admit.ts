import type { RequestHandler } from "express";
import { fixedPaths } from "../../vocabulary/built-in-routes.ts";
import { tooMuchToDo } from "../errors/index.ts";
import { Admission, type EventLoop, type LaterRefusals } from "./admission.ts";
import type { ClientAddress } from "./client-address.ts";

export interface AdmitOptions {
  readonly refusals: () => LaterRefusals;
  readonly addressOf: ClientAddress;
  readonly loop?: EventLoop | undefined;
}

/**
 * Lets requests in as the process gets to them, but for those of operators, who look at what is wrong. Error, where more arrives than it can
 * serve: 503 `HTTP_ERROR` with `Retry-After`. Those who wait take turns by their addresses.
 */
export function admit({ refusals, addressOf, loop }: AdmitOptions): RequestHandler {
  const admission = new Admission(refusals, tooMuchToDo, loop);
  return (request, response, next) => {
    if (isForOperators(request.url)) next();
    // Not by its credential, which nobody has looked at: a new one with each request would make each a source of its own.
    else admission.admit(() => addressOf(request), response, next);
  };
}

/** Whoever has no key is answered out of memory there: a refusal, 404, the ping or the page. No database is asked before the key is checked. */
function isForOperators(url: string): boolean {
  if (!url.startsWith(fixedPaths.monitoring)) return false;
  const next = url[fixedPaths.monitoring.length];
  return next === undefined || next === "/" || next === "?";
}
