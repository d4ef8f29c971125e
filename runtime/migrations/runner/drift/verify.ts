import type { Logger } from "pino";
import { withMigrationLock } from "../apply/migration-lock.ts";
import { timingOf } from "../apply/timing.ts";
import { unfinishedMigrations } from "../apply/unfinished.ts";
import { readConsistentHistory } from "../history/compare-history.ts";
import { findInCode, pendingOf } from "../history/pending.ts";
import { readSqlProgress } from "../history/sql-progress.ts";
import { explainReadErrors, MigrationError } from "../migration-error.ts";
import type { HistoryOptions } from "../migration-options.ts";
import { compareWithLive } from "./compare-with-live.ts";
import type { Comparison } from "./difference.ts";

/** How a database differs from the result of its migrations. */
export interface Verification extends Comparison {
  /** Number of applied migrations. */
  readonly applied: number;
  /** Migrations that are not applied yet. They are not part of the comparison. */
  readonly pending: readonly string[];
  /** Interrupted migrations. Their leftovers can be among the differences. */
  readonly unfinished: readonly string[];
}

export interface VerifyOptions extends HistoryOptions {
  readonly log: Logger;
}

/**
 * Compares the tables of a database with those that its migrations create. Runs all migrations again as
 * temporary tables in a transaction that is rolled back. Changes nothing. Ignores Kirak's own tables.
 */
export async function verifyDatabase(options: VerifyOptions): Promise<Verification> {
  const { url, log } = options;
  const timing = timingOf(options);
  return withMigrationLock({ url, log, timing }, async ({ client }) => {
    const history = await explainReadErrors(readConsistentHistory(client, options));
    const applied = findInCode(options, history);
    const pending = pendingOf(options, history).map(({ name }) => name);
    if (applied.length === 0)
      throw new MigrationError("no migration was applied to this database yet: run npm run migrate");
    const begun = (await readSqlProgress(client)).map(({ name }) => name);
    const unfinished = [...(await unfinishedMigrations(client)), ...begun];
    const comparison = await compareWithLive(client, applied, timing, log);
    return { ...comparison, applied: applied.length, pending, unfinished };
  });
}
