import type { Logger } from "pino";
import { asStep, BackgroundTasks, noTrace, type Trace } from "../concurrency/index.ts";
import {
  isStale,
  isTransient,
  LostResponseError,
  NoResponseError,
  tooManyWaiting,
} from "./database-error.ts";
import { Activity, SideConnection } from "./liveness.ts";
import { Pool } from "./pool.ts";
import type { PooledConnection } from "./pooled-connection.ts";
import type { Database, Queryable, Statement, TextRow, Transaction } from "./queryable.ts";
import { type Attempt, runTransaction, statementOfAttempt } from "./transaction.ts";

interface CallerReads {
  running: number;
  readonly waiting: (() => void)[];
}

interface CallerLimits {
  readonly atOnce: number;
  readonly waiting: number;
  readonly longestWaitMs: number;
}

/** Beyond this number of callers, those without a running read are removed. */
const mostRemembered = 1_000;

/** Limits how many reads each caller runs at the same time. Further reads wait. */
export class CallerConcurrencyLimit {
  readonly #limits: CallerLimits;
  readonly #callers = new Map<string, CallerReads>();

  constructor(limits: CallerLimits) {
    this.#limits = limits;
  }

  /**
   * Runs a read when the caller has a free slot. A read that waited gets the milliseconds that are left.
   * Errors: NoResponseError if the wait is too long, or at once if too many reads wait.
   */
  run<T>(caller: string, work: (leftMs?: number) => Promise<T>): Promise<T> {
    const share = this.#callers.get(caller) ?? this.#begin(caller);
    if (share.running >= this.#limits.atOnce)
      return this.#turn(share).then((leftMs) => runThenStartNext(share, work, leftMs));
    share.running++;
    return runThenStartNext(share, work);
  }

  #begin(caller: string): CallerReads {
    if (this.#callers.size >= mostRemembered)
      for (const [name, { running }] of this.#callers) if (running === 0) this.#callers.delete(name);
    const share = { running: 0, waiting: [] };
    this.#callers.set(caller, share);
    return share;
  }

  /** Waits for a read of the caller to end. Returns the milliseconds that are left. */
  #turn({ waiting }: CallerReads): Promise<number> {
    const { longestWaitMs, waiting: most } = this.#limits;
    if (waiting.length >= most) return Promise.reject(tooManyWaiting);
    const since = performance.now();
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve(Math.max(0, longestWaitMs - (performance.now() - since)));
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(new NoResponseError("other reads of the same caller took too long"));
      }, longestWaitMs).unref();
      waiting.push(begin);
    });
  }
}

function runThenStartNext<T>(
  share: CallerReads,
  work: (leftMs?: number) => Promise<T>,
  leftMs?: number,
): Promise<T> {
  return work(leftMs).then(
    (result) => {
      startNext(share);
      return result;
    },
    (error: unknown) => {
      startNext(share);
      throw error;
    },
  );
}

function startNext(share: CallerReads): void {
  const next = share.waiting.shift();
  if (next === undefined) share.running--;
  else next();
}

export interface DatabaseOptions {
  readonly url: string;
  /** The URL of PostgreSQL itself, if `url` is that of a pooler. Default: `url`. */
  readonly directUrl?: string;
  /** False behind a pooler that does not support named statements. Default true. */
  readonly namedStatements?: boolean;
  /** Default 10. */
  readonly maxConnections?: number;
  /** Longest wait for a connection. Default 5 s. */
  readonly acquireTimeoutMs?: number;
  /** How many calls can wait for a connection. Default 100 per connection. */
  readonly mostWaiting?: number;
  /** Longest time of one statement; default no limit. */
  readonly statementTimeoutMs?: number;
  /** Longest time that a statement waits for one lock; default no limit. */
  readonly lockTimeoutMs?: number;
  /**
   * Maximum time without data from a server that is not executing the statement. The connection is then
   * closed. Default 10 s.
   */
  readonly answerTimeoutMs?: number;
  /** False: a commit does not wait for the disk, and a crash of the server can lose it. Default true. */
  readonly synchronousCommit?: boolean;
  readonly log: Logger;
}

const maxAttempts = 4;
/** A connection runs this many statements of 50 ms within the longest wait. */
const waitingForEach = 100;
/**
 * Maximum number of transactions whose callbacks run in the background. Others wait for their own callbacks.
 */
const maxBackground = 100;

/** Opens a pool of connections. The first one is made on demand. */
export function createDatabase(options: DatabaseOptions): Database {
  const { url, directUrl = url, maxConnections = 10, acquireTimeoutMs = 5_000 } = options;
  const { mostWaiting = waitingForEach * maxConnections } = options;
  const readiness = new SideConnection({ url, name: "kirak readiness", text: "select 1", keeps: true });
  // Not through a pooler, which cannot respond while all of its connections are in use.
  const activity = new Activity(directUrl);
  const pool = new Pool({
    url,
    maxConnections,
    acquireTimeoutMs,
    mostWaiting,
    statementTimeoutMs: options.statementTimeoutMs ?? 0,
    lockTimeoutMs: options.lockTimeoutMs ?? 0,
    answerTimeoutMs: options.answerTimeoutMs ?? 10_000,
    synchronousCommit: options.synchronousCommit ?? true,
    namedStatements: options.namedStatements ?? true,
    isWorking: (connection) => activity.isWorkingFor(connection),
    log: options.log,
  });
  const background = new BackgroundTasks(options.log, { atOnce: 1, waiting: maxBackground });
  const services = { pool, log: options.log, background };
  const callerLimit = new CallerConcurrencyLimit({
    atOnce: Math.max(1, Math.floor(maxConnections / 2)),
    waiting: mostWaiting,
    longestWaitMs: acquireTimeoutMs,
  });
  const run = (work: Work, longestWaitMs?: number) => runStatement(pool, work, longestWaitMs, firstAttempt);
  return {
    run: (statement, values) => run({ statement, values, reads: statement.reads === true }),
    readsOf: (caller) => ({
      run: (statement, values) =>
        callerLimit.run(caller, (leftMs) => run({ statement, values, reads: true }, leftMs)),
    }),
    transaction: (work) => withRetries((attempt) => runTransaction(services, attempt, work)),
    ping: async () => void (await readiness.ask()),
    connections: () => pool.counts(),
    isFull: () => pool.isFull,
    async close(longestWaitMs) {
      await background.drain(longestWaitMs);
      readiness.close();
      activity.close();
      await pool.close();
    },
  };
}

interface Work {
  readonly statement: Statement;
  readonly values: readonly unknown[];
  readonly reads: boolean;
}

/**
 * Runs one statement, again if that can help. Not with `withRetries`, because each promise costs time here.
 */
function runStatement(
  pool: Pool,
  work: Work,
  longestWaitMs: number | undefined,
  attempt: Attempts,
): Promise<TextRow[]> {
  const taken = pool.take(longestWaitMs);
  const run = (connection: PooledConnection) => {
    const statement = statementOfAttempt(work.statement, attempt.isAgain);
    return connection.run(statement, work.values).then(
      (rows) => {
        pool.release(connection);
        return rows;
      },
      (error: unknown) => {
        pool.release(connection);
        const failure = work.reads ? error : LostResponseError.of(error);
        return runStatement(pool, work, longestWaitMs, nextAttempt(attempt, failure));
      },
    );
  };
  return taken instanceof Promise ? taken.then(run) : run(taken);
}

interface Attempts {
  /** Starts at 1. */
  readonly number: number;
  readonly isAgain: boolean;
}

const firstAttempt: Attempts = { number: 1, isAgain: false };

/** The attempt after a failed one. Throws the error if another attempt cannot help. */
function nextAttempt({ number, isAgain }: Attempts, error: unknown): Attempts {
  if (number === maxAttempts || !isTransient(error)) throw error;
  return { number: number + 1, isAgain: isAgain || !isStale(error) };
}

async function withRetries<T>(work: (attempt: Attempt) => Promise<T>): Promise<T> {
  for (let attempt = firstAttempt; ; ) {
    try {
      return await work({ mayRetry: attempt.number < maxAttempts, isAgain: attempt.isAgain });
    } catch (error) {
      attempt = nextAttempt(attempt, error);
    }
  }
}

/** A database that records each statement as a step of a trace; unchanged for `noTrace`. */
export function tracedDatabase(database: Database, trace: Trace): Database {
  if (trace === noTrace) return database;
  return {
    run: timed(database, trace),
    readsOf: (caller) => ({ run: timed(database.readsOf(caller), trace) }),
    transaction: (work) => database.transaction((transaction) => work(tracedTransaction(transaction, trace))),
    connections: () => database.connections(),
    isFull: () => database.isFull(),
    ping: () => database.ping(),
    close: (longestWaitMs) => database.close(longestWaitMs),
  };
}

/** Queries through knex are part of the hook's own step. */
function tracedTransaction(transaction: Transaction, trace: Trace): Transaction {
  return {
    run: timed(transaction, trace),
    untraced: transaction,
    get knex() {
      return transaction.knex;
    },
    savepoint: (work) => transaction.savepoint(work),
    get currentSavepoint() {
      return transaction.currentSavepoint;
    },
  };
}

function timed(queryable: Queryable, trace: Trace): Queryable["run"] {
  return (statement, values) => asStep(trace, "sql", () => queryable.run(statement, values), statement.text);
}
