import { defineSqlMigration } from "kirak/migrations";

export default defineSqlMigration({
  class: "additive",
  up: ["CREATE TABLE a (); COMMIT;", "CREATE INDEX CONCURRENTLY i ON books (title)"],
  down: "-- nothing",
  batches: [
    { table: "books", size: 0, sql: "SELECT 1" },
    { table: "books", size: 10, sql: "UPDATE books SET title = ''" },
  ],
});
