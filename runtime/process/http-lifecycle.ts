import type { Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { latestResponse } from "../core/http/index.ts";
import type { Deadline } from "./deadline.ts";

const idleSweepMs = 25;
/**
 * The event loop accepts one connection per turn. Under load, the queue of new connections never gets empty.
 */
const maxTurns = 20;
/** A request can be in flight on each connection, and a client cannot repeat a POST. */
const graceMs = 500;
const connections = new WeakMap<Server, Set<Socket>>();

/** Starts to listen. Returns a URL that callers on this machine can use. */
export function listen(server: Server, port: number, host: string): Promise<string> {
  const open = new Set<Socket>();
  connections.set(server, open);
  server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.removeListener("error", reject);
      resolve(listeningAddress(server).replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:"));
    });
  });
}

/** The URL that a server listens on; it can be all interfaces: `http://0.0.0.0:3000`. */
export function listeningAddress(server: Server): string {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server does not listen");
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

export interface DrainOptions {
  /** Accept connections until then, while load balancers notice the shutdown. Default: stop at once. */
  readonly accepting?: Promise<unknown>;
  /** Open connections are cut after it. */
  readonly deadline: Deadline;
}

/** Closes connections after their next response, stops accepting, and waits for requests in flight. */
export async function drain(server: Server, { accepting, deadline }: DrainOptions): Promise<void> {
  const open = connections.get(server) ?? new Set();
  announceEnd(server, open);
  await accepting;
  await acceptWaiting(server);
  const closed = new Promise<void>((resolve) => {
    // `close` of node:http would cut responses that clients are still reading.
    NetServer.prototype.close.call(server, () => resolve());
  });
  const graceEnd = performance.now() + graceMs;
  const sweep = setInterval(() => {
    if (performance.now() >= graceEnd) closeIdle(server, open);
  }, idleSweepMs);
  const limit = setTimeout(() => {
    for (const socket of open) socket.destroy();
  }, deadline.leftMs());
  await closed;
  clearInterval(sweep);
  clearTimeout(limit);
}

/** Accepts connections in the system's backlog; the system resets them when a server closes. */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = true;
  const accept = () => {
    accepted = true;
  };
  // If this turn had input, the event loop accepts connections only in the next turn.
  await setImmediate();
  server.on("connection", accept);
  for (let turn = 0; accepted && turn < maxTurns; turn++) {
    accepted = false;
    await setImmediate();
  }
  server.off("connection", accept);
}

function announceEnd(server: Server, open: ReadonlySet<Socket>): void {
  for (const event of ["request", "checkContinue", "checkExpectation"])
    server.prependListener(event, (_, response: ServerResponse) => closeAfterResponse(response));
  // Pipelined requests: the last response closes the connection.
  for (const socket of open) {
    const response = latestResponse(socket);
    if (response !== undefined) closeAfterResponse(response);
  }
}

function closeAfterResponse(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
}

/** node:http counts new connections without a request as busy; load balancers open them early. */
function closeIdle(server: Server, open: ReadonlySet<Socket>): void {
  // node:http also counts a connection as idle while its client still reads the response.
  if ([...open].every(({ writableLength }) => writableLength === 0)) server.closeIdleConnections();
  for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
}
