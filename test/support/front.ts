import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { listening } from "./listening.ts";

/** A request as it arrived. */
export interface Arrived {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** An answer that the server behind does not give. */
export interface Played {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | object;
}

/** What happens to a request: it gets this answer, passes, loses its connection, loses the answer, or gets none. */
export type Play = Played | "pass" | "drop" | "lose" | "silence";

export interface Front {
  readonly url: string;
  /** Requests so far. */
  readonly arrived: Arrived[];
  /** Their methods and paths. */
  lines(): string[];
  /** What happens to the next requests, in turn; then all pass. */
  play(...plays: readonly Play[]): void;
  /** What happens to each request to such a path. Null: nothing more. */
  always(path: string, play: Play | null): void;
  /** Resolves when so many requests have arrived. */
  reached(count: number): Promise<void>;
  /** Requests of which the client has closed the connection before an answer. */
  readonly left: Arrived[];
  /** Forgets requests and plays. */
  reset(): void;
}

/** A server in front of another: it keeps what arrives, and can do what proxies and networks do. It ends with the test file. */
export async function frontOf(target: string): Promise<Front> {
  const arrived: Arrived[] = [];
  const left: Arrived[] = [];
  let plays: Play[] = [];
  let fixed = new Map<string, Play>();
  const waiting = new Set<() => void>();
  const server = createServer(async (incoming, response) => {
    const body = await bodyOf(incoming);
    if (body === null) return;
    const { method = "", url: path = "", headers } = incoming;
    const one: Arrived = { method, path, headers, body: body.toString("latin1") };
    response.on("close", () => response.writableFinished || left.push(one));
    const [pathname = ""] = path.split("?");
    const play = fixed.get(pathname) ?? plays.shift() ?? "pass";
    arrived.push(one);
    for (const wake of waiting) wake();
    await perform(play, target, incoming, body, response);
  });
  const url = await listening(server);
  return {
    url,
    arrived,
    left,
    lines: () => arrived.map(({ method, path }) => `${method} ${path}`),
    play(...next) {
      plays.push(...next);
    },
    always(path, play) {
      if (play === null) fixed.delete(path);
      else fixed.set(path, play);
    },
    async reached(count) {
      while (arrived.length < count)
        await new Promise<void>((resolve) => {
          const wake = () => {
            waiting.delete(wake);
            resolve();
          };
          waiting.add(wake);
        });
    },
    reset() {
      arrived.length = 0;
      left.length = 0;
      plays = [];
      fixed = new Map();
    },
  };
}

/** Null if the client has gone. */
async function bodyOf(incoming: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  incoming.on("data", (part: Buffer) => parts.push(part));
  incoming.on("error", () => {});
  await Promise.race([once(incoming, "end"), once(incoming, "close")]).catch(() => {});
  return incoming.complete ? Buffer.concat(parts) : null;
}

async function perform(
  play: Play,
  target: string,
  incoming: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): Promise<void> {
  if (play === "silence") return;
  if (play === "drop") return void response.destroy();
  if (typeof play === "object") {
    const text = typeof play.body === "object" ? JSON.stringify(play.body) : (play.body ?? "");
    return void response.writeHead(play.status, play.headers).end(text);
  }
  const { hostname, port } = new URL(target);
  const { method, headers, url: path } = incoming;
  const outgoing = request({ hostname, port, method, path, headers }, (answer) => {
    if (play === "lose") return void answer.resume().on("end", () => response.destroy());
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outgoing.on("error", () => response.destroy());
  response.on("close", () => outgoing.destroy());
  outgoing.end(body);
}

/** An error in the envelope of the service. */
export function errorOf(status: number, error: string, headers: Record<string, string> = {}): Played {
  const body = { statusCode: status, status: "error", error, message: "It says no.", data: null };
  return { status, headers: { "content-type": "application/json", ...headers }, body };
}
