import { randomUUID } from "node:crypto";
import { createServer, IncomingMessage, type Server, ServerResponse, STATUS_CODES } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Express } from "express";
import { ServiceError } from "../errors/index.ts";
import { errorText } from "./answer.ts";
import { hasBody } from "./body.ts";

/** Enough for bodies that are slightly too large. */
const mostBytes = 16 * 1024 * 1024;
const longestMs = 5_000;

/**
 * Drops data that a client sends after its response, up to a limit, before the connection closes. Data on a
 * closed connection resets it, and the client can lose the unread response (RFC 9112, 9.6).
 */
class UnreadData {
  readonly #connection: Duplex;
  readonly #timer: NodeJS.Timeout;
  readonly #end = () => this.end();
  #left = mostBytes;

  constructor(connection: Duplex) {
    this.#connection = connection;
    this.#timer = setTimeout(() => connection.destroy(), longestMs);
    connection.once("close", this.#end);
  }

  drop(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) this.#connection.destroy();
  }

  end(): void {
    clearTimeout(this.#timer);
    // A connection can have many such bodies.
    this.#connection.off("close", this.#end);
  }
}

/** Reads the rest of an unread request body after the response. */
function dropUnread(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || !hasBody(request)) return;
  // Before node:http closes the connection in the same event.
  response.prependOnceListener("finish", () => dropRest(request));
}

function dropRest(request: IncomingMessage): void {
  if (request.complete) return;
  const { socket } = request;
  const unread = new UnreadData(socket);
  request.on("data", (chunk: Buffer) => unread.drop(chunk.length));
  request.once("close", () => unread.end());
  request.resume();
  // node:http calls this after a response with `Connection: close`.
  socket.destroySoon = () => {
    if (request.complete) return Socket.prototype.destroySoon.call(socket);
    socket.end();
    request.once("close", () => socket.destroy());
  };
}

/** Closes connections of clients that read nothing. A slow client can continue. */
const longestPauseMs = 60_000;

/**
 * Limits the cost of a finished response: the time in which the client can read it, and the bytes of an
 * unread request body.
 */
export function limitFinishedResponses(app: Express): void {
  // On the prototype, because a property of each response would cost more than the rest.
  Object.defineProperty(app.response, "end", { value: end, writable: true });
}

function end<R extends ServerResponse>(this: R, ...parameters: unknown[]): R {
  dropUnread(this.req, this);
  Reflect.apply(ServerResponse.prototype.end, this, parameters);
  // node:http sets its own timeout when all data is passed to the system.
  if (this.writableLength > 0) endWhenStalled(this);
  return this;
}

/**
 * Ends a response whose client reads nothing for a minute. `end` does it for responses that are not streamed.
 */
export function endWhenStalled(response: ServerResponse): void {
  response.socket?.setTimeout(longestPauseMs);
}

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** Reading stops at the first waiting request. One read of 64 KiB can contain this many requests. */
const mostWaiting = 4_000;

const latest = new WeakMap<Duplex, ServerResponse>();

/** The response to the last request of a connection, begun or not. */
export function latestResponse(connection: Duplex): ServerResponse | undefined {
  return latest.get(connection);
}

/**
 * Serves the requests of a connection one after the other: the next one begins when the previous response is
 * passed to the system. So a client that reads nothing holds only one response in memory.
 */
function serialize(serve: Serve): Serve {
  const queues = new WeakMap<Socket, RequestQueue>();
  return (request, response) => {
    const { socket } = request;
    // The client sees that the connection ends, and sends the request on another connection.
    if (!socket.writable) return;
    latest.set(socket, response);
    // A waiting response has no socket: node:http assigns it when the previous one ends.
    if (response.socket !== null) {
      serve(request, response);
      return;
    }
    const line = queues.get(socket) ?? new RequestQueue(socket);
    queues.set(socket, line);
    line.enter(response, () => serve(request, response));
  };
}

/** The waiting requests of a connection. The connection is paused until they are done. */
class RequestQueue {
  readonly #socket: Socket;
  #waiting = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    // node:http resumes by itself, for example after a drain.
    socket.on("resume", () => this.#hold());
  }

  enter(response: ServerResponse, serve: () => void): void {
    this.#waiting++;
    if (this.#waiting > mostWaiting) this.#socket.destroy();
    // Deferred: node:http undoes it at the end of the current parse.
    process.nextTick(() => this.#hold());
    // Deferred: during this event, node:http is still assigning the socket.
    response.once("socket", () => process.nextTick(() => this.#leave(serve)));
  }

  #hold(): void {
    if (this.#waiting === 0) return;
    this.#socket.pause();
    // After a pause between `resume()` and this event, only this stops reading.
    this.#socket.emit("pause");
  }

  #leave(serve: () => void): void {
    this.#waiting--;
    if (!this.#socket.writable) return;
    // Reset the timeout of the previous response.
    this.#socket.setTimeout(0);
    if (this.#waiting === 0) this.#socket.resume();
    serve();
  }
}

const problems: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "The headers are too large."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The chunk extensions are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request took too long to arrive."],
};

type BrokenRequest = Error & { readonly code?: string; readonly rawPacket?: Buffer };

/** The data after a broken request; null while that request waits for its response. */
const afterBroken = new WeakMap<Duplex, UnreadData | null>();

/** Sends an error envelope for data that is not valid HTTP, and closes the connection. */
function answerBrokenRequest(error: BrokenRequest, socket: Duplex): void {
  if (error.code === "ECONNRESET") socket.destroy();
  if (afterBroken.has(socket)) {
    afterBroken.get(socket)?.drop(error.rawPacket?.length ?? 0);
    return;
  }
  const [status, message] = problems[error.code ?? ""] ?? [400, "This is not a valid HTTP request."];
  // A response to HEAD has no body: the client would read it as the next response.
  const isHead = error.rawPacket?.toString("latin1", 0, 5) === "HEAD ";
  afterBroken.set(socket, null);
  afterEarlierResponses(socket, () => refuse(socket, status, message, isHead));
}

/** `CONNECT` asks for a tunnel. node:http would close the connection without a response. */
function answerConnect(_request: IncomingMessage, socket: Duplex): void {
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: Buffer) => afterBroken.get(socket)?.drop(chunk.length));
  afterBroken.set(socket, null);
  afterEarlierResponses(socket, () => refuse(socket, 501, "This service does not support CONNECT.", false));
}

/** Waits for the responses to earlier requests: the client would take this response for one of them. */
function afterEarlierResponses(socket: Duplex, refuseIt: () => void): void {
  const latest = latestResponse(socket);
  if (latest === undefined || (latest.closed && latest.req.complete)) refuseIt();
  else if (latest.req.complete) latest.once("close", refuseIt);
  // The body of a request is broken. A response that has begun stays the only one.
  else if (latest.closed) socket.destroy();
  else if (latest.headersSent) latest.once("close", () => socket.destroy());
  else if (latest.socket === null) latest.once("socket", refuseIt);
  else refuseIt();
}

function refuse(socket: Duplex, status: number, message: string, isHead: boolean): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  afterBroken.set(socket, new UnreadData(socket));
  socket.once("end", () => socket.destroy());
  const body = errorText(new ServiceError("HTTP_ERROR", message, undefined, { status }));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    "X-Content-Type-Options: nosniff",
    "Connection: close",
  ];
  const { readableEnded } = socket;
  socket.end(`${head.join("\r\n")}\r\n\r\n${isHead ? "" : body}`, () => {
    if (readableEnded) socket.destroy();
  });
}

/** Longer than the 60 s of common load balancers: if the service closes first, the client gets a 502. */
const keepAliveTimeout = 65_000;
const timeouts = {
  keepAliveTimeout,
  // Not shorter: a connection that waits for its next request has no headers yet.
  headersTimeout: keepAliveTimeout + 1_000,
  // Each reader of a body has its own timeout, because uploads take longer.
  requestTimeout: 0,
};

/**
 * Runs an Express application on `node:http`. Express sets the prototype of each request and response, which
 * is most of its cost. Here they are created with the prototype.
 */
export function createHttpServer(app: Express): Server {
  class Request extends IncomingMessage {}
  class Response<R extends IncomingMessage> extends ServerResponse<R> {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  Object.assign(app, { request: Request.prototype, response: Response.prototype });
  limitFinishedResponses(app);
  // If a request has two `Authorization` headers, a proxy can have checked the other one. Joined, they are
  // not valid.
  const options = { IncomingMessage: Request, ServerResponse: Response, joinDuplicateHeaders: true };
  // `requireHttp1` rejects a request without `Host`; node:http would respond without the envelope.
  const server = createServer({ ...options, ...timeouts, requireHostHeader: false });
  // No limit by number, since their size is limited: a dropped header could be a credential.
  server.maxHeadersCount = 0;
  const serve = serialize(app);
  server.on("request", serve);
  server.on("checkContinue", (request, response) => {
    askWhenRead(request, response);
    serve(request, response);
  });
  // Other expectations than `100-continue` are ignored; node:http would respond without the envelope.
  server.on("checkExpectation", serve);
  server.on("clientError", answerBrokenRequest);
  server.on("connect", answerConnect);
  server.on("connection", rememberAddress);
  return server;
}

/**
 * Reads the address while it is known, since limits need it after the client has left too. A connection
 * without an address is closed.
 */
function rememberAddress(this: Server, socket: Socket): void {
  // The socket keeps it. A Unix socket has none.
  if (socket.remoteAddress === undefined && typeof this.address() !== "string") socket.destroy();
}

/**
 * Supports `Expect: 100-continue`: asks for the body when it is read. An unread body, such as one that is too
 * large, is not sent.
 */
function askWhenRead(request: IncomingMessage, response: ServerResponse): void {
  const ask = (event: string | symbol) => {
    if (event !== "data" && event !== "readable") return;
    request.off("newListener", ask);
    if (!response.headersSent) response.writeContinue();
  };
  request.on("newListener", ask);
}
