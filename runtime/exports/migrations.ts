/** `kirak/migrations`: what migrations are written in, generated ones and SQL of one's own. */
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
