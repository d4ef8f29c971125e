import type { Knex } from "knex";

/** One prepared statement: its text, a name that stays the same for the same text, or null for one that is not worth preparing. */
export interface Statement {
  readonly name: string | null;
  readonly text: string;
  /** What is run in its place once a deadlock ended an attempt: it takes alone, one after the other, what was held shared. */
  readonly again?: Statement;
  /** Its rows are preceded by two: the names of the columns, and the ids of their types. Without columns there are none. */
  readonly described?: true;
  /** It changes nothing: where its answer is lost, nothing was done. */
  readonly reads?: true;
}

/** Rows as PostgreSQL's own text, column by column; null for NULL. */
export type TextRow = readonly (string | null)[];

/** Where statements run: the database, or one transaction of it. */
export interface Queryable {
  /** Runs one statement. Values are strings, numbers, booleans, null and arrays of these; objects are sent as JSON. */
  run(statement: Statement, values: readonly unknown[]): Promise<TextRow[]>;
}

/** What stands behind one savepoint of a transaction, or all of it: it may be undone by itself. */
export interface Savepoint {
  /** All of the transaction. */
  readonly whole: Savepoint;
  /**
   * Has something done once the transaction is committed. What is done to one `subject`, such as a file, and what names none, is done in
   * the order in which it was asked for; all subjects at the same time, begun before `transaction()` resolves, which waits for it a second:
   * then it goes on by itself. Dropped where the part, or the attempt, is rolled back. What it throws is logged.
   */
  afterCommit(work: () => Promise<void> | void, subject?: string): void;
  /**
   * Has something undone where the part, or the attempt, is rolled back: of one subject the last first. It
   * is waited for where the work goes on or begins anew, else as what follows a commit.
   */
  onRollback(work: () => Promise<void> | void, subject?: string): void;
  /** Notes that code of one's own writes in it. */
  noteSideEffect(): void;
  /** Whether there would be something to undo: what was asked for by these, in it or in parts of it that stayed. */
  readonly hasSideEffects: boolean;
}

export interface Transaction extends Queryable {
  /** knex bound to this transaction's connection, for hooks. */
  readonly knex: Knex;
  /** Rolls back to where it began when `work` throws. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
  /**
   * The part that is innermost now. What is asked for there later stays or goes with it, whatever other savepoint is open by then.
   */
  readonly currentSavepoint: Savepoint;
}

/** Connections that are free and that are used, and how many statements and transactions wait for one. */
export interface ConnectionCounts {
  readonly idle: number;
  readonly used: number;
  readonly waiting: number;
}

export interface Database extends Queryable {
  /**
   * Where the reads of one caller run: they hold at most half of the connections, so that others find one (decisions,
   * part 1). The caller is named by a text.
   */
  readsOf(caller: string): Queryable;
  /**
   * Runs `work` in a transaction that ends with it. Serialization failures and deadlocks run the whole of `work` again,
   * up to three times (decisions, part 5). Where the connection is lost while COMMIT is under way, nobody knows what came of it: nothing
   * of what was to follow is done.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Rejects when the database cannot be reached; on a connection of its own, so that a busy pool does not count. */
  ping(): Promise<void>;
  /** How many connections there are, and how many wait for one. */
  connections(): ConnectionCounts;
  /** Whether as many wait for a connection as can. */
  isFull(): boolean;
  /** Waits, no longer than that, for what follows transactions, and then closes all connections. */
  close(longestWaitMs?: number): Promise<void>;
}

/** Rows that have expired, in a table with an indexed column `expires_at`. */
export interface ExpiredRows {
  readonly table: string;
  /** How long they are kept beyond that; default 0. */
  readonly keptMinutes?: number;
  /** The most that one call removes: it is over soon, holds no lock for long, and what it did stays done. */
  readonly atOnce: number;
}

/**
 * Removes expired rows, the oldest first, and gives how many. Any number of processes may do so at once: each takes what no
 * other has locked.
 */
export async function removeExpiredRows(connection: Queryable, expired: ExpiredRows): Promise<number> {
  const { table, keptMinutes = 0, atOnce } = expired;
  // Materialized: inside a join the selection could run again, and take more rows.
  const text = `with expired as materialized (
  select id from ${table} where expires_at < now() - make_interval(mins => $1) order by expires_at limit $2 for update skip locked
), removed as (delete from ${table} where id in (select id from expired) returning id)
select count(*) from removed`;
  const [row] = await connection.run({ name: `kirak_expired_${table}`, text }, [keptMinutes, atOnce]);
  return Number(row?.[0]);
}
