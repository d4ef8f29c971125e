import { type ConnectOptions, connect } from "./connect.ts";
import { ConnectionError, closedError, NoAnswerError, tooManyWait } from "./connection-error.ts";
import type { PooledConnection, Prepares } from "./pooled-connection.ts";
import type { ConnectionCounts } from "./queryable.ts";

const idleSweepMs = 30_000;
const closeTimeoutMs = 5_000;

export interface PoolOptions extends Omit<ConnectOptions, "connectTimeoutMs" | "onSilent" | "prepares"> {
  readonly namedStatements: boolean;
  readonly maxConnections: number;
  /** Longest time that somebody waits for a free connection. */
  readonly acquireTimeoutMs: number;
  /** How many may wait at once until one is free. */
  readonly mostWaiting: number;
}

interface Waiter {
  readonly timer: NodeJS.Timeout;
  resolve(connection: PooledConnection): void;
  reject(error: Error): void;
}

/**
 * Connections, of which the one released last is handed out first: its statements and caches are warm. One that was lost is
 * replaced when it is needed. `pg.Pool` (3.14) does that too, at 1.3 to 1.4 times the CPU time of a small statement: a tick, a
 * timer and a listener each time. It lacks a longest wait of one's own, binds whoever makes it connect to that attempt though
 * another connection comes free, and discards no idle connection that may have gone silent.
 */
export class Pool {
  readonly #options: PoolOptions;
  readonly #prepares: Prepares;
  readonly #connections = new Set<PooledConnection>();
  readonly #idle: PooledConnection[] = [];
  readonly #waiting: Waiter[] = [];
  #connecting = 0;
  readonly #ending = new Set<PooledConnection>();
  /** How many were idle all the time since the last sweep. */
  #lowestIdle = 0;
  readonly #idleTimer: NodeJS.Timeout;
  #closed: (() => void) | null = null;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#prepares = sharedPrepares(options);
    this.#idleTimer = setInterval(() => this.#sweepIdle(), idleSweepMs).unref();
  }

  /**
   * A connection, at once where one is free. Else it waits for one, by default as long as anybody may, and rejects with a
   * NoAnswerError when none comes free in time, and none can be made; at once where too many wait already.
   */
  take(longestMs?: number): PooledConnection | Promise<PooledConnection> {
    const connection = this.#idle.pop();
    if (this.#idle.length < this.#lowestIdle) this.#lowestIdle = this.#idle.length;
    return connection ?? this.#wait(longestMs ?? this.#options.acquireTimeoutMs);
  }

  /** Gives a connection back. */
  release(connection: PooledConnection): void {
    // Whatever went wrong before: nobody gets a connection on which a transaction is still open.
    const isClean = !connection.broken && connection.client.getTransactionStatus() === "I";
    if (!isClean || connection.crowded || this.#closed !== null) this.#discard(connection);
    else if (this.#waiting.length === 0) this.#idle.push(connection);
    else this.#next()?.resolve(connection);
  }

  counts(): ConnectionCounts {
    const idle = this.#idle.length;
    return { idle, used: this.#connections.size - idle, waiting: this.#waiting.length };
  }

  /** Whether as many wait as can, not counting those for whom a connection is being made. */
  get isFull(): boolean {
    return this.#waiting.length - this.#connecting >= this.#options.mostWaiting;
  }

  /** Ends all connections; those in use when they are released, at the latest after five seconds. */
  async close(): Promise<void> {
    clearInterval(this.#idleTimer);
    const done = new Promise<void>((resolve) => {
      this.#closed = resolve;
    });
    while (this.#waiting.length > 0) this.#next()?.reject(closedError());
    for (const connection of this.#idle.splice(0)) this.#discard(connection);
    const timer = setTimeout(() => this.#destroyAll(), closeTimeoutMs);
    this.#settle();
    await done;
    clearTimeout(timer);
  }

  #wait(longestMs: number): Promise<PooledConnection> {
    if (this.#closed !== null) return Promise.reject(closedError());
    if (this.isFull) return Promise.reject(tooManyWait);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(new NoAnswerError("no database connection came free in time"));
      }, longestMs).unref();
      const waiter: Waiter = { timer, resolve, reject };
      this.#waiting.push(waiter);
      this.#grow();
    });
  }

  /** Whoever has waited longest, and waits no more. */
  #next(): Waiter | undefined {
    const waiter = this.#waiting.shift();
    clearTimeout(waiter?.timer);
    return waiter;
  }

  #grow(): void {
    const missing = this.#waiting.length - this.#connecting;
    if (missing <= 0 || this.#connections.size + this.#connecting >= this.#options.maxConnections) return;
    this.#connecting++;
    this.#connect().then(
      (connection) => this.#add(connection),
      (error: Error) => {
        this.#connecting--;
        // Of silence each one has enough when his own time is up.
        if (!(error instanceof NoAnswerError)) this.#next()?.reject(new ConnectionError(error));
        if (this.#closed === null) this.#grow();
        this.#settle();
      },
    );
  }

  #connect(): Promise<PooledConnection> {
    return connect({
      ...this.#options,
      connectTimeoutMs: this.#options.acquireTimeoutMs,
      prepares: this.#prepares,
      onSilent: () => this.#discardUnheard(),
    });
  }

  #add(connection: PooledConnection): void {
    this.#connecting--;
    this.#connections.add(connection);
    connection.client.on("end", () => this.#discard(connection));
    this.release(connection);
  }

  /** Forgets a connection and ends it; somebody who waits may get a new one in its place. */
  #discard(connection: PooledConnection): void {
    if (!this.#connections.delete(connection)) return;
    connection.broken = true;
    const at = this.#idle.indexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
    this.#ending.add(connection);
    // A server that hangs does not say goodbye.
    const timer = setTimeout(() => connection.socket.destroy(), closeTimeoutMs).unref();
    connection.client.end(() => {
      clearTimeout(timer);
      this.#ending.delete(connection);
      this.#settle();
    });
    if (this.#closed === null) this.#grow();
  }

  /** What made one connection silent may have silenced others: idle ones have to prove themselves anew. */
  #discardUnheard(): void {
    const unheard = this.#idle.filter(
      (connection) => !connection.wasReadyWithin(this.#options.answerTimeoutMs),
    );
    for (const connection of unheard) {
      this.#discard(connection);
      connection.socket.destroy();
    }
  }

  #settle(): void {
    if (this.#closed !== null && this.#connections.size + this.#connecting + this.#ending.size === 0)
      this.#closed();
  }

  #destroyAll(): void {
    for (const connection of this.#connections) this.#discard(connection);
    for (const connection of this.#ending) connection.socket.destroy();
  }

  /** Ends the connections that nobody needed since the last sweep. */
  #sweepIdle(): void {
    for (const connection of this.#idle.slice(0, this.#lowestIdle)) this.#discard(connection);
    this.#lowestIdle = this.#idle.length;
  }
}

/** Names until a pooler loses one: a transaction of several statements would lose more of them at each attempt. */
function sharedPrepares({ namedStatements, log }: PoolOptions): Prepares {
  const prepares = {
    named: namedStatements,
    onLost() {
      if (!prepares.named) return;
      prepares.named = false;
      log.warn(
        "the connection pooler knows no named statements, so they are sent without: SERVICE_DATABASE_NAMED_STATEMENTS=false spares the first try",
      );
    },
  };
  return prepares;
}
