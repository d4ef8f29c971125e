import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A free port from the system, for programs that cannot choose one. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

export interface SilentServer {
  /** As that of a PostgreSQL. */
  readonly url: string;
  /** How many connections it took so far. */
  count(): number;
}

/** A server that takes connections and says nothing, until the test is over. */
export async function silentServer(): Promise<SilentServer> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {}).resume();
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { url: `postgres://user:hidden@127.0.0.1:${port}/app`, count: () => sockets.length };
}
