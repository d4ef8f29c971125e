// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineMigration } from "kirak/migrations";

// Additive: 23 steps.
export const migration = defineMigration({
  name: "0001_initial",
  parent: null,
  up: [
    {
      step: "create_table",
      table: "teams",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "name", type: "varchar(255)", nullable: true },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    {
      step: "create_table",
      table: "organisations",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "name", type: "varchar(255)", nullable: true },
        { name: "owner_id", type: "bigint", nullable: true },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    {
      step: "create_table",
      table: "memberships",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "organisation_id", type: "bigint", nullable: true },
        { name: "user_id", type: "bigint", nullable: true },
        { name: "role", type: "varchar(255)", nullable: true },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    {
      step: "create_table",
      table: "projects",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "organisation_id", type: "bigint", nullable: true },
        { name: "a_id", type: "bigint", nullable: true },
        { name: "b_id", type: "bigint", nullable: true },
        { name: "due_on", type: "date", nullable: true },
        { name: "team_id", type: "bigint", nullable: true },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    { step: "add_column", table: "users", column: { name: "team_id", type: "bigint", nullable: true } },
    { step: "add_column", table: "users", column: { name: "nick", type: "varchar(255)", nullable: true } },
    { step: "add_column", table: "users", column: { name: "office", type: "varchar(255)", nullable: true } },
    {
      step: "add_index",
      table: "organisations",
      index: { name: "organisations_owner_id_idx", columns: ["owner_id"], unique: false, live: false },
    },
    {
      step: "add_index",
      table: "memberships",
      index: {
        name: "memberships_organisation_id_idx",
        columns: ["organisation_id"],
        unique: false,
        live: false,
      },
    },
    {
      step: "add_index",
      table: "memberships",
      index: { name: "memberships_user_id_idx", columns: ["user_id"], unique: false, live: false },
    },
    {
      step: "add_index",
      table: "projects",
      index: {
        name: "projects_organisation_id_idx",
        columns: ["organisation_id"],
        unique: false,
        live: false,
      },
    },
    {
      step: "add_index",
      table: "projects",
      index: { name: "projects_a_id_idx", columns: ["a_id"], unique: false, live: false },
    },
    {
      step: "add_index",
      table: "projects",
      index: { name: "projects_b_id_idx", columns: ["b_id"], unique: false, live: false },
    },
    {
      step: "add_index",
      table: "projects",
      index: { name: "projects_team_id_idx", columns: ["team_id"], unique: false, live: false },
    },
    {
      step: "add_index",
      table: "users",
      index: { name: "users_team_id_idx", columns: ["team_id"], unique: false, live: false },
    },
    {
      step: "add_foreign_key",
      table: "organisations",
      foreignKey: {
        name: "organisations_owner_id_fkey",
        column: "owner_id",
        references: { table: "users", column: "id" },
        onDelete: "restrict",
      },
    },
    {
      step: "add_foreign_key",
      table: "memberships",
      foreignKey: {
        name: "memberships_organisation_id_fkey",
        column: "organisation_id",
        references: { table: "organisations", column: "id" },
        onDelete: "restrict",
      },
    },
    {
      step: "add_foreign_key",
      table: "memberships",
      foreignKey: {
        name: "memberships_user_id_fkey",
        column: "user_id",
        references: { table: "users", column: "id" },
        onDelete: "restrict",
      },
    },
    {
      step: "add_foreign_key",
      table: "projects",
      foreignKey: {
        name: "projects_organisation_id_fkey",
        column: "organisation_id",
        references: { table: "organisations", column: "id" },
        onDelete: "restrict",
      },
    },
    {
      step: "add_foreign_key",
      table: "projects",
      foreignKey: {
        name: "projects_a_id_fkey",
        column: "a_id",
        references: { table: "users", column: "id" },
        onDelete: "restrict",
      },
    },
    {
      step: "add_foreign_key",
      table: "projects",
      foreignKey: {
        name: "projects_b_id_fkey",
        column: "b_id",
        references: { table: "users", column: "id" },
        onDelete: "restrict",
      },
    },
    {
      step: "add_foreign_key",
      table: "projects",
      foreignKey: {
        name: "projects_team_id_fkey",
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
    { step: "drop_foreign_key", table: "memberships", name: "memberships_organisation_id_fkey" },
    { step: "drop_foreign_key", table: "projects", name: "projects_organisation_id_fkey" },
    { step: "drop_foreign_key", table: "projects", name: "projects_team_id_fkey" },
    { step: "drop_table", table: "teams" },
    { step: "drop_table", table: "organisations" },
    { step: "drop_table", table: "memberships" },
    { step: "drop_table", table: "projects" },
    { step: "drop_index", table: "users", name: "users_team_id_idx" },
    { step: "drop_column", table: "users", column: "team_id" },
    { step: "drop_column", table: "users", column: "nick" },
    { step: "drop_column", table: "users", column: "office" },
  ],
});
