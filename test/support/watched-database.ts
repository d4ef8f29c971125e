import type { Database, Queryable, Transaction } from "#runtime/core/database/index";

/** Runs a statement of a connection, and looks at what goes through. */
type Watch = (connection: Queryable) => Queryable["run"];

/** A database each statement of which is run by `watch`, in transactions and for callers too. */
export function watchedDatabase(database: Database, watch: Watch): Database {
  return {
    run: watch(database),
    readsOf: (caller) => ({ run: watch(database.readsOf(caller)) }),
    transaction: (work) =>
      database.transaction((transaction) => work(watchedTransaction(transaction, watch))),
    ping: () => database.ping(),
    connections: () => database.connections(),
    isFull: () => database.isFull(),
    close: (longestWaitMs) => database.close(longestWaitMs),
  };
}

function watchedTransaction(transaction: Transaction, watch: Watch): Transaction {
  return {
    run: watch(transaction),
    savepoint: (work) => transaction.savepoint(work),
    get currentSavepoint() {
      return transaction.currentSavepoint;
    },
    get knex() {
      return transaction.knex;
    },
  };
}

/** What a service sent to its database. */
export interface Sent {
  /** Texts of statements, in order, without those that look a credential up. */
  statements: string[];
  transactions: number;
}

/** A database that notes what is sent to it. */
export function countingDatabase(database: Database): { readonly database: Database; readonly sent: Sent } {
  const sent: Sent = { statements: [], transactions: 0 };
  const watched = watchedDatabase(database, (connection) => (statement, values) => {
    if (!statement.text.includes("auth_token_blacklist")) sent.statements.push(statement.text);
    return connection.run(statement, values);
  });
  const transaction: Database["transaction"] = (work) => {
    sent.transactions++;
    return watched.transaction(work);
  };
  return { database: { ...watched, transaction }, sent };
}
