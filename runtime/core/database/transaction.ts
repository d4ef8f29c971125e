import { createRequire } from "node:module";
import type { Knex } from "knex";
import type { Logger } from "pino";
import type { BackgroundTasks } from "../concurrency/index.ts";
import { isTransient, LostResponseError } from "./database-error.ts";
import type { Pool } from "./pool.ts";
import type { KeyColumns, PooledConnection } from "./pooled-connection.ts";
import type { Savepoint, Statement, TextRow, Transaction } from "./queryable.ts";
import { OpenSavepoint, TransactionCallbacks, type TransactionOutcome } from "./savepoint.ts";

const keysOfPool = new WeakMap<Pool, KeyColumns>();

/**
 * The columns of primary and foreign keys, read once: the API returns keys as numbers, other `bigint`s as
 * text.
 */
async function keyColumns(pool: Pool, connection: PooledConnection): Promise<KeyColumns> {
  const found = keysOfPool.get(pool);
  if (found !== undefined) return found;
  const rows = await connection.run({ name: null, text: query }, []);
  const keys = new Set(rows.map(([table, column]) => `${table}.${column}`));
  keysOfPool.set(pool, keys);
  return keys;
}

const query = `select c.conrelid, key.attnum from pg_catalog.pg_constraint c, unnest(c.conkey) as key (attnum)
  where c.contype in ('p', 'f')`;

export interface Attempt {
  /** Whether another attempt follows if this one fails with a transient error. */
  readonly mayRetry: boolean;
  /** An earlier attempt failed because of concurrent work. */
  readonly isAgain: boolean;
}

export function statementOfAttempt(statement: Statement, isAgain: boolean): Statement {
  return isAgain ? (statement.again ?? statement) : statement;
}

const require = createRequire(import.meta.url);
/** Loaded on first use: it has 330 files, and only hooks that use knex need it. */
const loadKnex = (): typeof import("knex") => require("knex");

/** How long a caller waits for the callbacks of its transaction. */
const longestWaitMs = 1_000;

interface TransactionServices {
  readonly pool: Pool;
  readonly log: Logger;
  /** Runs callbacks for which no caller waits any more. */
  readonly background: BackgroundTasks;
}

/**
 * Runs `work` between BEGIN and COMMIT. These, SAVEPOINT and RELEASE are sent together with the next
 * statement. A transaction with one statement thus takes two round trips instead of three. The first
 * statement takes the connection, so work without statements needs none.
 */
export async function runTransaction<T>(
  { pool, log, background }: TransactionServices,
  { mayRetry, isAgain }: Attempt,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const transaction = new PooledTransaction(pool, log, isAgain);
  let willRetry = false;
  try {
    const result = await transaction.attempt(work, mayRetry);
    await transaction.commit();
    return result;
  } catch (error) {
    willRetry = mayRetry && isTransient(error);
    throw error;
  } finally {
    transaction.release();
    const running = transaction.callbacks?.run(transaction.outcome);
    // The next attempt begins after all rollback callbacks of this one.
    await (running === undefined || willRetry ? running : background.waitFor(running, longestWaitMs));
  }
}

class PooledTransaction implements Transaction {
  /** Null without callbacks. */
  callbacks: TransactionCallbacks | null = null;
  outcome: TransactionOutcome = "rolled_back";
  readonly #pool: Pool;
  readonly #log: Logger;
  readonly #isAgain: boolean;
  #connection: PooledConnection | null = null;
  #connecting: Promise<PooledConnection> | null = null;
  readonly #pending: string[] = ["begin"];
  #depth = 0;
  #savepoint = new OpenSavepoint(null, () => this.#callbacksSoFar());
  #open = true;
  #knex: Knex | null = null;

  constructor(pool: Pool, log: Logger, isAgain: boolean) {
    this.#pool = pool;
    this.#log = log;
    this.#isAgain = isAgain;
  }

  /**
   * Runs the work, and rolls back if it fails or has caught a transient error. With `mayRetry`, rejects with
   * the transient error if there is one, so that the caller retries.
   */
  async attempt<T>(work: (transaction: Transaction) => Promise<T>, mayRetry: boolean): Promise<T> {
    try {
      const result = await work(this);
      // Work that caught a deadlock is incomplete, on the last attempt too.
      if (this.#transient !== null) throw this.#transient;
      return result;
    } catch (error) {
      await this.#rollback();
      // The work can have replaced the error of the database.
      throw mayRetry ? (this.#transient ?? error) : error;
    }
  }

  async run(statement: Statement, values: readonly unknown[]): Promise<TextRow[]> {
    this.#assertOpen();
    const sent = statementOfAttempt(statement, this.#isAgain);
    const taken = this.#take();
    if (!(taken instanceof Promise)) return taken.run(sent, values, this.#pending);
    const connection = await taken;
    this.#assertOpen();
    return connection.run(sent, values, this.#pending);
  }

  get knex(): Knex {
    this.#knex ??= this.#bindKnex();
    return this.#knex;
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    this.#assertOpen();
    const name = `kirak_${++this.#depth}`;
    const opening = `savepoint ${name}`;
    this.#pending.push(opening);
    const outer = this.#savepoint;
    const savepoint = new OpenSavepoint(outer, () => this.#callbacksSoFar());
    this.#savepoint = savepoint;
    try {
      const result = await this.#runWhole(work);
      if (!this.#dropPending(opening)) this.#pending.push(`release savepoint ${name}`);
      savepoint.release();
      return result;
    } catch (error) {
      savepoint.markRolledBack();
      await this.#rollbackTo(name, opening, savepoint);
      throw error;
    } finally {
      this.#savepoint = outer;
      this.#depth--;
    }
  }

  get currentSavepoint(): Savepoint {
    return this.#savepoint;
  }

  async commit(): Promise<void> {
    // Statements that the work did not await belong to the transaction too.
    if (this.#connecting !== null) await this.#connecting;
    this.#open = false;
    const tag =
      this.#connection === null || this.#isUnbegun ? "COMMIT" : await this.#sendCommit(this.#connection);
    // If a statement failed, COMMIT rolls back without an error.
    if (tag !== "COMMIT")
      throw new Error("the transaction was rolled back, because an earlier statement in it failed");
    this.outcome = "committed";
  }

  async #sendCommit(connection: PooledConnection): Promise<string> {
    const wasBroken = connection.broken;
    try {
      return await connection.command(...this.#pending, "commit");
    } catch (error) {
      // The server can have committed, even if it reports that it is shutting down.
      if (wasBroken || !connection.broken) throw error;
      this.outcome = "unknown";
      throw LostResponseError.of(error);
    }
  }

  #callbacksSoFar(): TransactionCallbacks {
    this.#assertOpen();
    this.callbacks ??= new TransactionCallbacks(this.#log);
    return this.callbacks;
  }

  /** Returns the connection to the pool. A connection that is still being opened is returned later. */
  release(): void {
    if (this.#connection !== null) this.#pool.release(this.#connection);
    else
      this.#connecting?.then(
        (connection) => this.#pool.release(connection),
        () => {},
      );
  }

  /** Waiting statements get the connection in order. */
  #take(): PooledConnection | Promise<PooledConnection> {
    const current = this.#connection ?? this.#connecting;
    if (current !== null) return current;
    const taken = this.#pool.take();
    if (!(taken instanceof Promise)) return this.#use(taken);
    this.#connecting = taken.then((connection) => this.#use(connection));
    return this.#connecting;
  }

  #use(connection: PooledConnection): PooledConnection {
    connection.transient = null;
    connection.keys = null;
    this.#connection = connection;
    return connection;
  }

  get #transient(): Error | null {
    return this.#connection?.transient ?? null;
  }

  get #isUnbegun(): boolean {
    return this.#pending[0] === "begin";
  }

  /**
   * A knex on this connection. It is set to be in a transaction, so its `transaction()` creates a savepoint.
   */
  #bindKnex(): Knex {
    const bound = loadKnex().knex({ client: "pg" });
    bound.client.transacting = true;
    bound.client.releaseConnection = async () => {};
    bound.client.acquireConnection = async () => {
      this.#assertOpen();
      this.#savepoint.noteSideEffect();
      const connection = await this.#take();
      this.#assertOpen();
      if (this.#pending.length > 0) await connection.command(...this.#pending.splice(0));
      connection.keys = await keyColumns(this.#pool, connection);
      return connection.client;
    };
    return bound.on("query-error", (error: unknown) => {
      if (isTransient(error) && this.#connection !== null) this.#connection.transient = error;
    });
  }

  /**
   * Also waits until a statement that `work` did not await has a connection, so that it stays in its
   * savepoint.
   */
  async #runWhole<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      if (this.#connecting !== null) await this.#connecting;
    }
  }

  /** If ROLLBACK fails too, the connection is not reused, and the server rolls back. */
  async #rollback(): Promise<void> {
    this.#open = false;
    if (this.#connection === null || this.#connection.broken || this.#isUnbegun) return;
    await this.#connection.command("rollback").catch(() => {});
  }

  /** Also runs and drops the callbacks of the savepoint. */
  async #rollbackTo(name: string, opening: string, savepoint: OpenSavepoint): Promise<void> {
    try {
      if (this.#dropPending(opening)) return;
      this.#pending.length = 0;
      // A lost connection needs no rollback.
      if (this.#connection === null || this.#connection.broken) return;
      await this.#connection.command(`rollback to savepoint ${name}; release savepoint ${name}`);
    } finally {
      if (this.callbacks !== null) await this.callbacks.rollBack((inner) => inner.isIn(savepoint));
    }
  }

  /** Removes a savepoint that was not sent yet, with everything inside it. Returns whether it did. */
  #dropPending(opening: string): boolean {
    const at = this.#pending.lastIndexOf(opening);
    if (at < 0) return false;
    this.#pending.length = at;
    return true;
  }

  #assertOpen(): void {
    if (!this.#open) throw new Error("the transaction has ended: await all queries inside it");
  }
}
