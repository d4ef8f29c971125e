import { defineMigration } from "#runtime/migrations/runner/index";

// biome-ignore format: many a line
export const initial = defineMigration({
  name: "0001_initial", parent: null,
  up: [
    {
      step: "create_table", table: "authors",
      columns: [
        { name: "id", type: "uuid", nullable: false, default: "random_uuid" },
        { name: "email", type: "text", nullable: false },
        { name: "deleted_at", type: "timestamptz(3)", nullable: true },
      ],
    },
    {
      step: "create_table", table: "books",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "author_id", type: "uuid", nullable: true },
        { name: "title", type: "varchar(255)", nullable: false, default: { literal: 'why? it\'s \\ "new"' } },
        { name: "price", type: "double precision", nullable: false, default: { literal: -1.5 } },
        { name: "pages", type: "integer", nullable: true, default: { literal: 7 } },
        { name: "in_print", type: "boolean", nullable: false, default: { literal: true } },
        { name: "published", type: "date", nullable: true, default: { literal: "2026-01-31" } },
        { name: "note", type: "jsonb", nullable: true, default: { literal: { "it's": ["a?", "\\"] } } },
        { name: "status", type: "varchar(255)", nullable: false, default: { literal: "draft" } },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    {
      step: "add_index", table: "authors",
      index: { name: "authors_email_key", columns: ["email"], unique: true, live: true },
    },
    {
      step: "add_check", table: "books",
      check: { name: "books_status_check", column: "status", oneOf: ["draft", "it's out"] },
    },
    {
      step: "add_foreign_key", table: "books",
      foreignKey: {
        name: "books_author_id_fkey", column: "author_id", references: { table: "authors", column: "id" },
        onDelete: "set_null",
      },
    },
  ],
  down: [{ step: "drop_table", table: "books" }, { step: "drop_table", table: "authors" }],
});

// biome-ignore format: many a line
export const grow = defineMigration({
  name: "0002_grow", parent: "0001_initial",
  up: [
    { step: "add_column", table: "books", column: { name: "order", type: "integer", nullable: true } },
    { step: "rename_column", table: "books", column: "title", to: 'ti"tle' },
    { step: "set_type", table: "books", column: "pages", type: "bigint" },
    { step: "set_nullable", table: "books", column: "price", nullable: true },
    { step: "set_default", table: "books", column: "pages", type: "bigint", default: null },
    {
      step: "set_default", table: "books", column: "status", type: "varchar(255)",
      default: { literal: "it's out" },
    },
    { step: "drop_check", table: "books", name: "books_status_check" },
    {
      step: "add_check", table: "books",
      check: { name: "books_pages_check", column: "pages", oneOf: [1, -2, 7] },
    },
    { step: "drop_foreign_key", table: "books", name: "books_author_id_fkey" },
    { step: "drop_index", table: "authors", name: "authors_email_key" },
    {
      step: "add_index", table: "books",
      index: { name: "books_order_idx", columns: ["order", 'ti"tle'], unique: false, live: false },
    },
    { step: "rename_table", table: "authors", to: "writers" },
  ],
  down: [],
});
