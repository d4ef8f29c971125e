import { type ConnectOptions, connectSession } from "./connect-session.ts";
import { ConnectionError, NoAnswerError } from "./connection-error.ts";
import type { Session } from "./session.ts";

const idleSweepMs = 30_000;
const closeTimeoutMs = 5_000;

export interface PoolOptions
  extends Omit<ConnectOptions, "connectTimeoutMs" | "onSilent" | "onLostStatement"> {
  readonly maxConnections: number;
  /** Longest time that somebody waits for a free connection. */
  readonly acquireTimeoutMs: number;
}

interface Waiter {
  readonly deadline: number;
  resolve(session: Session): void;
  reject(error: Error): void;
}

/**
 * Connections, of which the one released last is handed out first: its statements and caches are warm.
 * One that was lost is replaced when it is needed.
 */
export class Pool {
  private readonly options: PoolOptions;
  private readonly sessions = new Set<Session>();
  private readonly idle: Session[] = [];
  private readonly waiting: Waiter[] = [];
  private connecting = 0;
  private readonly ending = new Set<Session>();
  private lowestIdle = 0;
  private waitTimer: NodeJS.Timeout | null = null;
  private readonly idleTimer: NodeJS.Timeout;
  private closed: (() => void) | null = null;
  private saidThatStatementsAreLost = false;

  constructor(options: PoolOptions) {
    this.options = options;
    this.idleTimer = setInterval(() => this.sweepIdle(), idleSweepMs).unref();
  }

  /** A free connection, or undefined when one must be waited for. */
  take(): Session | undefined {
    const session = this.idle.pop();
    if (this.idle.length < this.lowestIdle) this.lowestIdle = this.idle.length;
    return session;
  }

  /** Waits for a free connection. Rejects with a NoAnswerError when none comes free in time, and none can be made. */
  acquire(): Promise<Session> {
    if (this.closed !== null) return Promise.reject(closedError());
    return new Promise((resolve, reject) => {
      this.waiting.push({ deadline: Date.now() + this.options.acquireTimeoutMs, resolve, reject });
      this.watchWaiting();
      this.grow();
    });
  }

  /** Gives a connection back. */
  release(session: Session): void {
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
    for (const waiter of this.waiting.splice(0)) waiter.reject(closedError());
    for (const session of this.idle.splice(0)) this.discard(session);
    const timer = setTimeout(() => this.destroyAll(), closeTimeoutMs);
    this.settle();
    await done;
    clearTimeout(timer);
  }

  private offer(session: Session): void {
    const waiter = this.waiting.shift();
    if (waiter === undefined) this.idle.push(session);
    else waiter.resolve(session);
  }

  private grow(): void {
    const missing = this.waiting.length - this.connecting;
    if (missing <= 0 || this.sessions.size + this.connecting >= this.options.maxConnections) return;
    this.connecting++;
    this.connect().then(
      (session) => this.add(session),
      (error: Error) => {
        this.connecting--;
        this.waiting.shift()?.reject(error instanceof ConnectionError ? error : new ConnectionError(error));
        if (this.closed === null) this.grow();
        this.settle();
      },
    );
  }

  private connect(): Promise<Session> {
    return connectSession({
      ...this.options,
      connectTimeoutMs: this.options.acquireTimeoutMs,
      onSilent: () => this.discardUnheard(),
      onLostStatement: () => this.warnOfLostStatements(),
    });
  }

  private add(session: Session): void {
    this.connecting--;
    this.sessions.add(session);
    session.client.on("end", () => this.discard(session));
    if (session.broken) this.discard(session);
    else this.release(session);
  }

  /** Forgets a connection and ends it; somebody who waits may get a new one in its place. */
  private discard(session: Session): void {
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

  private warnOfLostStatements(): void {
    if (this.saidThatStatementsAreLost) return;
    this.saidThatStatementsAreLost = true;
    this.options.log.warn(
      "PostgreSQL lost a prepared statement, as behind a connection pooler that knows no named ones: SERVICE_DATABASE_NAMED_STATEMENTS=false does without",
    );
  }

  private settle(): void {
    if (this.closed !== null && this.sessions.size + this.connecting + this.ending.size === 0) this.closed();
  }

  private destroyAll(): void {
    for (const session of this.sessions) this.discard(session);
    for (const session of this.ending) session.socket.destroy();
  }

  private watchWaiting(): void {
    const first = this.waiting[0];
    if (this.waitTimer !== null || first === undefined) return;
    this.waitTimer = setTimeout(() => {
      this.waitTimer = null;
      const now = Date.now();
      for (let waiter = this.waiting[0]; waiter && waiter.deadline <= now; waiter = this.waiting[0]) {
        this.waiting.shift();
        waiter.reject(new NoAnswerError("no database connection came free in time"));
      }
      this.watchWaiting();
    }, first.deadline - Date.now()).unref();
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
