import { type ConnectOptions, connectSession } from "./connect-session.ts";
import { ConnectionError, NoAnswerError } from "./connection-error.ts";
import type { PooledConnection, Prepares } from "./pooled-connection.ts";

const idleSweepMs = 30_000;
const closeTimeoutMs = 5_000;

export interface PoolOptions extends Omit<ConnectOptions, "connectTimeoutMs" | "onSilent" | "prepares"> {
  readonly namedStatements: boolean;
  readonly maxConnections: number;
  /** Longest time that somebody waits for a free connection. */
  readonly acquireTimeoutMs: number;
}

interface Waiter {
  readonly timer: NodeJS.Timeout;
  resolve(session: PooledConnection): void;
  reject(error: Error): void;
}

/**
 * Connections, of which the one released last is handed out first: its statements and caches are warm.
 * One that was lost is replaced when it is needed.
 */
export class Pool {
  private readonly options: PoolOptions;
  private readonly prepares: Prepares;
  private readonly sessions = new Set<PooledConnection>();
  private readonly idle: PooledConnection[] = [];
  private readonly waiting: Waiter[] = [];
  private connecting = 0;
  private readonly ending = new Set<PooledConnection>();
  private lowestIdle = 0;
  private readonly idleTimer: NodeJS.Timeout;
  private closed: (() => void) | null = null;

  constructor(options: PoolOptions) {
    this.options = options;
    this.prepares = sharedPrepares(options);
    this.idleTimer = setInterval(() => this.sweepIdle(), idleSweepMs).unref();
  }

  /** A free connection, or undefined when one must be waited for. */
  take(): PooledConnection | undefined {
    const session = this.idle.pop();
    if (this.idle.length < this.lowestIdle) this.lowestIdle = this.idle.length;
    return session;
  }

  /**
   * Waits for a free connection, by default as long as anybody may. Rejects with a NoAnswerError when none comes free in time,
   * and none can be made.
   */
  acquire(longestMs: number = this.options.acquireTimeoutMs): Promise<PooledConnection> {
    if (this.closed !== null) return Promise.reject(closedError());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(waiter), 1);
        reject(new NoAnswerError("no database connection came free in time"));
      }, longestMs).unref();
      const waiter: Waiter = { timer, resolve, reject };
      this.waiting.push(waiter);
      this.grow();
    });
  }

  /** Gives a connection back. */
  release(session: PooledConnection): void {
    // Whatever went wrong before: nobody gets a connection on which a transaction is still open.
    const isClean = !session.broken && session.client.getTransactionStatus() === "I";
    if (isClean && this.closed === null && !session.isCrowded) this.offer(session);
    else this.discard(session);
  }

  /** Ends all connections; those in use when they are released, at the latest after five seconds. */
  async close(): Promise<void> {
    clearInterval(this.idleTimer);
    const done = new Promise<void>((resolve) => {
      this.closed = resolve;
    });
    while (this.waiting.length > 0) this.next()?.reject(closedError());
    for (const session of this.idle.splice(0)) this.discard(session);
    const timer = setTimeout(() => this.destroyAll(), closeTimeoutMs);
    this.settle();
    await done;
    clearTimeout(timer);
  }

  private offer(session: PooledConnection): void {
    const waiter = this.next();
    if (waiter === undefined) this.idle.push(session);
    else waiter.resolve(session);
  }

  /** Whoever has waited longest, and waits no more. */
  private next(): Waiter | undefined {
    const waiter = this.waiting.shift();
    clearTimeout(waiter?.timer);
    return waiter;
  }

  private grow(): void {
    const missing = this.waiting.length - this.connecting;
    if (missing <= 0 || this.sessions.size + this.connecting >= this.options.maxConnections) return;
    this.connecting++;
    this.connect().then(
      (session) => this.add(session),
      (error: Error) => {
        this.connecting--;
        // Of silence each one has enough when his own time is up.
        if (!(error instanceof NoAnswerError)) this.next()?.reject(new ConnectionError(error));
        if (this.closed === null) this.grow();
        this.settle();
      },
    );
  }

  private connect(): Promise<PooledConnection> {
    return connectSession({
      ...this.options,
      connectTimeoutMs: this.options.acquireTimeoutMs,
      prepares: this.prepares,
      onSilent: () => this.discardUnheard(),
    });
  }

  private add(session: PooledConnection): void {
    this.connecting--;
    this.sessions.add(session);
    session.client.on("end", () => this.discard(session));
    if (session.broken) this.discard(session);
    else this.release(session);
  }

  /** Forgets a connection and ends it; somebody who waits may get a new one in its place. */
  private discard(session: PooledConnection): void {
    if (!this.sessions.delete(session)) return;
    session.broken = true;
    const at = this.idle.indexOf(session);
    if (at >= 0) this.idle.splice(at, 1);
    this.ending.add(session);
    // A server that hangs does not say goodbye.
    const timer = setTimeout(() => session.socket.destroy(), closeTimeoutMs).unref();
    session.client.end(() => {
      clearTimeout(timer);
      this.ending.delete(session);
      this.settle();
    });
    if (this.closed === null) this.grow();
  }

  /** What made one connection silent may have silenced others: idle ones have to prove themselves anew. */
  private discardUnheard(): void {
    const unheard = this.idle.filter((session) => !session.wasReadyWithin(this.options.answerTimeoutMs));
    for (const session of unheard) {
      this.discard(session);
      session.socket.destroy();
    }
  }

  private settle(): void {
    if (this.closed !== null && this.sessions.size + this.connecting + this.ending.size === 0) this.closed();
  }

  private destroyAll(): void {
    for (const session of this.sessions) this.discard(session);
    for (const session of this.ending) session.socket.destroy();
  }

  /** Ends the connections that nobody needed since the last sweep. */
  private sweepIdle(): void {
    for (const session of this.idle.slice(0, this.lowestIdle)) this.discard(session);
    this.lowestIdle = this.idle.length;
  }
}

function closedError(): ConnectionError {
  return new ConnectionError(new Error("the database connections are closed"));
}

/** Names until a pooler loses one: a transaction of several statements would lose more of them at each attempt. */
function sharedPrepares({ namedStatements, log }: PoolOptions): Prepares {
  let named = namedStatements;
  return {
    get named() {
      return named;
    },
    onLost() {
      if (!named) return;
      named = false;
      log.warn(
        "the connection pooler knows no named statements, so they are sent without: SERVICE_DATABASE_NAMED_STATEMENTS=false spares the first try",
      );
    },
  };
}
