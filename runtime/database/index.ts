export type * from "./connection.ts";
export * from "./database.ts";
export * from "./database-error.ts";
export * from "./embedded/embedded.ts";
export { EmbeddedError } from "./embedded/embedded-error.ts";
export type { MigrationStatus } from "./migrations/history.ts";
export { MigrationError } from "./migrations/migration-error.ts";
export * from "./migrations/operations.ts";
export { type MigrateOptions, migrate, migrationStatus, pendingMigrations } from "./migrations/runner.ts";
