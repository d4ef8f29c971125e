import { randomUUID } from "node:crypto";
import { createServer, IncomingMessage, type Server, ServerResponse, STATUS_CODES } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Express } from "express";
import { ServiceError } from "../errors/index.ts";
import { errorText } from "./answer.ts";
import { hasBody } from "./body.ts";

/** Bodies that are a little too large, and what a slow client had on its way. */
const mostBytes = 16 * 1024 * 1024;
const longestMs = 5_000;

/**
 * What a client goes on sending though it was answered: dropped, within bounds, before its connection ends. The system resets a
 * connection that is closed while something arrives, and then the client may lose the answer that it has not read yet
 * (RFC 9112, 9.6).
 */
class Leftovers {
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

  /** Nothing more is to come. */
  end(): void {
    clearTimeout(this.#timer);
    // A connection may have many such bodies, one after the other.
    this.#connection.off("close", this.#end);
  }
}

/** Has a body that is answered before it is here, such as one that is too large, taken to its end (decisions, part 2). */
function dropUnread(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || !hasBody(request)) return;
  // In front of node:http, which hangs up in the same event.
  response.prependOnceListener("finish", () => dropRest(request));
}

function dropRest(request: IncomingMessage): void {
  if (request.complete) return;
  const { socket } = request;
  const leftovers = new Leftovers(socket);
  request.on("data", (chunk: Buffer) => leftovers.drop(chunk.length));
  request.once("close", () => leftovers.end());
  request.resume();
  // So node:http hangs up behind an answer that says `Connection: close`.
  socket.destroySoon = () => {
    if (request.complete) return Socket.prototype.destroySoon.call(socket);
    socket.end();
    request.once("close", () => socket.destroy());
  };
}

/** Of a client that takes nothing of its answer. One that is slow but takes some of it may go on. */
const longestPauseMs = 60_000;

/**
 * Bounds what an answer of this application costs once it is ended: how long its client may take to read it, and what is still
 * read of a body that it came before.
 */
export function boundAnswers(app: Express): void {
  // On what all responses of an application inherit from: a property of each would cost more than the rest of this.
  Object.defineProperty(app.response, "end", { value: end, writable: true });
}

function end<R extends ServerResponse>(this: R, ...parameters: unknown[]): R {
  dropUnread(this.req, this);
  Reflect.apply(ServerResponse.prototype.end, this, parameters);
  // node:http sets another limit once all of it is in the hands of the system.
  if (this.writableLength > 0) boundPauses(this);
  return this;
}

/** Ends an answer whose client takes nothing of it for a minute. For those that are sent over time; others are bounded anyway. */
export function boundPauses(response: ServerResponse): void {
  response.socket?.setTimeout(longestPauseMs);
}

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** Reading stops at the first that waits; what one read of 64 KiB can hold has been parsed by then. */
const mostWaiting = 4_000;

const latest = new WeakMap<Duplex, ServerResponse>();

/** The answer to the request that came last on a connection, whether it has begun or not. */
export function latestAnswer(connection: Duplex): ServerResponse | undefined {
  return latest.get(connection);
}

/**
 * Serves the requests of a connection one after the other: the next begins when the answer before it is in the hands of the
 * system. Whoever sends many and reads nothing has the service hold one answer, and not all of them.
 */
function serialize(serve: Serve): Serve {
  const lines = new WeakMap<Socket, Line>();
  return (request, response) => {
    const { socket } = request;
    // Whoever was told that this connection ends sends the request again on another one.
    if (!socket.writable) return;
    latest.set(socket, response);
    // node:http hands the connection from one response to the next when the first has gone.
    if (response.socket !== null) {
      serve(request, response);
      return;
    }
    const line = lines.get(socket) ?? new Line(socket);
    lines.set(socket, line);
    line.enter(response, () => serve(request, response));
  };
}

/** The requests of one connection that wait. Nothing is read from it meanwhile. */
class Line {
  readonly #socket: Socket;
  #waiting = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    // node:http reads on by itself, such as when an answer has drained.
    socket.on("resume", () => this.#hold());
  }

  enter(response: ServerResponse, serve: () => void): void {
    this.#waiting++;
    if (this.#waiting > mostWaiting) this.#socket.destroy();
    // Later: until the end of what is being parsed, node:http undoes it.
    process.nextTick(() => this.#hold());
    // Later: within this event node:http has not finished handing over.
    response.once("socket", () => process.nextTick(() => this.#leave(serve)));
  }

  #hold(): void {
    if (this.#waiting === 0) return;
    this.#socket.pause();
    // Where it was paused already, between the call of `resume` and this event, only this makes node:http stop reading.
    this.#socket.emit("pause");
  }

  #leave(serve: () => void): void {
    this.#waiting--;
    if (!this.#socket.writable) return;
    // The time that the answer before had to be taken.
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

/** What comes on a connection behind something broken; null while that waits for its answer. */
const behind = new WeakMap<Duplex, Leftovers | null>();

/** Answers what is no HTTP request, and therefore reaches no handler, in the error envelope; then hangs up. */
function answerBrokenRequest(error: BrokenRequest, socket: Duplex): void {
  if (error.code === "ECONNRESET") socket.destroy();
  if (behind.has(socket)) {
    behind.get(socket)?.drop(error.rawPacket?.length ?? 0);
    return;
  }
  const [status, message] = problems[error.code ?? ""] ?? [400, "This is not a valid HTTP request."];
  // The answer to HEAD ends with its headers: whatever follows would be taken for the next one.
  const isHead = error.rawPacket?.toString("latin1", 0, 5) === "HEAD ";
  behind.set(socket, null);
  afterEarlierAnswers(socket, () => refuse(socket, status, message, isHead));
}

/** `CONNECT` asks for a tunnel, and node:http would hang up without a word. */
function answerConnect(_request: IncomingMessage, socket: Duplex): void {
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: Buffer) => behind.get(socket)?.drop(chunk.length));
  behind.set(socket, null);
  afterEarlierAnswers(socket, () => refuse(socket, 501, "This service makes no tunnels.", false));
}

/** The requests in front are answered first: their client would take this answer for one of theirs. */
function afterEarlierAnswers(socket: Duplex, refuseIt: () => void): void {
  const latest = latestAnswer(socket);
  if (latest === undefined || (latest.closed && latest.req.complete)) refuseIt();
  else if (latest.req.complete) latest.once("close", refuseIt);
  // From here it is the body of a request that is broken. An answer that has begun stays the only one.
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
  behind.set(socket, new Leftovers(socket));
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
  const serve = serialize(app);
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
