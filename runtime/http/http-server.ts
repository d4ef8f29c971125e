import { createServer, IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Express } from "express";

/**
 * Puts an Express application on `node:http`. Express gives each request and response its own prototype, and that change
 * of shape is nearly all it costs; here the objects are born with it, and Express finds nothing to change.
 */
export function createHttpServer(app: Express): Server {
  return createServer(
    {
      IncomingMessage: bornWith(IncomingMessage, app.request),
      ServerResponse: bornWith(ServerResponse, app.response),
    },
    app,
  );
}

/** The same constructor, except that what it makes has this prototype. */
function bornWith<Base extends typeof IncomingMessage | typeof ServerResponse>(
  base: Base,
  prototype: object,
): Base {
  function Born(): void {}
  Born.prototype = prototype;
  return new Proxy(base, { construct: (target, parameters) => Reflect.construct(target, parameters, Born) });
}
