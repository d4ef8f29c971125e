import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { afterAll } from "vitest";

export interface TestProxy {
  /** The same server, by way of the proxy. */
  readonly url: string;
  /** Breaks all connections, and each new one at once, as when the server is down. */
  cut(): void;
  /** Nothing passes on the connections of now any more, and nobody is told, as behind a firewall that forgot them. */
  stall(): void;
  /** Lets connections pass again. */
  mend(): void;
}

/** Stands between a client and a server that others need too, until the test file is over. */
export async function proxyTo(target: string): Promise<TestProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
  }).listen(0, "127.0.0.1");
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  afterAll(() => {
    server.close();
    destroyAll();
  });
  await once(server, "listening");
  const address = server.address();
  const url = new URL(target);
  url.host = `127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  return {
    url: url.href,
    cut() {
      isCut = true;
      destroyAll();
    },
    stall() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    mend() {
      isCut = false;
    },
  };
}
