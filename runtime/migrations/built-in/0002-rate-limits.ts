import { defineMigration } from "../runner/index.ts";
import { id, times } from "./columns.ts";

/** Counters of rate limits. */
export const rateLimits = defineMigration({
  name: "kirak_0002_rate_limits",
  parent: "kirak_0001_accounts",
  up: [
    // Counters of rate limits without Redis.
    {
      step: "create_table",
      table: "kirak_rate_limits",
      columns: [
        id,
        { name: "key", type: "varchar(512)", nullable: false },
        { name: "count", type: "integer", nullable: false },
        { name: "max_requests", type: "integer", nullable: false },
        { name: "window_seconds", type: "integer", nullable: false },
        { name: "expires_at", type: "timestamptz(3)", nullable: false },
        ...times,
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
  // It is not taken back.
  down: [],
});
