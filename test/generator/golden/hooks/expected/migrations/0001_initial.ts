// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineMigration } from "kirak/migrations";

// Additive: 4 steps.
export const migration = defineMigration({
  name: "0001_initial",
  parent: null,
  up: [
    {
      step: "create_table",
      table: "memos",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "title", type: "varchar(255)", nullable: false },
        { name: "slug", type: "varchar(255)", nullable: true },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    {
      step: "create_table",
      table: "drafts",
      columns: [
        { name: "id", type: "uuid", nullable: false, default: "random_uuid" },
        { name: "title", type: "varchar(255)", nullable: false },
        { name: "slug", type: "varchar(255)", nullable: false },
        { name: "author", type: "varchar(255)", nullable: false },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    {
      step: "create_table",
      table: "pages",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "title", type: "varchar(255)", nullable: false },
        { name: "slug", type: "varchar(255)", nullable: false },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    {
      step: "create_table",
      table: "stamps",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "title", type: "varchar(255)", nullable: false },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
  ],
  down: [
    { step: "drop_table", table: "memos" },
    { step: "drop_table", table: "drafts" },
    { step: "drop_table", table: "pages" },
    { step: "drop_table", table: "stamps" },
  ],
});
