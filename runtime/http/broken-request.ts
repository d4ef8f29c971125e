import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { ServiceError } from "../errors/index.ts";
import { errorText } from "./envelope.ts";

const problems: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "The headers are too large."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The chunk extensions are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request took too long to arrive."],
};

type BrokenRequest = Error & { readonly code?: string; readonly rawPacket?: Buffer };

/** Answers what is no HTTP request, and therefore reaches no handler, in the error envelope; then hangs up. */
export function answerBrokenRequest(error: BrokenRequest, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const [status, message] = problems[error.code ?? ""] ?? [400, "This is not a valid HTTP request."];
  const body = errorText(new ServiceError("HTTP_ERROR", message, undefined, { status }));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    "X-Content-Type-Options: nosniff",
    "Connection: close",
  ];
  // The answer to HEAD ends with its headers: whatever follows would be taken for the next one.
  const isHead = error.rawPacket?.toString("latin1", 0, 5) === "HEAD ";
  socket.end(`${head.join("\r\n")}\r\n\r\n${isHead ? "" : body}`, () => socket.destroy());
}
