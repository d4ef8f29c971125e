import { createServer, IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Express } from "express";
import { boundAnswers } from "./bounded-answers.ts";
import { answerBrokenRequest, answerConnect } from "./broken-request.ts";
import { inTurn } from "./in-turn.ts";

/** Longer than the sixty seconds of the usual balancers: who hangs up first while the other one sends makes a stray 502. */
const keepAliveTimeout = 65_000;
const timeouts = {
  keepAliveTimeout,
  // Never the shorter one: a connection that waits for its next request has none of its headers.
  headersTimeout: keepAliveTimeout + 1_000,
  // Uploads can take longer than any other body: each reader of a body has its own timeout.
  requestTimeout: 0,
};

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
  boundAnswers(app);
  // Of two `Authorization` headers a proxy may have checked the other one: joined they are no credential at all.
  const options = { IncomingMessage: Request, ServerResponse: Response, joinDuplicateHeaders: true };
  // A request without `Host` is refused by `requireHttp1`: node:http would answer it without the envelope.
  const server = createServer({ ...options, ...timeouts, requireHostHeader: false });
  // Their size is limited; by default, headers beyond the two-thousandth would be dropped, a credential among them.
  server.maxHeadersCount = 0;
  const serve = inTurn(app);
  server.on("request", serve);
  server.on("checkContinue", (request, response) => {
    askWhenRead(request, response);
    serve(request, response);
  });
  // An expectation other than `100-continue` may be ignored; node:http would answer it without the envelope.
  server.on("checkExpectation", serve);
  server.on("clientError", answerBrokenRequest);
  server.on("connect", answerConnect);
  server.on("connection", rememberAddress);
  return server;
}

/**
 * Has a connection know where it comes from while it can be told: who hangs up right behind a request has no address any
 * more when that is limited by it. Nobody waits at a connection that has none already.
 */
function rememberAddress(this: Server, socket: Socket): void {
  // The socket looks it up once and keeps it. There is none on a Unix socket.
  if (socket.remoteAddress === undefined && typeof this.address() !== "string") socket.destroy();
}

/**
 * Serves a client that sends its body when it is asked to, `Expect: 100-continue`: it is asked when somebody begins to read. A
 * body that nobody reads, such as one that is too large, is not sent at all.
 */
function askWhenRead(request: IncomingMessage, response: ServerResponse): void {
  const ask = (event: string | symbol) => {
    if (event !== "data" && event !== "readable") return;
    request.off("newListener", ask);
    if (!response.headersSent) response.writeContinue();
  };
  request.on("newListener", ask);
}
