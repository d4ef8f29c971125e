// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineMigration } from "kirak/migrations";

// Additive: 11 steps.
export const migration = defineMigration({
  name: "0001_initial",
  parent: null,
  up: [
    {
      step: "create_table",
      table: "teams",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "name", type: "varchar(255)", nullable: false },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    {
      step: "create_table",
      table: "notes",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "text", type: "text", nullable: false },
        { name: "owner_id", type: "bigint", nullable: false },
        { name: "team_id", type: "bigint", nullable: true },
        { name: "written_by", type: "text", nullable: true },
        { name: "written_as", type: "varchar(255)", nullable: true },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "deleted_at", type: "timestamptz(3)", nullable: true },
      ],
    },
    {
      step: "create_table",
      table: "visits",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "user_id", type: "integer", nullable: false },
        { name: "day", type: "date", nullable: false },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    { step: "add_column", table: "users", column: { name: "team_id", type: "bigint", nullable: true } },
    {
      step: "add_index",
      table: "notes",
      index: { name: "notes_owner_id_idx", columns: ["owner_id"], unique: false, live: false },
    },
    {
      step: "add_index",
      table: "notes",
      index: { name: "notes_team_id_idx", columns: ["team_id"], unique: false, live: false },
    },
    {
      step: "add_index",
      table: "users",
      index: { name: "users_team_id_idx", columns: ["team_id"], unique: false, live: false },
    },
    {
      step: "add_check",
      table: "notes",
      check: { name: "notes_written_as_check", column: "written_as", oneOf: ["user", "staff"] },
    },
    {
      step: "add_foreign_key",
      table: "notes",
      foreignKey: {
        name: "notes_owner_id_fkey",
        column: "owner_id",
        references: { table: "users", column: "id" },
        onDelete: "cascade",
      },
    },
    {
      step: "add_foreign_key",
      table: "notes",
      foreignKey: {
        name: "notes_team_id_fkey",
        column: "team_id",
        references: { table: "teams", column: "id" },
        onDelete: "restrict",
      },
    },
    {
      step: "add_foreign_key",
      table: "users",
      foreignKey: {
        name: "users_team_id_fkey",
        column: "team_id",
        references: { table: "teams", column: "id" },
        onDelete: "restrict",
      },
    },
  ],
  down: [
    { step: "drop_foreign_key", table: "users", name: "users_team_id_fkey" },
    { step: "drop_foreign_key", table: "notes", name: "notes_team_id_fkey" },
    { step: "drop_table", table: "teams" },
    { step: "drop_table", table: "notes" },
    { step: "drop_table", table: "visits" },
    { step: "drop_index", table: "users", name: "users_team_id_idx" },
    { step: "drop_column", table: "users", column: "team_id" },
  ],
});
