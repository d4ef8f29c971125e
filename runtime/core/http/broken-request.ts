import { randomUUID } from "node:crypto";
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { ServiceError } from "../errors/index.ts";
import { errorText } from "./envelope.ts";
import { latestAnswer } from "./in-turn.ts";
import { Leftovers } from "./leftovers.ts";

const problems: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "The headers are too large."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The chunk extensions are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request took too long to arrive."],
};

type BrokenRequest = Error & { readonly code?: string; readonly rawPacket?: Buffer };

/** What comes on a connection behind something broken; null while that waits for its answer. */
const behind = new WeakMap<Duplex, Leftovers | null>();

/** Answers what is no HTTP request, and therefore reaches no handler, in the error envelope; then hangs up. */
export function answerBrokenRequest(error: BrokenRequest, socket: Duplex): void {
  if (error.code === "ECONNRESET") socket.destroy();
  if (behind.has(socket)) {
    behind.get(socket)?.drop(error.rawPacket?.length ?? 0);
    return;
  }
  const [status, message] = problems[error.code ?? ""] ?? [400, "This is not a valid HTTP request."];
  // The answer to HEAD ends with its headers: whatever follows would be taken for the next one.
  const isHead = error.rawPacket?.toString("latin1", 0, 5) === "HEAD ";
  behind.set(socket, null);
  inOrder(socket, () => refuse(socket, status, message, isHead));
}

/** `CONNECT` asks for a tunnel, and node:http would hang up without a word. */
export function answerConnect(_request: IncomingMessage, socket: Duplex): void {
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: Buffer) => behind.get(socket)?.drop(chunk.length));
  behind.set(socket, null);
  inOrder(socket, () => refuse(socket, 501, "This service makes no tunnels.", false));
}

/** The requests in front are answered first: their client would take this answer for one of theirs. */
function inOrder(socket: Duplex, refuseIt: () => void): void {
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
