import { defineMigration } from "#runtime/migrations/runner/index";

/** What another branch added to the first migration. */
export const migration = defineMigration({
  name: "0002_other",
  parent: "0001_initial",
  up: [{ step: "rename_table", table: "books", to: "volumes" }],
  down: [{ step: "rename_table", table: "volumes", to: "books" }],
});
