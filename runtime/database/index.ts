export type * from "./catalog/catalog.ts";
export { type CatalogDependent, readDependents } from "./catalog/dependents.ts";
export { readCatalog } from "./catalog/read-catalog.ts";
export type * from "./connection.ts";
export * from "./database.ts";
export * from "./database-error.ts";
export { compareCatalogs } from "./drift/compare-catalogs.ts";
export { type Comparison, type Difference, differenceLines } from "./drift/difference.ts";
export { type Verification, type VerifyOptions, verifyDatabase } from "./drift/verify.ts";
export * from "./embedded/embedded.ts";
export { EmbeddedError } from "./embedded/embedded-error.ts";
export { type ExpiredRows, removeExpiredRows } from "./expired-rows.ts";
export type { MigrationStatus } from "./migrations/history/history.ts";
export { loadMigrations } from "./migrations/history/load.ts";
export { MigrationError } from "./migrations/migration-error.ts";
export type { Change } from "./migrations/plan/change.ts";
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
} from "./migrations/runner.ts";
export { lossesOf } from "./migrations/steps/losses.ts";
export * from "./migrations/steps/operations.ts";
