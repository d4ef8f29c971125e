import type { Database, Queryable, Transaction } from "#runtime/database/index";

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
    get part() {
      return transaction.part;
    },
    get knex() {
      return transaction.knex;
    },
  };
}
