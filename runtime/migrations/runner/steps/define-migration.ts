import type { Migration } from "../../../../vocabulary/migrations/migration-steps.ts";
import type { SqlMigration } from "../../../../vocabulary/migrations/sql-migration.ts";

/** Declares a migration. */
export function defineMigration(migration: Migration): Migration {
  return migration;
}

/** Declares a migration of custom SQL, in a file of `models/migrations/`. */
export function defineSqlMigration(migration: SqlMigration): SqlMigration {
  return migration;
}

/** Links custom SQL into the chain of migrations. */
export function linkMigration(link: Required<Pick<Migration, "name" | "parent" | "sql">>): Migration {
  return { ...link, up: [], down: [] };
}
