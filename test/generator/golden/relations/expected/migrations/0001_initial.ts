// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineMigration } from "kirak/migrations";

// Additive: 12 steps.
export const migration = defineMigration({
  name: "0001_initial",
  parent: null,
  up: [
    {
      step: "create_table",
      table: "companies",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "name", type: "varchar(255)", nullable: false },
        { name: "contact_id", type: "bigint", nullable: true },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    {
      step: "create_table",
      table: "people",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "name", type: "varchar(255)", nullable: false },
        { name: "code", type: "varchar(20)", nullable: false },
        { name: "company_id", type: "bigint", nullable: false },
        { name: "manager_id", type: "bigint", nullable: true },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "deleted_at", type: "timestamptz(3)", nullable: true },
      ],
    },
    {
      step: "create_table",
      table: "badges",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "person_id", type: "bigint", nullable: false },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    {
      step: "add_index",
      table: "companies",
      index: { name: "companies_contact_id_idx", columns: ["contact_id"], unique: false, live: false },
    },
    {
      step: "add_index",
      table: "people",
      index: { name: "people_code_key", columns: ["code"], unique: true, live: true },
    },
    {
      step: "add_index",
      table: "people",
      index: { name: "people_company_id_idx", columns: ["company_id"], unique: false, live: false },
    },
    {
      step: "add_index",
      table: "people",
      index: { name: "people_manager_id_idx", columns: ["manager_id"], unique: false, live: false },
    },
    {
      step: "add_index",
      table: "badges",
      index: { name: "badges_person_id_key", columns: ["person_id"], unique: true, live: false },
    },
    {
      step: "add_foreign_key",
      table: "companies",
      foreignKey: {
        name: "companies_contact_id_fkey",
        column: "contact_id",
        references: { table: "people", column: "id" },
        onDelete: "set_null",
      },
    },
    {
      step: "add_foreign_key",
      table: "people",
      foreignKey: {
        name: "people_company_id_fkey",
        column: "company_id",
        references: { table: "companies", column: "id" },
        onDelete: "cascade",
      },
    },
    {
      step: "add_foreign_key",
      table: "people",
      foreignKey: {
        name: "people_manager_id_fkey",
        column: "manager_id",
        references: { table: "people", column: "id" },
        onDelete: "restrict",
      },
    },
    {
      step: "add_foreign_key",
      table: "badges",
      foreignKey: {
        name: "badges_person_id_fkey",
        column: "person_id",
        references: { table: "people", column: "id" },
        onDelete: "restrict",
      },
    },
  ],
  down: [
    { step: "drop_foreign_key", table: "companies", name: "companies_contact_id_fkey" },
    { step: "drop_foreign_key", table: "people", name: "people_company_id_fkey" },
    { step: "drop_foreign_key", table: "badges", name: "badges_person_id_fkey" },
    { step: "drop_table", table: "companies" },
    { step: "drop_table", table: "people" },
    { step: "drop_table", table: "badges" },
  ],
});
