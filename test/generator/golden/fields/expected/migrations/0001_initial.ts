// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineMigration } from "kirak/migrations";

// Additive: 11 steps.
export const migration = defineMigration({
  name: "0001_initial",
  parent: null,
  up: [
    {
      step: "create_table",
      table: "all_samples",
      model: "samples",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "label", type: "varchar(40)", nullable: false },
        { name: "code", type: "varchar(255)", nullable: true },
        { name: "region", type: "varchar(255)", nullable: false, default: { literal: "north" } },
        { name: "size", type: "integer", nullable: true },
        { name: "body", type: "text", nullable: true },
        { name: "count", type: "integer", nullable: true, default: { literal: 5 } },
        { name: "ratio", type: "double precision", nullable: true, default: { literal: 0.25 } },
        { name: "active", type: "boolean", nullable: false, default: { literal: true } },
        { name: "moment", type: "timestamptz(3)", nullable: true },
        {
          name: "seen",
          type: "timestamptz(3)",
          nullable: true,
          default: { literal: "2024-01-31T12:00:00.000Z" },
        },
        { name: "day", type: "date", nullable: true, default: { literal: "2024-02-29" } },
        { name: "contact", type: "text", nullable: false },
        { name: "secret", type: "text", nullable: true, secret: true },
        {
          name: "extra",
          type: "jsonb",
          nullable: true,
          default: { literal: { a: [1, "two", null, true], "b c": {} } },
        },
        { name: "settings", type: "jsonb", nullable: false },
        { name: "token", type: "uuid", nullable: false },
        { name: "price", type: "numeric(12,2)", nullable: true, default: { literal: "12.50" } },
        { name: "tax", type: "numeric(3,1)", nullable: true },
        { name: "views", type: "bigint", nullable: true, default: { literal: "7" } },
        { name: "opens", type: "time(3)", nullable: true, default: { literal: "09:30:00.000" } },
        { name: "tags", type: "varchar(20)[]", nullable: false, default: { literal: ['a"b', "it's"] } },
        { name: "sizes", type: "integer[]", nullable: true, default: { literal: [] } },
        { name: "rates", type: "numeric(5,2)[]", nullable: true, default: { literal: ["1.00", "2.50"] } },
        { name: "owners", type: "bigint[]", nullable: true },
        { name: "moments", type: "timestamptz(3)[]", nullable: true },
        { name: "keys", type: "uuid[]", nullable: true },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    {
      step: "add_index",
      table: "all_samples",
      index: { name: "all_samples_code_key", columns: ["code"], unique: true, live: false },
    },
    {
      step: "add_index",
      table: "all_samples",
      index: { name: "all_samples_code_region_key", columns: ["code", "region"], unique: true, live: false },
    },
    {
      step: "add_index",
      table: "all_samples",
      index: { name: "all_samples_day_idx", columns: ["day"], unique: false, live: false },
    },
    {
      step: "add_index",
      table: "all_samples",
      index: { name: "all_samples_opens_idx", columns: ["opens"], unique: false, live: false },
    },
    {
      step: "add_index",
      table: "all_samples",
      index: { name: "all_samples_tags_idx", columns: ["tags"], unique: false, live: false, method: "gin" },
    },
    {
      step: "add_index",
      table: "all_samples",
      index: { name: "all_samples_day_moment_idx", columns: ["day", "moment"], unique: false, live: false },
    },
    {
      step: "add_check",
      table: "all_samples",
      check: {
        name: "all_samples_region_check",
        column: "region",
        oneOf: ["north", "south", "o'brien", '"both"'],
      },
    },
    {
      step: "add_check",
      table: "all_samples",
      check: { name: "all_samples_size_check", column: "size", oneOf: [1, 2, 3] },
    },
    {
      step: "add_check",
      table: "all_samples",
      check: { name: "all_samples_tax_check", column: "tax", oneOf: ["7.0", "19.0"] },
    },
    {
      step: "add_check",
      table: "all_samples",
      check: { name: "all_samples_sizes_check", column: "sizes", oneOf: [1, 2, 3], elements: "integer" },
    },
  ],
  down: [{ step: "drop_table", table: "all_samples" }],
});
