import type { Logger } from "pino";
import { BackgroundTasks } from "../concurrency/index.ts";
import { Activity } from "./activity.ts";
import { LostAnswerError } from "./connection-error.ts";
import { isStale, isTransient } from "./database-error.ts";
import { Pool } from "./pool.ts";
import type { PooledConnection } from "./pooled-connection.ts";
import type { Database, Statement, TextRow } from "./queryable.ts";
import { ReadShares } from "./read-shares.ts";
import { SideConnection } from "./side-connection.ts";
import { runTransaction } from "./transaction.ts";
import { type Attempt, ofAttempt } from "./transaction-attempt.ts";

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
  const shares = new ReadShares({
    atOnce: Math.max(1, Math.floor(maxConnections / 2)),
    waiting: mostWaiting,
    longestWaitMs: acquireTimeoutMs,
  });
  const run = (work: Work, longestWaitMs?: number) => runAlone(pool, work, longestWaitMs, firstAttempt);
  return {
    run: (statement, values) => run({ statement, values, reads: statement.reads === true }),
    readsOf: (caller) => ({
      run: (statement, values) =>
        shares.hold(caller, (leftMs) => run({ statement, values, reads: true }, leftMs)),
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
