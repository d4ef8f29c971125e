import type { Knex } from "knex";

/** A statement: its text, and a name that is the same for the same text. Null: not worth preparing. */
export interface Statement {
  readonly name: string | null;
  readonly text: string;
  /** Runs instead in an attempt after a deadlock: it takes exclusive locks in order, instead of shared ones. */
  readonly again?: Statement;
  /**
   * Two more rows come first: the names of the columns, and the ids of their types. None come if there are no
   * columns.
   */
  readonly described?: true;
  /** It changes nothing, so a lost answer means that nothing was done. */
  readonly reads?: true;
}

/** Rows as PostgreSQL's own text, column by column; null for NULL. */
export type TextRow = readonly (string | null)[];

/** The database, or one transaction of it. */
export interface Queryable {
  /**
   * Runs one statement. Values are strings, numbers, booleans, null and arrays of them; objects are sent as
   * JSON.
   */
  run(statement: Statement, values: readonly unknown[]): Promise<TextRow[]>;
}

/** A savepoint, or the whole transaction. */
export interface Savepoint {
  /** The whole transaction. */
  readonly whole: Savepoint;
  /**
   * Registers a callback that runs after the commit. Callbacks of one `subject`, such as a file, run in
   * order, and so do those without a subject; different subjects run at the same time. They start before
   * `transaction()` resolves, which waits for them for up to a second. If the savepoint or the attempt is
   * rolled back, the callback is dropped. Its errors are logged.
   */
  afterCommit(work: () => Promise<void> | void, subject?: string): void;
  /**
   * Registers a callback that runs if the savepoint or the attempt is rolled back, the last one of a subject
   * first. The transaction waits for it if it continues or retries; else as for `afterCommit`.
   */
  onRollback(work: () => Promise<void> | void, subject?: string): void;
  /** Notes that app code writes in this savepoint. */
  noteSideEffect(): void;
  /** Whether the savepoint has side effects: callbacks or writes in it, or in released savepoints inside it. */
  readonly hasSideEffects: boolean;
}

export interface Transaction extends Queryable {
  /** knex on the connection of this transaction, for hooks. */
  readonly knex: Knex;
  /** Rolls back to the savepoint if `work` throws. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
  /**
   * The innermost savepoint now. What is registered on it later is kept or dropped with it, even if another
   * savepoint is open by then.
   */
  readonly currentSavepoint: Savepoint;
}

/** Free connections, connections in use, and how many statements and transactions wait for one. */
export interface ConnectionCounts {
  readonly idle: number;
  readonly used: number;
  readonly waiting: number;
}

export interface Database extends Queryable {
  /**
   * Where the reads of one caller run. They use at most half of the connections, so that others find one.
   * `caller` is any text.
   */
  readsOf(caller: string): Queryable;
  /**
   * Runs `work` in a transaction. After a serialization failure or a deadlock, `work` runs again, up to three
   * times in total. If the connection is lost during COMMIT, the outcome is unknown and no callback runs.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Rejects if the database cannot be reached. It uses its own connection, so a busy pool does not count. */
  ping(): Promise<void>;
  /** How many connections exist, and how many calls wait for one. */
  connections(): ConnectionCounts;
  /** Whether as many calls wait for a connection as can. */
  isFull(): boolean;
  /** Waits for the callbacks of transactions, up to `longestWaitMs`, and then closes all connections. */
  close(longestWaitMs?: number): Promise<void>;
}

/** Expired rows of a table with an indexed column `expires_at`. */
export interface ExpiredRows {
  readonly table: string;
  /** How long rows are kept after they expire; default 0. */
  readonly keptMinutes?: number;
  /**
   * Most rows that one call removes, so that it is short, holds no lock for long, and does not lose its work.
   */
  readonly atOnce: number;
}

/**
 * Removes expired rows, the oldest first, and returns how many. Several processes can do so at the same time:
 * each skips locked rows.
 */
export async function removeExpiredRows(connection: Queryable, expired: ExpiredRows): Promise<number> {
  const { table, keptMinutes = 0, atOnce } = expired;
  // Materialized: inside a join, the selection could run again and remove more rows.
  const text = `with expired as materialized (
  select id from ${table} where expires_at < now() - make_interval(mins => $1) order by expires_at limit $2 for update skip locked
), removed as (delete from ${table} where id in (select id from expired) returning id)
select count(*) from removed`;
  const [row] = await connection.run({ name: `kirak_expired_${table}`, text }, [keptMinutes, atOnce]);
  return Number(row?.[0]);
}
