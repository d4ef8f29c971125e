import type { Migration } from "../../../vocabulary/migration-steps.ts";

/** Declares a migration. */
export function defineMigration(migration: Migration): Migration {
  return migration;
}
