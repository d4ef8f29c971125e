// Made by `npm run generate` from models/models.json. Edit that file, not this one.
// biome-ignore-all lint/suspicious/noThenProperty: a field has this name
import { defineMigration } from "kirak/migrations";

// Additive: 8 steps.
export const migration = defineMigration({
  name: "0001_initial",
  parent: null,
  up: [
    {
      step: "create_table",
      table: "class",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "constructor", type: "varchar(255)", nullable: false },
        { name: "default", type: "varchar(255)", nullable: true, default: { literal: "default" } },
        { name: "string", type: "varchar(255)", nullable: true },
        { name: "properties", type: "integer", nullable: true },
        { name: "delete", type: "boolean", nullable: true },
        {
          name: "then",
          type: "jsonb",
          nullable: true,
          default: { literal: { then: "\u0024{x}", ["__proto__"]: 1 } },
        },
        { name: "type", type: "varchar(255)", nullable: true },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    {
      step: "create_table",
      table: "constructor",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "name", type: "varchar(255)", nullable: true },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    {
      step: "create_table",
      table: "service",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "name", type: "varchar(255)", nullable: true },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    {
      step: "create_table",
      table: "migrations",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "name", type: "varchar(255)", nullable: true },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    {
      step: "create_table",
      table: "order_items",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "name", type: "varchar(255)", nullable: true },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    {
      step: "create_table",
      table: "order_items_too",
      model: "orderItems",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "name", type: "varchar(255)", nullable: true },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    {
      step: "create_table",
      table: "json",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "data", type: "jsonb", nullable: true },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    {
      step: "add_check",
      table: "class",
      check: { name: "class_type_check", column: "type", oneOf: ["type", "interface"] },
    },
  ],
  down: [
    { step: "drop_table", table: "class" },
    { step: "drop_table", table: "constructor" },
    { step: "drop_table", table: "service" },
    { step: "drop_table", table: "migrations" },
    { step: "drop_table", table: "order_items" },
    { step: "drop_table", table: "order_items_too" },
    { step: "drop_table", table: "json" },
  ],
});
