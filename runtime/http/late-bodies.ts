import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { hasBody } from "./body.ts";

/** From its headers to the end of its body. */
const longestMs = 120_000;
/** How often is looked: the bound need not be exact. */
const pauseMs = 10_000;

interface Arriving {
  readonly request: IncomingMessage;
  /** Milliseconds, of `performance.now()`. */
  readonly since: number;
}

const lasting = new WeakSet<IncomingMessage>();

/** Lets the body of a request take as long as it takes. Whoever reads it bounds how long its client may be silent. */
export function letBodyLast(request: IncomingMessage): void {
  lasting.add(request);
}

/**
 * Ends requests whose bodies take too long to arrive, as `requestTimeout` of node:http does, which knows no exceptions: it is a
 * `clientError` with the same code. One look at all of them costs a request less than a timer of its own.
 */
export function endLateBodies(server: Server): void {
  const arriving = new Map<Socket, Arriving>();
  const watch = (request: IncomingMessage) => {
    if (hasBody(request)) arriving.set(request.socket, { request, since: performance.now() });
  };
  const look = () => {
    for (const [socket, { request, since }] of arriving) {
      const isOver = request.complete || socket.destroyed || lasting.has(request);
      const isLate = !isOver && performance.now() - since > longestMs;
      if (isOver || isLate) arriving.delete(socket);
      if (isLate) server.emit("clientError", tooLate(), socket);
    }
  };
  let timer: NodeJS.Timeout | undefined;
  server.prependListener("request", watch).prependListener("checkContinue", watch);
  server.prependListener("checkExpectation", watch);
  server.on("listening", () => {
    timer = setInterval(look, pauseMs).unref();
  });
  server.on("close", () => clearInterval(timer));
}

function tooLate(): Error {
  return Object.assign(new Error("Request timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
}
