import type { Duplex } from "node:stream";

/** Bodies that are a little too large, and what a slow client had on its way. */
const mostBytes = 16 * 1024 * 1024;
const longestMs = 5_000;

/**
 * What a client goes on sending though it was answered: dropped, within bounds, before its connection ends. The system resets a
 * connection that is closed while something arrives, and then the client may lose the answer that it has not read yet
 * (RFC 9112, 9.6).
 */
export class Leftovers {
  readonly #connection: Duplex;
  readonly #timer: NodeJS.Timeout;
  readonly #end = () => this.end();
  #left = mostBytes;

  constructor(connection: Duplex) {
    this.#connection = connection;
    this.#timer = setTimeout(() => connection.destroy(), longestMs);
    connection.once("close", this.#end);
  }

  drop(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) this.#connection.destroy();
  }

  /** Nothing more is to come. */
  end(): void {
    clearTimeout(this.#timer);
    // A connection may have many such bodies, one after the other.
    this.#connection.off("close", this.#end);
  }
}
