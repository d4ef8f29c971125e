import type { Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { latestAnswer } from "../http/index.ts";
import type { Deadline } from "./deadline.ts";

const idleSweepMs = 25;
/** Of the event loop. Under load there is always another connection, and balancers try one that is refused elsewhere. */
const mostTurns = 20;
/** A connection that has sent nothing for so long is not about to. */
const silenceMs = 500;
/** The open connections of a server, and when it accepted each (`performance.now()`). */
type Connections = Map<Socket, number>;
/** Those of each server that listens. */
const connections = new WeakMap<Server, Connections>();

/** Begins to listen. Gives the address that a caller on this machine can use. */
export function listen(server: Server, port: number, host: string): Promise<string> {
  const open: Connections = new Map();
  connections.set(server, open);
  server.on("connection", (socket) => {
    open.set(socket, performance.now());
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

/** The address that a server really listens on, which may be all of this machine: `http://0.0.0.0:3000`. */
export function listeningAddress(server: Server): string {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server does not listen");
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

/** How a server stops. */
export interface DrainOptions {
  /** Until then it goes on accepting, while balancers learn that it stops. Default: no longer. */
  readonly accepting?: Promise<unknown>;
  /** Then connections are cut. */
  readonly deadline: Deadline;
}

/**
 * Has each answer from now on be the last on its connection; accepts nothing more after a while, and waits for the requests in
 * flight (decisions, part 1).
 */
export async function drain(server: Server, { accepting, deadline }: DrainOptions): Promise<void> {
  const open = connections.get(server) ?? new Map();
  announceEnd(server, open);
  await accepting;
  await acceptWaiting(server);
  const closed = new Promise<void>((resolve) => {
    // That of node:http would cut answers which are still being taken.
    NetServer.prototype.close.call(server, () => resolve());
  });
  const sweep = setInterval(() => closeIdle(server, open), idleSweepMs);
  const limit = setTimeout(() => {
    for (const socket of open.keys()) socket.destroy();
  }, deadline.leftMs());
  await closed;
  clearInterval(sweep);
  clearTimeout(limit);
}

/** Accepts what has connected already: the system resets the connections that wait when a server stops listening. */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = true;
  const accept = () => {
    accepted = true;
  };
  server.on("connection", accept);
  for (let turn = 0; accepted && turn < mostTurns; turn++) {
    accepted = false;
    await setImmediate();
  }
  server.off("connection", accept);
}

function announceEnd(server: Server, open: ReadonlyMap<Socket, number>): void {
  for (const event of ["request", "checkContinue", "checkExpectation"])
    server.prependListener(event, (_, response: ServerResponse) => sayLast(response));
  // What is in flight already: of requests that wait behind each other the last one.
  for (const socket of open.keys()) {
    const response = latestAnswer(socket);
    if (response !== undefined) sayLast(response);
  }
}

function sayLast(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
}

/** To node:http a connection that has sent nothing yet is busy; balancers and browsers open such ones in advance. */
function closeIdle(server: Server, open: ReadonlyMap<Socket, number>): void {
  // And one whose answer is still being taken is idle to it. Until then the idle stay, and whoever uses one is told that it ends.
  if ([...open.keys()].every(({ writableLength }) => writableLength === 0)) server.closeIdleConnections();
  // The request of a connection that was just accepted may be on its way.
  const now = performance.now();
  for (const [socket, acceptedAt] of open)
    if (socket.bytesRead === 0 && now - acceptedAt >= silenceMs) socket.destroy();
}
