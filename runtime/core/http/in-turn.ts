import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

export type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** Reading stops at the first that waits; what one read of 64 KiB can hold has been parsed by then. */
const mostWaiting = 4_000;

const latest = new WeakMap<Duplex, ServerResponse>();

/** The answer to the request that came last on a connection, whether it has begun or not. */
export function latestAnswer(connection: Duplex): ServerResponse | undefined {
  return latest.get(connection);
}

/**
 * Serves the requests of a connection one after the other: the next begins when the answer before it is in the hands of the
 * system. Whoever sends many and reads nothing has the service hold one answer, and not all of them.
 */
export function inTurn(serve: Serve): Serve {
  const lines = new WeakMap<Socket, Line>();
  return (request, response) => {
    const { socket } = request;
    // Whoever was told that this connection ends sends the request again on another one.
    if (!socket.writable) return;
    latest.set(socket, response);
    // node:http hands the connection from one response to the next when the first has gone.
    if (response.socket !== null) {
      serve(request, response);
      return;
    }
    const line = lines.get(socket) ?? new Line(socket);
    lines.set(socket, line);
    line.enter(response, () => serve(request, response));
  };
}

/** The requests of one connection that wait. Nothing is read from it meanwhile. */
class Line {
  readonly #socket: Socket;
  #waiting = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    // node:http reads on by itself, such as when an answer has drained.
    socket.on("resume", () => this.#hold());
  }

  enter(response: ServerResponse, serve: () => void): void {
    this.#waiting++;
    if (this.#waiting > mostWaiting) this.#socket.destroy();
    // Later: until the end of what is being parsed, node:http undoes it.
    process.nextTick(() => this.#hold());
    // Later: within this event node:http has not finished handing over.
    response.once("socket", () => process.nextTick(() => this.#leave(serve)));
  }

  #hold(): void {
    if (this.#waiting === 0) return;
    this.#socket.pause();
    // Where it was paused already, between the call of `resume` and this event, only this makes node:http stop reading.
    this.#socket.emit("pause");
  }

  #leave(serve: () => void): void {
    this.#waiting--;
    if (!this.#socket.writable) return;
    // The time that the answer before had to be taken.
    this.#socket.setTimeout(0);
    if (this.#waiting === 0) this.#socket.resume();
    serve();
  }
}
