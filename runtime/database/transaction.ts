import type { Knex } from "knex";
import { bindKnex } from "./bound-knex.ts";
import type { CheckedOutConnection } from "./checked-out-connection.ts";
import { isTransient, type PooledConnection, type Statement, type TextRow } from "./pooled-connection.ts";
import type { Transaction } from "./queryable.ts";

/**
 * Runs `work` between BEGIN and COMMIT. BEGIN, SAVEPOINT and RELEASE wait for the next statement and travel with it, so
 * a transaction of one statement takes two round trips. The connection is taken for the first statement: work that has
 * none needs none. A connection whose rollback fails is marked broken.
 */
export async function runTransaction<T>(
  loan: CheckedOutConnection,
  mayRetry: boolean,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const transaction = new LoanTransaction(loan);
  let result: T;
  try {
    result = await work(transaction);
    // A deadlock that a savepoint caught: all of it again is better than the work without that part.
    const passing = loan.taken?.transient ?? null;
    if (mayRetry && passing !== null) throw passing;
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
  await transaction.commit();
  return result;
}

class LoanTransaction implements Transaction {
  private readonly loan: CheckedOutConnection;
  /** Commands that are not sent yet. */
  private readonly pending: string[] = ["BEGIN"];
  private depth = 0;
  private open = true;
  private bound: Knex | null = null;

  constructor(loan: CheckedOutConnection) {
    this.loan = loan;
  }

  async run(statement: Statement, values: readonly unknown[]): Promise<TextRow[]> {
    this.assertOpen();
    const taken = this.loan.take();
    if (!(taken instanceof Promise)) return taken.run(statement, values, this.pending);
    const session = await taken;
    this.assertOpen();
    return session.run(statement, values, this.pending);
  }

  get knex(): Knex {
    this.bound ??= this.bind();
    return this.bound;
  }

  private bind(): Knex {
    const bound = bindKnex(async () => {
      this.assertOpen();
      const session = await this.loan.take();
      this.assertOpen();
      await this.flush(session);
      return session.client;
    });
    return bound.on("query-error", (error: unknown) => {
      if (isTransient(error) && this.loan.taken !== null) this.loan.taken.transient = error;
    });
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    this.assertOpen();
    const name = `kirak_${++this.depth}`;
    const opening = `SAVEPOINT ${name}`;
    this.pending.push(opening);
    try {
      const result = await this.whole(work);
      if (!this.withdraw(opening)) this.pending.push(`RELEASE SAVEPOINT ${name}`);
      return result;
    } catch (error) {
      if (!this.withdraw(opening)) await this.rollbackTo(name);
      throw error;
    } finally {
      this.depth--;
    }
  }

  /** Also waits until a statement that `work` left behind has a connection: it must not slip out of its savepoint. */
  private async whole<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      if (this.loan.isArriving) await this.loan.take();
    }
  }

  async commit(): Promise<void> {
    // A statement that nobody waits for belongs to the transaction too; and one that got no connection fails it.
    if (this.loan.isArriving) await this.loan.take();
    this.open = false;
    const session = this.loan.taken;
    if (session === null || this.pending[0] === "BEGIN") return;
    this.pending.push("COMMIT");
    try {
      const tag = await session.command(...this.pending);
      // A transaction in which a statement failed is rolled back by COMMIT without an error.
      if (tag !== "COMMIT")
        throw new Error("the transaction was rolled back: an earlier statement in it had failed");
    } catch (error) {
      if (session.client.getTransactionStatus() !== "I") session.broken = true;
      throw error;
    }
  }

  async rollback(): Promise<void> {
    this.open = false;
    const session = this.loan.taken;
    if (session === null || session.broken || this.pending[0] === "BEGIN") return;
    try {
      await session.command("ROLLBACK");
    } catch {
      // The caller is told why the work failed; the server rolls back when the connection ends.
      session.broken = true;
    }
  }

  private async rollbackTo(name: string): Promise<void> {
    this.pending.length = 0;
    const session = this.loan.taken;
    // Where the connection is lost, the caller is told of that.
    if (session === null || session.broken) return;
    await session.command(`ROLLBACK TO SAVEPOINT ${name}; RELEASE SAVEPOINT ${name}`);
  }

  private async flush(session: PooledConnection): Promise<void> {
    if (this.pending.length === 0) return;
    await session.command(...this.pending.splice(0));
  }

  /** Takes back a savepoint that no statement has needed, with all that was opened and closed inside it. */
  private withdraw(opening: string): boolean {
    const at = this.pending.lastIndexOf(opening);
    if (at < 0) return false;
    this.pending.length = at;
    return true;
  }

  private assertOpen(): void {
    if (!this.open) throw new Error("the transaction has ended: wait for all of its queries inside it");
  }
}
