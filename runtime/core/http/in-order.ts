import type { RequestHandler } from "express";
import { splitUrl } from "./url.ts";

/**
 * Handlers as one, each called by the one before it. To Express they are one layer: what it does for each, such as to look whether the path
 * is its own, would cost a request more than most of them. An error, or `"route"`, leads out of all of them; `null` is none, as in Express.
 */
export function inOrder(...handlers: readonly RequestHandler[]): RequestHandler {
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
