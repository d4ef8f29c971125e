import type { Database, Transaction } from "../database/index.ts";
import { ServiceError } from "../errors/index.ts";

/**
 * Runs `work` in a transaction. An error that it throws undoes what it did; one that it gives back is thrown after the
 * commit: a wrong try that was undone would not count.
 */
export async function inTransaction<T>(
  database: Database,
  work: (transaction: Transaction) => Promise<T | ServiceError>,
): Promise<T> {
  return orThrow(await database.transaction(work));
}

/** The result, unless it is a refusal. */
export function orThrow<T>(result: T | ServiceError): T {
  if (result instanceof ServiceError) throw result;
  return result;
}
