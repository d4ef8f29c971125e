import type { Logger } from "pino";
import { asStep, BackgroundTasks, noTrace, type Trace } from "../concurrency/index.ts";
import { isStale, isTransient, LostAnswerError, NoAnswerError, tooManyWait } from "./database-error.ts";
import { Activity, SideConnection } from "./liveness.ts";
import { Pool } from "./pool.ts";
import type { PooledConnection } from "./pooled-connection.ts";
import type { Database, Queryable, Statement, TextRow, Transaction } from "./queryable.ts";
import { type Attempt, ofAttempt, runTransaction } from "./transaction.ts";

/** What one caller has under way, and what waits for it. */
interface CallerReads {
  running: number;
  readonly waiting: (() => void)[];
}

/** What bounds the reads of callers. */
interface CallerLimits {
  /** How many reads of one caller are under way at once. */
  readonly atOnce: number;
  /** How many reads of one caller may wait for their turn. */
  readonly waiting: number;
  readonly longestWaitMs: number;
}

/** Callers who have nothing under way are forgotten when there are more than so many. */
const mostRemembered = 1_000;

/** Keeps what one caller does at once below a number; the rest of it waits for its turn. */
export class CallerConcurrencyLimit {
  readonly #limits: CallerLimits;
  readonly #shares = new Map<string, CallerReads>();

  constructor(limits: CallerLimits) {
    this.#limits = limits;
  }

  /**
   * Does the work of a caller when its turn has come; where it had to wait, the work is told how many milliseconds are left.
   * Rejects with a NoAnswerError when that takes too long, and at once where too many wait already.
   */
  run<T>(caller: string, work: (leftMs?: number) => Promise<T>): Promise<T> {
    const share = this.#shares.get(caller) ?? this.#begin(caller);
    if (share.running >= this.#limits.atOnce)
      return this.#turn(share).then((leftMs) => runAndPass(share, work, leftMs));
    share.running++;
    return runAndPass(share, work);
  }

  #begin(caller: string): CallerReads {
    if (this.#shares.size >= mostRemembered)
      for (const [name, { running }] of this.#shares) if (running === 0) this.#shares.delete(name);
    const share = { running: 0, waiting: [] };
    this.#shares.set(caller, share);
    return share;
  }

  /** Waits until somebody passes on what he held. Gives the milliseconds that are left then. */
  #turn({ waiting }: CallerReads): Promise<number> {
    const { longestWaitMs, waiting: most } = this.#limits;
    if (waiting.length >= most) return Promise.reject(tooManyWait);
    const since = performance.now();
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve(Math.max(0, longestWaitMs - (performance.now() - since)));
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(new NoAnswerError("the other reads of the same caller took too long"));
      }, longestWaitMs).unref();
      waiting.push(begin);
    });
  }
}

/** Does work in a share that is held, and passes it on. */
function runAndPass<T>(
  share: CallerReads,
  work: (leftMs?: number) => Promise<T>,
  leftMs?: number,
): Promise<T> {
  return work(leftMs).then(
    (result) => {
      pass(share);
      return result;
    },
    (error: unknown) => {
      pass(share);
      throw error;
    },
  );
}

function pass(share: CallerReads): void {
  const next = share.waiting.shift();
  if (next === undefined) share.running--;
  else next();
}

export interface DatabaseOptions {
  readonly url: string;
  /** PostgreSQL itself, where `url` leads to a pooler; default `url`. */
  readonly directUrl?: string;
  /** False where a pooler stands between that knows no named statements. Default true. */
  readonly namedStatements?: boolean;
  /** Default 10. */
  readonly maxConnections?: number;
  /** Longest time that somebody waits for a connection. Default 5 s (decisions, part 1). */
  readonly acquireTimeoutMs?: number;
  /** How many may wait for a connection at once. Default 100 for each connection. */
  readonly mostWaiting?: number;
  /** Longest time of one statement; default no limit. */
  readonly statementTimeoutMs?: number;
  /** Longest time that a statement waits for one lock; default no limit. */
  readonly lockTimeoutMs?: number;
  /**
   * A connection on which a statement waits longer than this for a server that is silent, and does not work on it, is given
   * up. Default 10 s (decisions, part 1).
   */
  readonly answerTimeoutMs?: number;
  /** False: a commit does not wait for the disk, and a crash of the server may lose the last ones. Default true. */
  readonly synchronousCommit?: boolean;
  readonly log: Logger;
}

const maxAttempts = 4;
/** What each connection gets done within the longest wait where a statement takes 50 ms. */
const waitingForEach = 100;
/** Of so many transactions something may go on behind their answers; those of further ones wait for all that follows. */
const mostFollowed = 100;

/** Opens a pool of connections; the first one is made when it is needed. */
export function createDatabase(options: DatabaseOptions): Database {
  const { url, directUrl = url, maxConnections = 10, acquireTimeoutMs = 5_000 } = options;
  const { mostWaiting = waitingForEach * maxConnections } = options;
  const readiness = new SideConnection({ url, name: "kirak readiness", text: "select 1", keeps: true });
  // A pooler whose connections are all taken would not tell.
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
  const background = new BackgroundTasks(options.log, { atOnce: 1, waiting: mostFollowed });
  const surroundings = { pool, log: options.log, background };
  const shares = new CallerConcurrencyLimit({
    atOnce: Math.max(1, Math.floor(maxConnections / 2)),
    waiting: mostWaiting,
    longestWaitMs: acquireTimeoutMs,
  });
  const run = (work: Work, longestWaitMs?: number) => runAlone(pool, work, longestWaitMs, firstAttempt);
  return {
    run: (statement, values) => run({ statement, values, reads: statement.reads === true }),
    readsOf: (caller) => ({
      run: (statement, values) =>
        shares.run(caller, (leftMs) => run({ statement, values, reads: true }, leftMs)),
    }),
    transaction: (work) => withRetries((attempt) => runTransaction(surroundings, attempt, work)),
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

/** A statement with what it needs. */
interface Work {
  readonly statement: Statement;
  readonly values: readonly unknown[];
  readonly reads: boolean;
}

/** Runs one statement, again where that may help. Written out, and not as `withRetries`: each promise that is saved counts here. */
function runAlone(
  pool: Pool,
  work: Work,
  longestWaitMs: number | undefined,
  attempt: Attempts,
): Promise<TextRow[]> {
  const taken = pool.take(longestWaitMs);
  const run = (connection: PooledConnection) => {
    const statement = ofAttempt(work.statement, attempt.isAgain);
    return connection.run(statement, work.values).then(
      (rows) => {
        pool.release(connection);
        return rows;
      },
      (error: unknown) => {
        pool.release(connection);
        const failure = work.reads ? error : LostAnswerError.of(error);
        return runAlone(pool, work, longestWaitMs, following(attempt, failure));
      },
    );
  };
  return taken instanceof Promise ? taken.then(run) : run(taken);
}

interface Attempts {
  /** 1 is the first one. */
  readonly number: number;
  readonly isAgain: boolean;
}

const firstAttempt: Attempts = { number: 1, isAgain: false };

/** The attempt after one that failed. Throws the error where there is none. */
function following({ number, isAgain }: Attempts, error: unknown): Attempts {
  if (number === maxAttempts || !isTransient(error)) throw error;
  return { number: number + 1, isAgain: isAgain || !isStale(error) };
}

async function withRetries<T>(work: (attempt: Attempt) => Promise<T>): Promise<T> {
  for (let attempt = firstAttempt; ; ) {
    try {
      return await work({ mayRetry: attempt.number < maxAttempts, isAgain: attempt.isAgain });
    } catch (error) {
      attempt = following(attempt, error);
    }
  }
}

/** A database whose every statement is a step of a trace; the database itself where nobody wants to know. */
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

/** What a hook asks of its knex belongs to the hook's step. */
function tracedTransaction(transaction: Transaction, trace: Trace): Transaction {
  return {
    run: timed(transaction, trace),
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
  return (statement, values) => asStep(trace, "sql", () => queryable.run(statement, values));
}
