import type { Logger } from "pino";
import type { Database } from "./connection.ts";
import { Loan } from "./loan.ts";
import { Pool } from "./pool.ts";
import { Probe } from "./probe.ts";
import { isTransient, type Statement } from "./session.ts";
import { runTransaction } from "./transaction.ts";

export type { Statement, TextRow } from "./session.ts";

export interface DatabaseOptions {
  readonly url: string;
  /** Default 10. */
  readonly maxConnections?: number;
  /** Longest time of one statement; default no limit. */
  readonly statementTimeoutMs?: number;
  /** Longest time that a statement waits for one lock; default no limit. */
  readonly lockTimeoutMs?: number;
  /** A connection on which a statement waits longer than this without a word from the server is given up; default no limit. */
  readonly answerTimeoutMs?: number;
  /** False: a commit does not wait for the disk, and a crash of the server may lose the last ones. Default true. */
  readonly synchronousCommit?: boolean;
  readonly log: Logger;
}

const maxAttempts = 4;

/** Opens a pool of connections; the first one is made when it is needed. */
export function createDatabase(options: DatabaseOptions): Database {
  const pool = new Pool({
    url: options.url,
    maxConnections: options.maxConnections ?? 10,
    statementTimeoutMs: options.statementTimeoutMs ?? 0,
    lockTimeoutMs: options.lockTimeoutMs ?? 0,
    answerTimeoutMs: options.answerTimeoutMs ?? 0,
    synchronousCommit: options.synchronousCommit ?? true,
    log: options.log,
  });
  const probe = new Probe(options.url);
  const run = (statement: Statement, values: readonly unknown[]) =>
    withRetries(pool, async (loan) => (await loan.take()).run(statement, values));
  return {
    run,
    transaction: (work) => withRetries(pool, (loan, mayRetry) => runTransaction(loan, mayRetry, work)),
    ping: () => probe.ask(),
    close() {
      probe.close();
      return pool.close();
    },
  };
}

/** `work` is told whether another attempt would follow, should it fail for a reason that may pass. */
async function withRetries<T>(pool: Pool, work: (loan: Loan, mayRetry: boolean) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const loan = new Loan(pool);
    try {
      return await work(loan, attempt < maxAttempts);
    } catch (error) {
      // What the work throws may be its own translation of the database's error.
      const isPassing = (loan.taken?.transient ?? null) !== null || isTransient(error);
      if (attempt === maxAttempts || !isPassing) throw error;
    } finally {
      loan.return();
    }
  }
}
