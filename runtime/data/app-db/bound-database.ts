import type { Transaction } from "../../core/database/index.ts";
import type { OperationDatabase } from "../operations/index.ts";

/** The database of operations that are part of a transaction. Whoever has them run undoes what fails, and tries nothing again. */
export function boundDatabase(transaction: Transaction): OperationDatabase {
  return {
    run: (...given) => transaction.run(...given),
    readsOf: () => transaction,
    transaction: (work) => work(transaction),
  };
}
