import pg from "pg";
import type { Logger } from "pino";
import { readerOf } from "./column-values.ts";
import { ConnectionError, closedError, NoResponseError, tooManyWaiting } from "./database-error.ts";
import { endWhenSilent } from "./liveness.ts";
import { PooledConnection, type Prepares } from "./pooled-connection.ts";
import type { ConnectionCounts } from "./queryable.ts";

interface ConnectOptions {
  readonly url: string;
  /** Longest time to make a connection. */
  readonly connectTimeoutMs: number;
  /** 0 for no limit. */
  readonly statementTimeoutMs: number;
  /** 0 for no limit. */
  readonly lockTimeoutMs: number;
  /** 0 for no limit. */
  readonly answerTimeoutMs: number;
  readonly synchronousCommit: boolean;
  readonly prepares: Prepares;
  /** Whether the server is working on the statement of a connection. */
  readonly isWorking: (connection: PooledConnection) => Promise<boolean>;
  readonly onSilent: () => void;
  readonly log: Logger;
}

/** Makes a connection with all settings. Errors: NoResponseError if that takes too long. */
async function connect(options: ConnectOptions): Promise<PooledConnection> {
  const client = new pg.Client({
    connectionString: options.url,
    keepAlive: true,
    application_name: "kirak",
    types: hookTypes,
  });
  const connection = new PooledConnection(client, options.prepares);
  // Without a listener, a lost connection would end the process.
  client.on("error", (error) => {
    connection.broken = true;
    options.log.warn({ err: error }, "a database connection was lost");
  });
  const late = new NoResponseError(`no connection to the database within ${options.connectTimeoutMs} ms`);
  const timer = setTimeout(() => connection.socket.destroy(late), options.connectTimeoutMs);
  try {
    await client.connect();
    await applySettings(connection, options);
  } catch (error) {
    connection.socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  if (options.answerTimeoutMs > 0) endWhenSilent(connection, silence(options));
  return connection;
}

/** If PostgreSQL cancels statements before the silence limit, a silent server is never working. */
function silence({ answerTimeoutMs, statementTimeoutMs, isWorking, onSilent }: ConnectOptions) {
  const mayTakeLonger = statementTimeoutMs === 0 || statementTimeoutMs > answerTimeoutMs;
  const longestWorkMs =
    statementTimeoutMs === 0 ? Number.POSITIVE_INFINITY : statementTimeoutMs + answerTimeoutMs;
  return { answerTimeoutMs, onSilent, longestWorkMs, isWorking: mayTakeLonger ? isWorking : null };
}

/** As statements, because poolers such as PgBouncer reject these settings in the start-up message. */
async function applySettings(connection: PooledConnection, options: ConnectOptions): Promise<void> {
  const limits = Object.entries({ ...printedForms, ...limitsOf(options) });
  const [row] = await connection.run({ name: null, text: "select pg_backend_pid()" }, []);
  if (row?.[0] === connection.processId) {
    await connection.command(...reported, ...limits.map(([name, value]) => `set ${name} = '${value}'`));
    return;
  }
  // A pooler reports a process id that does not exist, and keeps only settings whose changes the server
  // reports.
  await connection.command(...reported);
  const settings = limits.map(([name, value]) => `set_config('${name}', '${value}', true)`);
  connection.opening = `select ${settings.join()}`;
}

/** Settings whose changes PostgreSQL reports, so a pooler restores them on each server process. */
const reported = [
  "set TimeZone = 'UTC'",
  "set DateStyle = 'ISO, YMD'",
  "set standard_conforming_strings = on",
];

/** Fixes the printed form, which settings of a database or role can change. */
const printedForms = { extra_float_digits: "1", bytea_output: "hex", IntervalStyle: "postgres" };

function limitsOf({ statementTimeoutMs, lockTimeoutMs, synchronousCommit }: ConnectOptions) {
  return {
    idle_in_transaction_session_timeout: "60s",
    statement_timeout: String(Math.trunc(statementTimeoutMs)),
    lock_timeout: String(Math.trunc(lockTimeoutMs)),
    ...(!synchronousCommit && { synchronous_commit: "off" }),
  };
}

/** Values that hooks read through knex are as in the API. Other types are read as pg reads them. */
const hookTypes: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (format === "binary") return pg.types.getTypeParser(oid, "binary");
    return readerOf(oid) ?? pg.types.getTypeParser(oid, "text");
  },
};

const idleSweepMs = 30_000;
const closeTimeoutMs = 5_000;

interface PoolOptions extends Omit<ConnectOptions, "connectTimeoutMs" | "onSilent" | "prepares"> {
  readonly namedStatements: boolean;
  readonly maxConnections: number;
  /** Longest wait for a free connection. */
  readonly acquireTimeoutMs: number;
  /** How many calls can wait for a free connection. */
  readonly mostWaiting: number;
}

interface Waiter {
  readonly timer: NodeJS.Timeout;
  resolve(connection: PooledConnection): void;
  reject(error: Error): void;
}

/**
 * A pool that hands out the last released connection first, since its statements and caches are warm.
 * `pg.Pool` (3.14) takes 1.3 to 1.4 times the CPU time of a small statement: a tick, a timer and a listener
 * each time. It has no limit for waiting calls, and keeps idle connections that no longer respond. It binds a
 * call to one connection attempt, even if another connection becomes free.
 */
export class Pool {
  readonly #options: PoolOptions;
  readonly #prepares: Prepares;
  readonly #connections = new Set<PooledConnection>();
  readonly #idle: PooledConnection[] = [];
  readonly #waiting: Waiter[] = [];
  #connecting = 0;
  readonly #ending = new Set<PooledConnection>();
  /** Connections that were idle all the time since the last sweep. */
  #lowestIdle = 0;
  readonly #idleTimer: NodeJS.Timeout;
  #closed: (() => void) | null = null;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#prepares = sharedPrepares(options);
    this.#idleTimer = setInterval(() => this.#sweepIdle(), idleSweepMs).unref();
  }

  /**
   * Returns a free connection, or waits for one. Errors: NoResponseError if none becomes free in time, or at
   * once if too many calls wait; ConnectionError if none can be made.
   */
  take(longestMs?: number): PooledConnection | Promise<PooledConnection> {
    const connection = this.#idle.pop();
    if (this.#idle.length < this.#lowestIdle) this.#lowestIdle = this.#idle.length;
    return connection ?? this.#wait(longestMs ?? this.#options.acquireTimeoutMs);
  }

  release(connection: PooledConnection): void {
    // A connection with an open transaction must not be reused.
    const isClean = !connection.broken && connection.client.getTransactionStatus() === "I";
    if (!isClean || connection.crowded || this.#closed !== null) this.#discard(connection);
    else if (this.#waiting.length === 0) this.#idle.push(connection);
    else this.#next()?.resolve(connection);
  }

  counts(): ConnectionCounts {
    const idle = this.#idle.length;
    return { idle, used: this.#connections.size - idle, waiting: this.#waiting.length };
  }

  /** Whether the queue is full, not counting calls for which a connection is being made. */
  get isFull(): boolean {
    return this.#waiting.length - this.#connecting >= this.#options.mostWaiting;
  }

  /** Closes idle connections at once, the others on release or after five seconds. */
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
    if (this.isFull) return Promise.reject(tooManyWaiting);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(new NoResponseError("no database connection became free in time"));
      }, longestMs).unref();
      const waiter: Waiter = { timer, resolve, reject };
      this.#waiting.push(waiter);
      this.#grow();
    });
  }

  /** Removes the oldest waiting call. */
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
        // If the server is silent, each waiting call has its own timeout.
        if (!(error instanceof NoResponseError)) this.#next()?.reject(new ConnectionError(error));
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

  /** Removes and closes a connection, and makes a new one for a waiting call. */
  #discard(connection: PooledConnection): void {
    if (!this.#connections.delete(connection)) return;
    connection.broken = true;
    const at = this.#idle.indexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
    this.#ending.add(connection);
    const timer = setTimeout(() => connection.socket.destroy(), closeTimeoutMs).unref();
    connection.client.end(() => {
      clearTimeout(timer);
      this.#ending.delete(connection);
      this.#settle();
    });
    if (this.#closed === null) this.#grow();
  }

  /** The cause can affect other connections too, so those that were idle for long are replaced. */
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

  /** Closes connections that were idle since the last sweep. */
  #sweepIdle(): void {
    for (const connection of this.#idle.slice(0, this.#lowestIdle)) this.#discard(connection);
    this.#lowestIdle = this.#idle.length;
  }
}

/** Statements have names until a pooler loses one: each attempt of a longer transaction would lose more. */
function sharedPrepares({ namedStatements, log }: PoolOptions): Prepares {
  const prepares = {
    named: namedStatements,
    onLost() {
      if (!prepares.named) return;
      prepares.named = false;
      log.warn(
        "the connection pooler does not support named statements, so they are now sent without names; set SERVICE_DATABASE_NAMED_STATEMENTS=false to avoid the failed attempt",
      );
    },
  };
  return prepares;
}
