import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

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
    return backend === undefined ? "nobody is ready" : status(backend.origin + path, backend.agent);
  }

  isReady(index: number): boolean {
    return this.#backends[index]?.isReady ?? false;
  }

  /** A service was started anew, at another address. */
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
