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
        { name: "title", type: "varchar(255)", nullable: false },
        { name: "status", type: "varchar(255)", nullable: false, default: { literal: "draft" } },
        { name: "views", type: "integer", nullable: true, default: { literal: 0 } },
        { name: "published_at", type: "timestamptz(3)", nullable: true },
        { name: "hidden", type: "boolean", nullable: false, default: { literal: false } },
        { name: "owner_email", type: "text", nullable: true },
        { name: "team_id", type: "bigint", nullable: true },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "deleted_at", type: "timestamptz(3)", nullable: true },
      ],
    },
    {
      step: "create_table",
      table: "teams",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "name", type: "varchar(255)", nullable: false },
        { name: "owner_id", type: "integer", nullable: true },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    {
      step: "add_index",
      table: "posts",
      index: { name: "posts_team_id_idx", columns: ["team_id"], unique: false, live: false },
    },
    {
      step: "add_check",
      table: "posts",
      check: { name: "posts_status_check", column: "status", oneOf: ["draft", "published"] },
    },
    {
      step: "add_foreign_key",
      table: "posts",
      foreignKey: {
        name: "posts_team_id_fkey",
        column: "team_id",
        references: { table: "teams", column: "id" },
        onDelete: "restrict",
      },
    },
  ],
  down: [
    { step: "drop_foreign_key", table: "posts", name: "posts_team_id_fkey" },
    { step: "drop_table", table: "posts" },
    { step: "drop_table", table: "teams" },
  ],
});
