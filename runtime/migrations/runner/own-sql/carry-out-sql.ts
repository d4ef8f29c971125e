import type { Run } from "../apply/main-transaction.ts";
import { StepFailure } from "../apply/perform.ts";
import { createCustomObjects } from "../history/made-objects.ts";
import { createSqlProgress } from "../history/sql-progress.ts";
import type { Change, SqlChange } from "../plan/migration-change.ts";
import { applyInOneTransaction } from "./one-transaction.ts";
import { applyPieces, revertPieces } from "./piece-by-piece.ts";

/** Applies or reverts a migration of own SQL. Throws a MigrationError that describes where it stopped. */
export async function applySql(run: Run, change: Change, sql: SqlChange): Promise<void> {
  const { client } = run.lock;
  await createSqlProgress(client);
  await createCustomObjects(client);
  const isWhole = sql.inTransaction && sql.batches.length === 0;
  if (!isWhole && change.direction === "up") return applyPieces(run, change, sql);
  try {
    await (isWhole ? applyInOneTransaction(run, change, sql) : revertPieces(run, change, sql));
  } catch (error) {
    const outcome = isWhole
      ? "nothing of it was"
      : "what is done stays so, and npm run migrate -- down goes on there: it is not";
    const done = change.direction === "up" ? "applied" : "taken back";
    throw error instanceof StepFailure ? error.toMigrationError(`${outcome} ${done}`) : error;
  }
}
