import { createServer, IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Express } from "express";

/**
 * Puts an Express application on `node:http`. Express gives each request and response its own prototype, and that change
 * of shape is nearly all that it costs. Here the objects are born with it, and Express finds nothing to change.
 */
export function createHttpServer(app: Express): Server {
  class Request extends IncomingMessage {}
  class Response<R extends IncomingMessage> extends ServerResponse<R> {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  Object.assign(app, { request: Request.prototype, response: Response.prototype });
  return createServer({ IncomingMessage: Request, ServerResponse: Response }, app);
}
