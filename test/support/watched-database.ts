import type { Database, Queryable, Transaction } from "#runtime/core/database/index";
import { type FixturePeers, type Settings, testService } from "./service.ts";

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

/** The fixture's service, and what it sends to its database. */
export async function countedService(settings: Settings = {}, peers: FixturePeers = {}) {
  const sent: Sent = { statements: [], transactions: 0 };
  const watch = (database: Database) => countingDatabase(database, sent);
  return { ...(await testService(settings, { ...peers, watch })), sent };
}

/** A database that notes in `sent` what is sent to it. */
function countingDatabase(database: Database, sent: Sent): Database {
  const watched = watchedDatabase(database, (connection) => (statement, values) => {
    if (!statement.text.includes("auth_token_blacklist")) sent.statements.push(statement.text);
    return connection.run(statement, values);
  });
  const transaction: Database["transaction"] = (work) => {
    sent.transactions++;
    return watched.transaction(work);
  };
  return { ...watched, transaction };
}
