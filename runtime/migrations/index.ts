export type { Migration, Step } from "../../vocabulary/migration-steps.ts";
export { compareCatalogs } from "./drift/compare-catalogs.ts";
export { type Comparison, type Difference, differenceLines } from "./drift/difference.ts";
export { type Verification, type VerifyOptions, verifyDatabase } from "./drift/verify.ts";
export type { MigrationStatus } from "./history/history-table.ts";
export { loadMigrations } from "./history/load.ts";
export { MigrationError } from "./migration-error.ts";
export type { Change } from "./plan/migration-change.ts";
export {
  type HistoryOptions,
  leftHalfWay,
  type MigrateDownOptions,
  type MigrateOptions,
  markApplied,
  migrate,
  migrateDown,
  migrationStatus,
  pendingMigrations,
  plannedDown,
  plannedUp,
} from "./runner.ts";
export * from "./steps/define-migration.ts";
export { lossesOf } from "./steps/losses.ts";
