import type { Transaction } from "../database/index.ts";
import type { OperationDatabase } from "../operations/index.ts";

/** The database of operations that are part of a transaction. Whoever has them run undoes what fails, and tries nothing again. */
export function boundDatabase(transaction: Transaction): OperationDatabase {
  return {
    run: (statement, values) => transaction.run(statement, values),
    readsOf: () => transaction,
    transaction: (work) => work(transaction),
  };
}
