import { defineMigration } from "../runner/index.ts";
import { times } from "./columns.ts";

/** Sessions: each has one refresh token at a time, and ends with it (docs/sessions.md). */
export const accountManagement = defineMigration({
  name: "kirak_0004_account_management",
  parent: "kirak_0003_web_auth",
  up: [
    {
      step: "add_column",
      table: "auth_tokens",
      column: { name: "session_id", type: "uuid", nullable: true },
    },
    {
      step: "add_index",
      table: "auth_tokens",
      index: { name: "auth_tokens_session_id_idx", columns: ["session_id"], unique: false, live: false },
    },
    {
      step: "create_table",
      table: "auth_sessions",
      columns: [
        { name: "id", type: "uuid", nullable: false },
        { name: "user_id", type: "bigint", nullable: false },
        { name: "access_expires_at", type: "timestamptz(3)", nullable: false },
        { name: "last_used_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "signed_in_with", type: "text[]", nullable: false },
        { name: "user_agent", type: "varchar(512)", nullable: true },
        { name: "address", type: "varchar(255)", nullable: true },
        ...times,
      ],
    },
    {
      step: "add_index",
      table: "auth_sessions",
      index: { name: "auth_sessions_user_id_idx", columns: ["user_id"], unique: false, live: false },
    },
    {
      step: "add_foreign_key",
      table: "auth_sessions",
      foreignKey: {
        name: "auth_sessions_user_id_fkey",
        column: "user_id",
        references: { table: "users", column: "id" },
        onDelete: "cascade",
      },
    },
  ],
  // It is not taken back.
  down: [],
});
