// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineMigration } from "kirak/migrations";

// Additive: 4 steps.
export const migration = defineMigration({
  name: "0001_initial",
  parent: null,
  up: [
    {
      step: "create_table",
      table: "documents",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "title", type: "varchar(255)", nullable: false },
        { name: "audit_id", type: "bigint", nullable: true },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    {
      step: "create_table",
      table: "audit_log",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "event", type: "varchar(255)", nullable: false },
        { name: "address", type: "varchar(255)", nullable: true },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    {
      step: "add_index",
      table: "documents",
      index: { name: "documents_audit_id_idx", columns: ["audit_id"], unique: false, live: false },
    },
    {
      step: "add_foreign_key",
      table: "documents",
      foreignKey: {
        name: "documents_audit_id_fkey",
        column: "audit_id",
        references: { table: "audit_log", column: "id" },
        onDelete: "restrict",
      },
    },
  ],
  down: [
    { step: "drop_foreign_key", table: "documents", name: "documents_audit_id_fkey" },
    { step: "drop_table", table: "documents" },
    { step: "drop_table", table: "audit_log" },
  ],
});
