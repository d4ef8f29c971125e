import type { Database, Transaction } from "../database/index.ts";

/** The database as operations see it that are part of a transaction. Whoever has them run undoes what fails, and tries nothing again. */
export function boundDatabase(database: Database, transaction: Transaction): Database {
  return {
    run: (statement, values) => transaction.run(statement, values),
    readsOf: () => transaction,
    transaction: (work) => work(transaction),
    ping: () => database.ping(),
    connections: () => database.connections(),
    close: (longestWaitMs) => database.close(longestWaitMs),
  };
}
