import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { afterFile } from "./after-file.ts";

export interface TestProxy {
  /** The same server, by way of the proxy. */
  readonly url: string;
  /** Breaks all connections, and each new one at once, as when the server is down. */
  cut(): void;
  /** Nothing passes on the connections of now any more, and nobody is told, as behind a firewall that forgot them. */
  stall(): void;
  /** The same, as soon as so many bytes more have passed on one of them, in either direction. */
  stallBehind(bytes: number): void;
  /** Nothing passes on any connection, and new ones are taken and not answered, as when the server was stopped by SIGSTOP. */
  freeze(): void;
  /** Lets connections pass again, those that were frozen too. */
  mend(): void;
}

/** One connection by way of the proxy. */
interface Way {
  readonly near: Socket;
  far: Socket | null;
}

/** Stands between a client and a server that others need too, until the test file is over. */
export async function proxyTo(target: string): Promise<TestProxy> {
  const { hostname, port } = new URL(target);
  const ways = new Set<Way>();
  /** Those that nobody knows any more. */
  const forgotten: Way[] = [];
  let state: "open" | "cut" | "frozen" = "open";
  const open = (way: Way) => {
    way.far ??= ended(connect(Number(port), hostname));
    way.near.pipe(way.far).pipe(way.near);
  };
  const close = ({ near, far }: Way) => {
    near.destroy();
    far?.destroy();
  };
  const pause = ({ near, far }: Way) => {
    near.unpipe().pause();
    far?.unpipe().pause();
  };
  const server = createServer((near) => {
    if (state === "cut") return void near.destroy();
    const way: Way = { near: ended(near), far: null };
    ways.add(way);
    near.on("close", () => ways.delete(way));
    if (state === "frozen") near.pause();
    else open(way);
  }).listen(0, "127.0.0.1");
  afterFile(() => {
    server.close();
    for (const way of [...ways, ...forgotten]) close(way);
  });
  await once(server, "listening");
  const address = server.address();
  const url = new URL(target);
  url.host = `127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  return {
    url: url.href,
    cut() {
      state = "cut";
      ways.forEach(close);
    },
    stall() {
      ways.forEach(pause);
      forgotten.push(...ways);
      ways.clear();
    },
    stallBehind(bytes) {
      for (const way of ways) {
        let left = bytes;
        const count = (chunk: Buffer) => {
          left -= chunk.length;
          if (left < 0) pause(way);
        };
        way.near.on("data", count);
        way.far?.on("data", count);
        forgotten.push(way);
      }
      ways.clear();
    },
    freeze() {
      state = "frozen";
      ways.forEach(pause);
    },
    mend() {
      if (state === "frozen") ways.forEach(open);
      state = "open";
    },
  };
}

/** A connection whose errors are its end. */
function ended(socket: Socket): Socket {
  return socket.on("error", () => {});
}
