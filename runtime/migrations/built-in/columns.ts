import type { Column } from "../../../vocabulary/migrations/migration-steps.ts";

/** Columns that every table has, as the first migrations made them. */
export const id: Column = { name: "id", type: "bigint", nullable: false, default: "identity" };

export const times: readonly Column[] = [
  { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
  { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
];
