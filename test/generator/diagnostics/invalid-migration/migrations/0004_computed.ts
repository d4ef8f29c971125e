import { defineSqlMigration } from "kirak/migrations";

const table = "books";

export default defineSqlMigration({
  class: "additive",
  up: `DROP TABLE ${table}`,
});
