// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineMigration } from "kirak/migrations";

// Additive: 5 steps.
export const migration = defineMigration({
  name: "0001_initial",
  parent: null,
  up: [
    {
      step: "create_table",
      table: "posts",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "heading", type: "varchar(255)", nullable: false },
        { name: "state", type: "varchar(20)", nullable: true },
        { name: "parent_id", type: "bigint", nullable: true },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "deleted_at", type: "timestamptz(3)", nullable: true },
      ],
    },
    {
      step: "add_index",
      table: "posts",
      index: { name: "posts_heading_key", columns: ["heading"], unique: true, live: true },
    },
    {
      step: "add_index",
      table: "posts",
      index: { name: "posts_parent_id_idx", columns: ["parent_id"], unique: false, live: false },
    },
    {
      step: "add_check",
      table: "posts",
      check: { name: "posts_state_check", column: "state", oneOf: ["draft", "live"] },
    },
    {
      step: "add_foreign_key",
      table: "posts",
      foreignKey: {
        name: "posts_parent_id_fkey",
        column: "parent_id",
        references: { table: "posts", column: "id" },
        onDelete: "restrict",
      },
    },
  ],
  down: [{ step: "drop_table", table: "posts" }],
});
