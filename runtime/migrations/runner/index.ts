export type { Migration, Step } from "../../../vocabulary/migrations/migration-steps.ts";
export type { SqlBatches, SqlClass, SqlMigration } from "../../../vocabulary/migrations/sql-migration.ts";
export { compareCatalogs } from "./drift/compare-catalogs.ts";
export { type Comparison, type Difference, differenceLines } from "./drift/difference.ts";
export { type Verification, type VerifyOptions, verifyDatabase } from "./drift/verify.ts";
export { type CodeMigrations, isBuiltIn, type MigrationStatus } from "./history/compare-history.ts";
export { readCustomTables } from "./history/custom-objects.ts";
export { readHistory } from "./history/history-tables.ts";
export { type LoadModule, loadMigrations } from "./history/load.ts";
export { markNext } from "./mark-next.ts";
export { MigrationError } from "./migration-error.ts";
export type { HistoryOptions, MigrateDownOptions, MigrateOptions } from "./migration-options.ts";
export {
  begunMigrationNames,
  migrationStatus,
  pendingMigrations,
  plannedDown,
  plannedUp,
  unfinishedMigrationNames,
} from "./migration-status.ts";
export type { Change } from "./plan/migration-change.ts";
export { markApplied, migrate, migrateDown } from "./runner.ts";
export * from "./steps/define-migration.ts";
export { lossesOf, lossesOfDown } from "./steps/losses.ts";
export { stepToSql } from "./steps/steps-to-sql.ts";
