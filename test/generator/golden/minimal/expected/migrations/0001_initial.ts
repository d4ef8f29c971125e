// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineMigration } from "kirak/migrations";

// Additive: 1 step.
export const migration = defineMigration({
  name: "0001_initial",
  parent: null,
  up: [
    {
      step: "create_table",
      table: "notes",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "title", type: "varchar(255)", nullable: true },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
  ],
  down: [{ step: "drop_table", table: "notes" }],
});
