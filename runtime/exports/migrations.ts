/** `kirak/migrations`, for generated migrations and custom SQL. */
export {
  defineMigration,
  defineSqlMigration,
  linkMigration,
  type Migration,
  type SqlBatches,
  type SqlClass,
  type SqlMigration,
  type Step,
} from "../migrations/runner/index.ts";
