import type { Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { latestAnswer } from "../core/http/index.ts";
import type { Deadline } from "./deadline.ts";

const idleSweepMs = 25;
/** Of the event loop, which accepts one connection a turn: under load there is always another one. */
const mostTurns = 20;
/** A request can be on its way on any connection, which the client cannot send again if it is a POST. */
const graceMs = 500;
/** The open connections of each server that listens. */
const connections = new WeakMap<Server, Set<Socket>>();

/** Begins to listen. Gives the address that a caller on this machine can use. */
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
 * flight.
 */
export async function drain(server: Server, { accepting, deadline }: DrainOptions): Promise<void> {
  const open = connections.get(server) ?? new Set();
  announceEnd(server, open);
  await accepting;
  await acceptWaiting(server);
  const closed = new Promise<void>((resolve) => {
    // That of node:http would cut answers which are still being taken.
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

/** Accepts the connections that wait in the system's queue, which resets them when a server stops listening. */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = true;
  const accept = () => {
    accepted = true;
  };
  // Right after input of this turn the loop would not look for connections before the next one.
  await setImmediate();
  server.on("connection", accept);
  for (let turn = 0; accepted && turn < mostTurns; turn++) {
    accepted = false;
    await setImmediate();
  }
  server.off("connection", accept);
}

function announceEnd(server: Server, open: ReadonlySet<Socket>): void {
  for (const event of ["request", "checkContinue", "checkExpectation"])
    server.prependListener(event, (_, response: ServerResponse) => sayLast(response));
  // What is in flight already: of requests that wait behind each other the last one.
  for (const socket of open) {
    const response = latestAnswer(socket);
    if (response !== undefined) sayLast(response);
  }
}

function sayLast(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
}

/** To node:http a connection that has sent nothing yet is busy; balancers and browsers open such ones in advance. */
function closeIdle(server: Server, open: ReadonlySet<Socket>): void {
  // And one whose answer is still being taken is idle to it. Until then the idle stay, and whoever uses one is told that it ends.
  if ([...open].every(({ writableLength }) => writableLength === 0)) server.closeIdleConnections();
  for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
}
