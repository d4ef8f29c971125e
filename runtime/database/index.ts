export type * from "./catalog/catalog.ts";
export { compareCatalogs } from "./catalog/compare-catalogs.ts";
export { type CatalogDependent, readDependents } from "./catalog/dependents.ts";
export { type Comparison, type Difference, differenceLines } from "./catalog/difference.ts";
export { readCatalog } from "./catalog/read-catalog.ts";
export type * from "./connection.ts";
export * from "./database.ts";
export * from "./database-error.ts";
export * from "./embedded/embedded.ts";
export { EmbeddedError } from "./embedded/embedded-error.ts";
export type { Change } from "./migrations/change.ts";
export type { MigrationStatus } from "./migrations/history.ts";
export { loadMigrations } from "./migrations/load.ts";
export { lossesOf } from "./migrations/losses.ts";
export { MigrationError } from "./migrations/migration-error.ts";
export * from "./migrations/operations.ts";
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
export { type Verification, type VerifyOptions, verifyDatabase } from "./migrations/verify.ts";
