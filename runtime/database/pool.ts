import { Socket } from "node:net";
import pg from "pg";
import type { Logger } from "pino";
import { hookTypes } from "./hook-types.ts";
import { ConnectionError, Session } from "./session.ts";

const connectTimeoutMs = 10_000;
const acquireTimeoutMs = 10_000;
const idleSweepMs = 30_000;
const closeTimeoutMs = 5_000;

export interface PoolOptions {
  readonly url: string;
  readonly maxConnections: number;
  /** 0 for no limit. */
  readonly statementTimeoutMs: number;
  /** 0 for no limit. */
  readonly lockTimeoutMs: number;
  /** 0 for no limit. */
  readonly answerTimeoutMs: number;
  readonly synchronousCommit: boolean;
  readonly log: Logger;
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

  /** Waits for a free connection. Rejects when none comes free or can be made within ten seconds. */
  acquire(): Promise<Session> {
    if (this.closed !== null) return Promise.reject(closedError());
    return new Promise((resolve, reject) => {
      this.waiting.push({ deadline: Date.now() + acquireTimeoutMs, resolve, reject });
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
    connect(this.options).then(
      (session) => this.add(session),
      (error: Error) => {
        this.connecting--;
        this.waiting.shift()?.reject(new ConnectionError(error));
        if (this.closed === null) this.grow();
        this.settle();
      },
    );
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
    session.client.end(() => {
      this.ending.delete(session);
      this.settle();
    });
    if (this.closed === null) this.grow();
  }

  private settle(): void {
    if (this.closed !== null && this.sessions.size + this.connecting + this.ending.size === 0) this.closed();
  }

  private destroyAll(): void {
    for (const session of this.sessions) this.discard(session);
    // A server that hangs does not say goodbye.
    for (const session of this.ending) session.client.connection.stream.destroy();
  }

  private watchWaiting(): void {
    const first = this.waiting[0];
    if (this.waitTimer !== null || first === undefined) return;
    this.waitTimer = setTimeout(() => {
      this.waitTimer = null;
      const now = Date.now();
      for (let waiter = this.waiting[0]; waiter && waiter.deadline <= now; waiter = this.waiting[0]) {
        this.waiting.shift();
        waiter.reject(new ConnectionError(new Error("no database connection came free within ten seconds")));
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

async function connect(options: PoolOptions): Promise<Session> {
  const client = new pg.Client({
    connectionString: options.url,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    application_name: "kirak",
    types: hookTypes,
  });
  const session = new Session(client);
  // Without a listener a connection that is lost would end the process.
  client.on("error", (error) => {
    session.broken = true;
    options.log.warn({ err: error }, "a database connection was lost");
  });
  await client.connect();
  if (options.answerTimeoutMs > 0) giveUpAfter(session, options.answerTimeoutMs);
  await session.command(settings(options));
  return session;
}

/** One that a firewall forgot would else be waited for until TCP gives up, a quarter of an hour later. */
function giveUpAfter(session: Session, silenceMs: number): void {
  const { stream } = session.client.connection;
  if (!(stream instanceof Socket)) return;
  stream.setTimeout(silenceMs).on("timeout", () => {
    if (session.isWaiting) stream.destroy(new Error("the database does not answer"));
  });
}

/** Set by statement and not in the start-up message, which poolers such as pgbouncer refuse to pass on. */
function settings(options: PoolOptions): string {
  return [
    "SET TimeZone = 'UTC'",
    "SET DateStyle = 'ISO, YMD'",
    "SET extra_float_digits = 1",
    "SET standard_conforming_strings = on",
    "SET idle_in_transaction_session_timeout = '60s'",
    `SET statement_timeout = ${Math.trunc(options.statementTimeoutMs)}`,
    `SET lock_timeout = ${Math.trunc(options.lockTimeoutMs)}`,
    ...(options.synchronousCommit ? [] : ["SET synchronous_commit = off"]),
  ].join(";");
}
