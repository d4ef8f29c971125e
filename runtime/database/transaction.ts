import type { Knex } from "knex";
import { bindKnex } from "./bound-knex.ts";
import type { Transaction } from "./connection.ts";
import { isTransient, type Session, type Statement, type TextRow } from "./session.ts";

/**
 * Runs `work` between BEGIN and COMMIT. BEGIN, SAVEPOINT and RELEASE wait for the next statement and travel with it, so
 * a transaction of one statement takes two round trips. A connection whose rollback fails is marked broken.
 */
export async function runTransaction<T>(
  session: Session,
  mayRetry: boolean,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const transaction = new SessionTransaction(session);
  let result: T;
  try {
    result = await work(transaction);
    // A deadlock that a savepoint caught: all of it again is better than the work without that part.
    if (mayRetry && session.transient !== null) throw session.transient;
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
  await transaction.commit();
  return result;
}

class SessionTransaction implements Transaction {
  private readonly session: Session;
  /** Commands that are not sent yet. */
  private readonly pending: string[] = ["BEGIN"];
  private depth = 0;
  private open = true;
  private bound: Knex | null = null;

  constructor(session: Session) {
    this.session = session;
  }

  async run(statement: Statement, values: readonly unknown[]): Promise<TextRow[]> {
    this.assertOpen();
    return this.session.run(statement, values, this.pending);
  }

  get knex(): Knex {
    this.bound ??= this.bind();
    return this.bound;
  }

  private bind(): Knex {
    const bound = bindKnex(async () => {
      this.assertOpen();
      await this.flush();
      return this.session.client;
    });
    return bound.on("query-error", (error: unknown) => {
      if (isTransient(error)) this.session.transient = error;
    });
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    this.assertOpen();
    const name = `kirak_${++this.depth}`;
    const opening = `SAVEPOINT ${name}`;
    this.pending.push(opening);
    try {
      const result = await work();
      if (!this.withdraw(opening)) this.pending.push(`RELEASE SAVEPOINT ${name}`);
      return result;
    } catch (error) {
      if (!this.withdraw(opening)) await this.rollbackTo(name);
      throw error;
    } finally {
      this.depth--;
    }
  }

  async commit(): Promise<void> {
    this.open = false;
    if (this.pending[0] === "BEGIN") return;
    this.pending.push("COMMIT");
    try {
      const tag = await this.session.command(this.pending.join(";"));
      // A transaction in which a statement failed is rolled back by COMMIT without an error.
      if (tag !== "COMMIT")
        throw new Error("the transaction was rolled back: an earlier statement in it had failed");
    } catch (error) {
      if (this.session.client.getTransactionStatus() !== "I") this.session.broken = true;
      throw error;
    }
  }

  async rollback(): Promise<void> {
    this.open = false;
    if (this.pending[0] === "BEGIN" || this.session.broken) return;
    try {
      await this.session.command("ROLLBACK");
    } catch {
      // The caller is told why the work failed; the server rolls back when the connection ends.
      this.session.broken = true;
    }
  }

  private async rollbackTo(name: string): Promise<void> {
    this.pending.length = 0;
    await this.session.command(`ROLLBACK TO SAVEPOINT ${name}; RELEASE SAVEPOINT ${name}`);
  }

  private async flush(): Promise<void> {
    if (this.pending.length === 0) return;
    await this.session.command(this.pending.splice(0).join(";"));
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
