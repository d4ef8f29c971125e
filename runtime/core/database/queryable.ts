import type { Knex } from "knex";

/** Equal texts have equal names. Null: not worth preparing. */
export interface Statement {
  readonly name: string | null;
  readonly text: string;
  /** The statement for attempts after a deadlock: with exclusive locks instead of shared ones. */
  readonly again?: Statement;
  /**
   * The result begins with three more rows: the tag of the command (`INSERT 0 1`), and the names of the
   * columns and the ids of their types. Without columns the last two are missing.
   */
  readonly described?: true;
  /** The statement changes nothing, so it is safe to repeat after a lost response. */
  readonly reads?: true;
}

/** The columns of a row in PostgreSQL's text form; null for NULL. */
export type TextRow = readonly (string | null)[];

/** The database, or one transaction of it. */
export interface Queryable {
  /**
   * Runs one statement. Values are strings, numbers, booleans, null and arrays of them; other objects become
   * JSON.
   */
  run(statement: Statement, values: readonly unknown[]): Promise<TextRow[]>;
}

/** A savepoint, or the whole transaction. */
export interface Savepoint {
  /** The whole transaction. */
  readonly whole: Savepoint;
  /**
   * Registers a callback for after the commit. It is dropped if the savepoint or the attempt is rolled back.
   * Callbacks of one `subject`, such as a file, run in order. So do callbacks without a subject. Different
   * subjects run in parallel. `transaction()` waits for them for up to a second. Errors are logged.
   */
  afterCommit(work: () => Promise<void> | void, subject?: string): void;
  /**
   * Registers a callback for a rollback of the savepoint or the attempt. Callbacks of one subject run in
   * reverse order. A transaction that continues or retries waits for it. Otherwise it runs like
   * `afterCommit`.
   */
  onRollback(work: () => Promise<void> | void, subject?: string): void;
  /** Marks the savepoint: app code writes in it. */
  noteSideEffect(): void;
  /** Whether it, or a released savepoint inside it, has callbacks or writes of app code. */
  readonly hasSideEffects: boolean;
}

export interface Transaction extends Queryable {
  /** knex on this transaction's connection, for hooks. */
  readonly knex: Knex;
  /** Rolls back to the savepoint if `work` throws. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
  /** The innermost open savepoint. Callbacks that are registered on it later still belong to it. */
  readonly currentSavepoint: Savepoint;
  /** The transaction without the steps of a trace, for code that records its own. */
  readonly untraced?: Transaction;
}

export interface ConnectionCounts {
  readonly idle: number;
  readonly used: number;
  readonly waiting: number;
}

export interface Database extends Queryable {
  /** Runs the reads of one caller, on at most half of the connections. `caller` is any text. */
  readsOf(caller: string): Queryable;
  /**
   * Runs `work` in a transaction. After a serialization failure or a deadlock, `work` runs again, up to three
   * more times. If the connection is lost during COMMIT, the outcome is unknown and no callback runs.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Rejects if the database cannot be reached. Uses its own connection, so a busy pool does not matter. */
  ping(): Promise<void>;
  connections(): ConnectionCounts;
  /** Whether the queue for connections is full. */
  isFull(): boolean;
  /** Waits for callbacks of transactions, up to `longestWaitMs`, and closes all connections. */
  close(longestWaitMs?: number): Promise<void>;
}

/** Expired rows of a table with an indexed column `expires_at`. */
export interface ExpiredRows {
  readonly table: string;
  /** Default 0. */
  readonly keptMinutes?: number;
  /** Most rows per call, so that it is short and holds no lock for long. */
  readonly atOnce: number;
}

/**
 * Removes expired rows, the oldest first, and returns their number. Several processes can do it at the same
 * time, because locked rows are skipped.
 */
export async function removeExpiredRows(connection: Queryable, expired: ExpiredRows): Promise<number> {
  const { table, keptMinutes = 0, atOnce } = expired;
  // Materialized: inside a join, the subquery could run again and remove more rows.
  const text = `with expired as materialized (
  select id from ${table} where expires_at < now() - make_interval(mins => $1) order by expires_at limit $2 for update skip locked
), removed as (delete from ${table} where id in (select id from expired) returning id)
select count(*) from removed`;
  const [row] = await connection.run({ name: `kirak_expired_${table}`, text }, [keptMinutes, atOnce]);
  return Number(row?.[0]);
}
