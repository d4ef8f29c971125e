import { asStep, noTrace, type Trace } from "../concurrency/index.ts";
import type { Database, Queryable, Transaction } from "./queryable.ts";

/** A database whose every statement is a step of a trace; the database itself where nobody wants to know. */
export function tracedDatabase(database: Database, trace: Trace): Database {
  if (trace === noTrace) return database;
  return {
    run: timed(database, trace),
    readsOf: (caller) => ({ run: timed(database.readsOf(caller), trace) }),
    transaction: (work) => database.transaction((transaction) => work(tracedTransaction(transaction, trace))),
    connections: () => database.connections(),
    isFull: () => database.isFull(),
    ping: () => database.ping(),
    close: (longestWaitMs) => database.close(longestWaitMs),
  };
}

/** What a hook asks of its knex belongs to the hook's step. */
function tracedTransaction(transaction: Transaction, trace: Trace): Transaction {
  return {
    run: timed(transaction, trace),
    get knex() {
      return transaction.knex;
    },
    savepoint: (work) => transaction.savepoint(work),
    get part() {
      return transaction.part;
    },
  };
}

function timed(queryable: Queryable, trace: Trace): Queryable["run"] {
  return (statement, values) => asStep(trace, "sql", () => queryable.run(statement, values));
}
