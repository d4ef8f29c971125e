import type pg from "pg";
import type { Migration } from "../../../../vocabulary/migrations/migration-steps.ts";
import { MigrationError } from "../migration-error.ts";
import type { CodeMigrations } from "./compare-history.ts";
import { readSqlProgress } from "./sql-progress.ts";

/** The migrations of own SQL that are half-way. Throws a MigrationError where the code does not have them. */
export async function begunMigrations(
  client: pg.Client,
  { migrations }: CodeMigrations,
): Promise<Migration[]> {
  const begun = await readSqlProgress(client);
  return begun.map(({ name }) => {
    const migration = migrations.find((other) => other.name === name);
    if (migration !== undefined) return migration;
    throw new MigrationError(
      `the database is newer than this code: ${name} is half-way in it; deploy the code that has it, or take it back with ` +
        "that code (npm run migrate -- down)",
    );
  });
}
