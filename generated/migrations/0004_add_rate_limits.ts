// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineMigration } from "../../runtime/database/index.ts";

// Additive: 3 steps.
export const migration = defineMigration({
  name: "0004_add_rate_limits",
  parent: "0003_change_3_tables",
  up: [
    {
      step: "create_table",
      table: "kirak_rate_limits",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "key", type: "varchar(512)", nullable: false },
        { name: "count", type: "integer", nullable: false },
        { name: "max_requests", type: "integer", nullable: false },
        { name: "window_seconds", type: "integer", nullable: false },
        { name: "expires_at", type: "timestamptz(3)", nullable: false },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    {
      step: "add_index",
      table: "kirak_rate_limits",
      index: { name: "kirak_rate_limits_key_key", columns: ["key"], unique: true, live: false },
    },
    {
      step: "add_index",
      table: "kirak_rate_limits",
      index: {
        name: "kirak_rate_limits_expires_at_idx",
        columns: ["expires_at"],
        unique: false,
        live: false,
      },
    },
  ],
  down: [{ step: "drop_table", table: "kirak_rate_limits" }],
});
