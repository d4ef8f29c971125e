import { defineSqlMigration } from "kirak/migrations";

export default defineSqlMigration({ class: "additive", up: "SELECT 1" });
