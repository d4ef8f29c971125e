// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineMigration } from "kirak/migrations";

// Additive: 12 steps.
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
      table: "tickets",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "title", type: "varchar(255)", nullable: false },
        { name: "author_id", type: "bigint", nullable: false },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    { step: "add_column", table: "users", column: { name: "nickname", type: "varchar(40)", nullable: true } },
    {
      step: "add_column",
      table: "users",
      column: { name: "plan", type: "varchar(255)", nullable: false, default: { literal: "free" } },
    },
    { step: "add_column", table: "users", column: { name: "team_id", type: "bigint", nullable: true } },
    {
      step: "add_index",
      table: "tickets",
      index: { name: "tickets_author_id_idx", columns: ["author_id"], unique: false, live: false },
    },
    {
      step: "add_index",
      table: "users",
      index: { name: "users_nickname_key", columns: ["nickname"], unique: true, live: false },
    },
    {
      step: "add_index",
      table: "users",
      index: {
        name: "users_plan_created_at_idx",
        columns: ["plan", "created_at"],
        unique: false,
        live: false,
      },
    },
    {
      step: "add_index",
      table: "users",
      index: { name: "users_team_id_idx", columns: ["team_id"], unique: false, live: false },
    },
    {
      step: "add_check",
      table: "users",
      check: { name: "users_plan_check", column: "plan", oneOf: ["free", "team"] },
    },
    {
      step: "add_foreign_key",
      table: "tickets",
      foreignKey: {
        name: "tickets_author_id_fkey",
        column: "author_id",
        references: { table: "users", column: "id" },
        onDelete: "cascade",
      },
    },
    {
      step: "add_foreign_key",
      table: "users",
      foreignKey: {
        name: "users_team_id_fkey",
        column: "team_id",
        references: { table: "teams", column: "id" },
        onDelete: "set_null",
      },
    },
  ],
  down: [
    { step: "drop_foreign_key", table: "users", name: "users_team_id_fkey" },
    { step: "drop_table", table: "teams" },
    { step: "drop_table", table: "tickets" },
    { step: "drop_check", table: "users", name: "users_plan_check" },
    { step: "drop_index", table: "users", name: "users_nickname_key" },
    { step: "drop_index", table: "users", name: "users_plan_created_at_idx" },
    { step: "drop_index", table: "users", name: "users_team_id_idx" },
    { step: "drop_column", table: "users", column: "nickname" },
    { step: "drop_column", table: "users", column: "plan" },
    { step: "drop_column", table: "users", column: "team_id" },
  ],
});
