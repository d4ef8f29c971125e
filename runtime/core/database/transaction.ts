import { createRequire } from "node:module";
import type { Knex } from "knex";
import type { Logger } from "pino";
import type { BackgroundTasks } from "../concurrency/index.ts";
import { isTransient, LostAnswerError } from "./database-error.ts";
import type { Pool } from "./pool.ts";
import type { KeyColumns, PooledConnection } from "./pooled-connection.ts";
import type { Savepoint, Statement, TextRow, Transaction } from "./queryable.ts";

type Work = () => Promise<void> | void;

/** The result of a transaction. `unknown`: the connection was lost during COMMIT. */
type Outcome = "committed" | "rolled_back" | "unknown";

interface Effect<Part> {
  /** The part of the transaction that registered it. */
  readonly part: Part;
  readonly when: "committed" | "rolled_back";
  readonly work: Work;
  /** What the work is done to; empty if unnamed. */
  readonly subject: string;
}

/**
 * Callbacks of a transaction. Callbacks of one subject run in order; different subjects run at the same time.
 * The owner bounds how many run. A failure is logged and affects neither other callbacks nor the caller of
 * the transaction.
 */
export class AfterEffects<Part> {
  readonly #log: Logger;
  readonly #asked: Effect<Part>[] = [];

  constructor(log: Logger) {
    this.#log = log;
  }

  ask(effect: Effect<Part>): void {
    this.#asked.push(effect);
  }

  /**
   * Runs the callbacks of a finished transaction. If the outcome is unknown, none runs: either kind could be
   * wrong.
   */
  async follow(outcome: Outcome): Promise<void> {
    if (outcome === "rolled_back") await this.undo(() => true);
    if (outcome === "committed") await this.#doAll(this.#asked.filter(({ when }) => when === outcome));
  }

  /** Runs the rollback callbacks of some parts, the last one first, and forgets these parts' callbacks. */
  async undo(isUndone: (part: Part) => boolean): Promise<void> {
    const all = this.#asked.splice(0);
    this.#asked.push(...all.filter(({ part }) => !isUndone(part)));
    const undone = all.filter(({ part }) => isUndone(part)).reverse();
    await this.#doAll(undone.filter(({ when }) => when === "rolled_back"));
  }

  async #doAll(effects: readonly Effect<Part>[]): Promise<void> {
    const lines = new Map<string, Effect<Part>[]>();
    for (const effect of effects) {
      const line = lines.get(effect.subject) ?? [];
      line.push(effect);
      lines.set(effect.subject, line);
    }
    await Promise.all([...lines.values()].map((line) => this.#doInTurn(line)));
  }

  async #doInTurn(line: readonly Effect<Part>[]): Promise<void> {
    for (const { work, subject } of line)
      try {
        await work();
      } catch (error) {
        this.#log.error({ err: error, subject }, "a callback of a transaction failed");
      }
  }
}

const known = new WeakMap<Pool, KeyColumns>();

/**
 * The columns of primary and foreign keys, which the API returns as numbers; `bigint` fields have the same
 * type. Read once.
 */
async function keyColumns(pool: Pool, connection: PooledConnection): Promise<KeyColumns> {
  const found = known.get(pool);
  if (found !== undefined) return found;
  const rows = await connection.run({ name: null, text: query }, []);
  const keys = new Set(rows.map(([table, column]) => `${table}.${column}`));
  known.set(pool, keys);
  return keys;
}

const query = `select c.conrelid, key.attnum from pg_catalog.pg_constraint c, unnest(c.conkey) as key (attnum)
  where c.contype in ('p', 'f')`;

/** One of several attempts. */
export interface Attempt {
  /** If this attempt fails for a reason that can pass, another one follows. */
  readonly mayRetry: boolean;
  /** An earlier attempt failed because of concurrent work. */
  readonly isAgain: boolean;
}

/** The statement for an attempt. */
export function ofAttempt(statement: Statement, isAgain: boolean): Statement {
  return isAgain ? (statement.again ?? statement) : statement;
}

/** A savepoint, or the whole transaction. */
export class OpenSavepoint implements Savepoint {
  readonly #outer: OpenSavepoint | null;
  /** Throws after the transaction has ended. */
  readonly #effects: () => AfterEffects<OpenSavepoint>;
  #state: "open" | "released" | "undone" = "open";
  #hasTraces = false;

  constructor(outer: OpenSavepoint | null, effects: () => AfterEffects<OpenSavepoint>) {
    this.#outer = outer;
    this.#effects = effects;
  }

  get whole(): Savepoint {
    return this.#outer?.whole ?? this;
  }

  get hasSideEffects(): boolean {
    return this.#hasTraces;
  }

  afterCommit(work: Work, subject = ""): void {
    this.#ask("committed", work, subject);
  }

  onRollback(work: Work, subject = ""): void {
    this.#ask("rolled_back", work, subject);
  }

  noteSideEffect(): void {
    this.#hasTraces = true;
    if (this.#state === "released") this.#outer?.noteSideEffect();
  }

  /** Its effects stay as long as the outer savepoint. */
  release(): void {
    this.#state = "released";
    if (this.#hasTraces) this.#outer?.noteSideEffect();
  }

  /** It was rolled back. */
  drop(): void {
    this.#state = "undone";
  }

  /** Whether it is that savepoint or inside it. */
  isIn(other: OpenSavepoint): boolean {
    return this === other || (this.#outer?.isIn(other) ?? false);
  }

  #ask(when: "committed" | "rolled_back", work: Work, subject: string): void {
    if (this.#isUndone)
      throw new Error("this part of the transaction was rolled back: wait for what it does inside it");
    this.#effects().ask({ when, work, subject, part: this });
    this.noteSideEffect();
  }

  get #isUndone(): boolean {
    if (this.#state === "undone") return true;
    return this.#state === "released" && this.#outer !== null && this.#outer.#isUndone;
  }
}

const require = createRequire(import.meta.url);
/** Loaded by the first hook that uses it: 330 files, which a service without such hooks does not need. */
const loadKnex = (): typeof import("knex") => require("knex");

/** How long the caller of a transaction waits for its callbacks. */
const longestWaitMs = 1_000;

/** What transactions need. */
interface TransactionSurroundings {
  readonly pool: Pool;
  readonly log: Logger;
  /** Where callbacks continue when no caller waits for them any more. */
  readonly background: BackgroundTasks;
}

/**
 * Runs `work` between BEGIN and COMMIT. pg and knex send BEGIN, SAVEPOINT and RELEASE one by one; here they are
 * sent together with the next statement, so a transaction with one statement takes two round trips instead of
 * three. The first statement takes the connection: work without statements needs none, and callbacks need none.
 */
export async function runTransaction<T>(
  { pool, log, background }: TransactionSurroundings,
  { mayRetry, isAgain }: Attempt,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const transaction = new PooledTransaction(pool, log, isAgain);
  let isToRunAgain = false;
  try {
    const result = await transaction.attempt(work, mayRetry);
    await transaction.commit();
    return result;
  } catch (error) {
    isToRunAgain = mayRetry && isTransient(error);
    throw error;
  } finally {
    transaction.giveBack();
    const following = transaction.effects?.follow(transaction.outcome);
    // The next attempt begins when all of this one is undone.
    await (following === undefined || isToRunAgain
      ? following
      : background.waitFor(following, longestWaitMs));
  }
}

class PooledTransaction implements Transaction {
  /** Null if no callback was registered. */
  effects: AfterEffects<OpenSavepoint> | null = null;
  outcome: Outcome = "rolled_back";
  readonly #pool: Pool;
  readonly #log: Logger;
  readonly #isAgain: boolean;
  #connection: PooledConnection | null = null;
  #arriving: Promise<PooledConnection> | null = null;
  /** Commands that are not sent yet. */
  readonly #pending: string[] = ["begin"];
  #depth = 0;
  #part = new OpenSavepoint(null, () => this.#effectsSoFar());
  #open = true;
  #knex: Knex | null = null;

  constructor(pool: Pool, log: Logger, isAgain: boolean) {
    this.#pool = pool;
    this.#log = log;
    this.#isAgain = isAgain;
  }

  /**
   * Runs the work, and rolls back if it fails or caught a deadlock. With `mayRetry`, rejects with the error
   * that another attempt can solve.
   */
  async attempt<T>(work: (transaction: Transaction) => Promise<T>, mayRetry: boolean): Promise<T> {
    try {
      const result = await work(this);
      // The work caught a deadlock. Without the failed part it is not what the caller asked for, on the last
      // attempt either.
      if (this.#transient !== null) throw this.#transient;
      return result;
    } catch (error) {
      await this.#rollback();
      // The work can throw its own translation of the error of the database.
      throw mayRetry ? (this.#transient ?? error) : error;
    }
  }

  async run(statement: Statement, values: readonly unknown[]): Promise<TextRow[]> {
    this.#assertOpen();
    const sent = ofAttempt(statement, this.#isAgain);
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
    const outer = this.#part;
    const part = new OpenSavepoint(outer, () => this.#effectsSoFar());
    this.#part = part;
    try {
      const result = await this.#whole(work);
      if (!this.#withdraw(opening)) this.#pending.push(`release savepoint ${name}`);
      part.release();
      return result;
    } catch (error) {
      part.drop();
      await this.#rollbackTo(name, opening, part);
      throw error;
    } finally {
      this.#part = outer;
      this.#depth--;
    }
  }

  get currentSavepoint(): Savepoint {
    return this.#part;
  }

  async commit(): Promise<void> {
    // Statements that the work did not await belong to the transaction too, and fail it if they get no
    // connection.
    if (this.#arriving !== null) await this.#arriving;
    this.#open = false;
    const tag =
      this.#connection === null || this.#isUnbegun ? "COMMIT" : await this.#sendCommit(this.#connection);
    // If a statement failed, COMMIT rolls back without an error.
    if (tag !== "COMMIT")
      throw new Error("the transaction was rolled back: an earlier statement in it had failed");
    this.outcome = "committed";
  }

  async #sendCommit(connection: PooledConnection): Promise<string> {
    const wasBroken = connection.broken;
    try {
      return await connection.command(...this.#pending, "commit");
    } catch (error) {
      // The server may have committed and its answer was lost. A server that is told to stop can report so
      // after its commit.
      if (wasBroken || !connection.broken) throw error;
      this.outcome = "unknown";
      throw LostAnswerError.of(error);
    }
  }

  #effectsSoFar(): AfterEffects<OpenSavepoint> {
    this.#assertOpen();
    this.effects ??= new AfterEffects(this.#log);
    return this.effects;
  }

  /** Returns the connection to the pool, also one that arrives later. */
  giveBack(): void {
    if (this.#connection !== null) this.#pool.release(this.#connection);
    else
      this.#arriving?.then(
        (connection) => this.#pool.release(connection),
        () => {},
      );
  }

  /** The connection, at once if one is free. Waiting statements get it in order. */
  #take(): PooledConnection | Promise<PooledConnection> {
    const held = this.#connection ?? this.#arriving;
    if (held !== null) return held;
    const taken = this.#pool.take();
    if (!(taken instanceof Promise)) return this.#keep(taken);
    this.#arriving = taken.then((connection) => this.#keep(connection));
    return this.#arriving;
  }

  #keep(connection: PooledConnection): PooledConnection {
    connection.transient = null;
    connection.keys = null;
    this.#connection = connection;
    return connection;
  }

  /** The last error after which another attempt can succeed. */
  get #transient(): Error | null {
    return this.#connection?.transient ?? null;
  }

  get #isUnbegun(): boolean {
    return this.#pending[0] === "begin";
  }

  /**
   * A knex that runs on this connection and believes that it is in a transaction: its `transaction()` makes a
   * savepoint.
   */
  #bindKnex(): Knex {
    const bound = loadKnex().knex({ client: "pg" });
    bound.client.transacting = true;
    bound.client.releaseConnection = async () => {};
    bound.client.acquireConnection = async () => {
      this.#assertOpen();
      this.#part.noteSideEffect();
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
   * Also waits until a statement that `work` did not await has a connection, so that it cannot leave its
   * savepoint.
   */
  async #whole<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      if (this.#arriving !== null) await this.#arriving;
    }
  }

  /**
   * The caller gets the reason of the failure. If ROLLBACK fails too, the connection is not used again, and
   * the server rolls back.
   */
  async #rollback(): Promise<void> {
    this.#open = false;
    if (this.#connection === null || this.#connection.broken || this.#isUnbegun) return;
    await this.#connection.command("rollback").catch(() => {});
  }

  /** Drops what was registered inside the savepoint too. */
  async #rollbackTo(name: string, opening: string, part: OpenSavepoint): Promise<void> {
    try {
      if (this.#withdraw(opening)) return;
      this.#pending.length = 0;
      // If the connection is lost, the caller gets that error.
      if (this.#connection === null || this.#connection.broken) return;
      await this.#connection.command(`rollback to savepoint ${name}; release savepoint ${name}`);
    } finally {
      if (this.effects !== null) await this.effects.undo((asking) => asking.isIn(part));
    }
  }

  /** Removes a savepoint that no statement used, with everything inside it. */
  #withdraw(opening: string): boolean {
    const at = this.#pending.lastIndexOf(opening);
    if (at < 0) return false;
    this.#pending.length = at;
    return true;
  }

  #assertOpen(): void {
    if (!this.#open) throw new Error("the transaction has ended: wait for all of its queries inside it");
  }
}
