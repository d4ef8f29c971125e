import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { hasBody } from "./body.ts";
import { Leftovers } from "./leftovers.ts";

/** Has a body that is answered before it is here, such as one that is too large, taken to its end (decisions, part 2). */
export function dropUnread(request: IncomingMessage, response: ServerResponse): void {
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
