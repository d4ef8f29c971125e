import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface Reply {
  readonly status: number;
  /** All that came, with the head. */
  readonly text: string;
}

/** One kept connection, over which one request after the other is sent: a small part of what a whole client would cost. */
export class Connection {
  readonly #socket: Socket;
  #text = "";
  #settle: ((reply: Reply | null) => void) | null = null;

  /** `socket`: connected. */
  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (part) => this.#take(part.toString("latin1")));
    socket.on("error", () => {});
    socket.on("close", () => this.#end(null));
  }

  static async open(port: number): Promise<Connection> {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return new Connection(socket);
  }

  /** Calls back with the answer; null: the connection was lost. One at a time. */
  send(path: string, token: string | null, settle: (reply: Reply | null) => void): void {
    this.#settle = settle;
    if (this.#socket.destroyed) this.#end(null);
    const credential = token === null ? "" : `Authorization: Bearer ${token}\r\n`;
    this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${credential}\r\n`);
  }

  /** The same, and how many milliseconds it took. */
  async ask(
    path: string,
    token: string | null,
  ): Promise<{ readonly reply: Reply | null; readonly ms: number }> {
    const since = performance.now();
    const reply = await new Promise<Reply | null>((resolve) => this.send(path, token, resolve));
    return { reply, ms: performance.now() - since };
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(part: string): void {
    this.#text += part;
    const head = this.#text.indexOf("\r\n\r\n");
    if (head < 0) return;
    const length = Number(/^content-length: (\d+)/im.exec(this.#text)?.[1]);
    if (this.#text.length < head + 4 + length) return;
    const text = this.#text;
    this.#text = "";
    this.#end({ status: Number(text.slice(9, 12)), text });
  }

  #end(reply: Reply | null): void {
    const settle = this.#settle;
    this.#settle = null;
    settle?.(reply);
  }
}
