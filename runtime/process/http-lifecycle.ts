import type { Server } from "node:http";
import type { Socket } from "node:net";

const idleSweepMs = 25;
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
      resolve(addressOf(server, host));
    });
  });
}

function addressOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const isAny = host === "0.0.0.0" || host === "::";
  const name = isAny ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** Accepts nothing more and waits for the requests in flight; after `timeoutMs` their connections are cut. */
export async function drain(server: Server, timeoutMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // What comes in on a connection that is open already is answered, and is the last on it.
  server.prependListener("request", (_, response) => {
    response.setHeader("Connection", "close");
  });
  const sweep = setInterval(() => closeIdle(server), idleSweepMs);
  const limit = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(limit);
}

/** To node:http a connection that has sent nothing yet is busy; balancers and browsers open such ones in advance. */
function closeIdle(server: Server): void {
  server.closeIdleConnections();
  for (const socket of connections.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy();
}
