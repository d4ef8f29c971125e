import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface StallingServer {
  /** The same database. */
  readonly url: string;
  /** From now on nothing passes, and nobody is told. */
  stall(): void;
}

/** Passes connections on to a database until it stalls, as a network does. */
export async function stallingServer(url: string): Promise<StallingServer> {
  const target = new URL(url);
  const sockets: Socket[] = [];
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    sockets.push(near, far);
    for (const socket of [near, far]) socket.on("error", () => {});
    near.pipe(far).pipe(near);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await once(server, "listening");
  const address = server.address();
  const own = new URL(url);
  own.host = `127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  return {
    url: own.href,
    stall() {
      for (const socket of sockets) socket.unpipe().pause();
    },
  };
}
