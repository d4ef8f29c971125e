import type { Migration } from "../../../vocabulary/migrations/migration-steps.ts";
import { createHistoryTables, recordInHistory } from "./apply/main-transaction.ts";
import { withMigrationLock } from "./apply/migration-lock.ts";
import { timingOf } from "./apply/timing.ts";
import { inTransaction } from "./apply/unfinished.ts";
import { isBuiltIn } from "./history/compare-history.ts";
import { readHistory, requireTableOwnership } from "./history/history-tables.ts";
import { MigrationError } from "./migration-error.ts";
import type { MigrateOptions } from "./migration-options.ts";
import { markOnly } from "./plan/migration-change.ts";

/**
 * Records a migration that describes this database as applied, without the files of the migrations before it. Throws a
 * MigrationError if the app's last applied migration is not its parent.
 */
export async function markNext(
  options: Pick<MigrateOptions, "url" | "log" | "timing"> & { readonly migration: Migration },
): Promise<void> {
  const { url, log, migration } = options;
  await withMigrationLock({ url, log, timing: timingOf(options) }, async ({ client }) => {
    await requireTableOwnership(client);
    const last = (await readHistory(client)).findLast(({ name }) => !isBuiltIn(name))?.name ?? null;
    if (last !== migration.parent)
      throw new MigrationError(
        `the last migration of the database is ${last ?? "none"}, and ${migration.name} follows ${migration.parent ?? "none"}`,
      );
    await createHistoryTables(client);
    await inTransaction(client, () => recordInHistory(client, markOnly(migration)));
  });
}
