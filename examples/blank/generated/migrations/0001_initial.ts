// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineMigration } from "kirak/migrations";

// Additive: 6 steps.
export const migration = defineMigration({
  name: "0001_initial",
  parent: null,
  up: [
    {
      step: "create_table",
      table: "notebooks",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "title", type: "varchar(120)", nullable: false },
        { name: "public", type: "boolean", nullable: false, default: { literal: false } },
        { name: "owner_id", type: "bigint", nullable: false },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "deleted_at", type: "timestamptz(3)", nullable: true },
      ],
    },
    {
      step: "create_table",
      table: "notes",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "notebook_id", type: "bigint", nullable: false },
        { name: "title", type: "varchar(120)", nullable: false },
        { name: "body", type: "text", nullable: true },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "deleted_at", type: "timestamptz(3)", nullable: true },
      ],
    },
    {
      step: "add_index",
      table: "notebooks",
      index: { name: "notebooks_owner_id_idx", columns: ["owner_id"], unique: false, live: false },
    },
    {
      step: "add_index",
      table: "notes",
      index: { name: "notes_notebook_id_idx", columns: ["notebook_id"], unique: false, live: false },
    },
    {
      step: "add_foreign_key",
      table: "notebooks",
      foreignKey: {
        name: "notebooks_owner_id_fkey",
        column: "owner_id",
        references: { table: "users", column: "id" },
        onDelete: "cascade",
      },
    },
    {
      step: "add_foreign_key",
      table: "notes",
      foreignKey: {
        name: "notes_notebook_id_fkey",
        column: "notebook_id",
        references: { table: "notebooks", column: "id" },
        onDelete: "cascade",
      },
    },
  ],
  down: [
    { step: "drop_foreign_key", table: "notes", name: "notes_notebook_id_fkey" },
    { step: "drop_table", table: "notebooks" },
    { step: "drop_table", table: "notes" },
  ],
});
