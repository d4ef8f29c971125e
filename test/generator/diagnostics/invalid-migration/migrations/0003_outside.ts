import { defineSqlMigration } from "kirak/migrations";

export default defineSqlMigration({
  class: "destructive",
  transaction: false,
  up: ["SELECT 1; SELECT 2", "CREATE INDEX CONCURRENTLY i ON books (title)", "DROP INDEX CONCURRENTLY i"],
});
