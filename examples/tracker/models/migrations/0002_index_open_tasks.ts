import { defineSqlMigration } from "kirak/migrations";

// For the daily digest. Most tasks are done, and an index that models declare would contain them too.
export default defineSqlMigration({
  class: "additive",
  up: "CREATE INDEX tasks_open_due_on_idx ON tasks (due_on) WHERE status <> 'done' AND deleted_at IS NULL",
  down: "DROP INDEX tasks_open_due_on_idx",
});
