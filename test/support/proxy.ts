import { once } from "node:events";
import { Agent, createServer as createHttpServer, request } from "node:http";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterFile } from "./after-file.ts";
import { listening } from "./listening.ts";

export interface TestProxy {
  /** The same server, by way of the proxy. */
  readonly url: string;
  /** Breaks all connections, and each new one at once, as when the server is down. */
  cut(): void;
  /** Current connections pass no more data and stay open, as behind a firewall that dropped their state. */
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
  /** Stalled connections, kept only so that they are closed after the test file. */
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

/**
 * Publishes a service below a prefix that the service does not know, until the test file is over; all else is 404. Gives its own
 * origin.
 */
export async function rewritingProxy(target: string, prefix: string): Promise<string> {
  const { hostname, port } = new URL(target);
  const server = createHttpServer((incoming, response) => {
    const { method, headers, url = "" } = incoming;
    if (!url.startsWith(`${prefix}/`)) return void response.writeHead(404).end("not below the prefix");
    const path = url.slice(prefix.length);
    const outgoing = request({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on("error", () => response.destroy());
    response.on("close", () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  return listening(server);
}

const pollMs = 20;

interface Backend {
  origin: string;
  agent: Agent;
  isReady: boolean;
}

/** Sends requests in turn to those services whose `readyz` says 200, over connections that it keeps. It tries nothing twice. */
export class Balancer {
  readonly #backends: Backend[];
  readonly #polling: Promise<unknown>;
  #isOpen = true;
  #sent = 0;

  constructor(origins: readonly string[]) {
    this.#backends = origins.map((origin) => ({ origin, agent: keepingAgent(), isReady: false }));
    this.#polling = Promise.all(this.#backends.map((backend) => this.#watch(backend)));
  }

  /** The status of an answer, or what went wrong. */
  async get(path: string): Promise<number | string> {
    const ready = this.#backends.filter(({ isReady }) => isReady);
    const backend = ready[this.#sent++ % ready.length];
    return backend === undefined ? "no backend is ready" : status(backend.origin + path, backend.agent);
  }

  isReady(index: number): boolean {
    return this.#backends[index]?.isReady ?? false;
  }

  /** A service was restarted, at another address. */
  replace(index: number, origin: string): void {
    const backend = this.#backends[index];
    if (backend === undefined) throw new Error(`there is no service ${index}`);
    backend.agent.destroy();
    Object.assign(backend, { origin, agent: keepingAgent(), isReady: false });
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#polling;
    for (const { agent } of this.#backends) agent.destroy();
  }

  async #watch(backend: Backend): Promise<void> {
    const agent = new Agent();
    while (this.#isOpen) {
      const { origin } = backend;
      const isReady = (await status(`${origin}/readyz`, agent)) === 200;
      if (origin === backend.origin) backend.isReady = isReady;
      await sleep(pollMs);
    }
  }
}

function keepingAgent(): Agent {
  return new Agent({ keepAlive: true });
}

function status(url: string, agent: Agent): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = request(url, { agent }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
      response.on("error", (error) => resolve(error.message));
    });
    sent.on("error", (error) => resolve(error.message)).end();
  });
}
