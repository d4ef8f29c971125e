import type { Step } from "../../../vocabulary/migrations/migration-steps.ts";
import { defineMigration } from "../runner/index.ts";
import { id, times } from "./columns.ts";

/** Sessions, passkeys, changes that wait for a proof, and one-time codes by mail (docs/auth.md). */
export const accountManagement = defineMigration({
  name: "kirak_0004_account_management",
  parent: "kirak_0003_web_auth",
  up: [
    // A session has one refresh token at a time, and ends with it.
    {
      step: "add_column",
      table: "auth_tokens",
      column: { name: "session_id", type: "uuid", nullable: true },
    },
    // Which secret an API key is hashed with.
    {
      step: "add_column",
      table: "auth_tokens",
      column: { name: "hashed_with", type: "varchar(16)", nullable: true },
    },
    {
      step: "add_index",
      table: "auth_tokens",
      index: { name: "auth_tokens_session_id_idx", columns: ["session_id"], unique: false, live: false },
    },
    { step: "drop_check", table: "auth_tokens", name: "auth_tokens_token_type_check" },
    {
      step: "add_check",
      table: "auth_tokens",
      check: {
        name: "auth_tokens_token_type_check",
        column: "token_type",
        oneOf: ["refresh", "api_key", "password_reset", "web_auth", "invitation"],
      },
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
    ownedBy("auth_sessions"),
    {
      step: "add_index",
      table: "auth_sessions",
      index: { name: "auth_sessions_user_id_idx", columns: ["user_id"], unique: false, live: false },
    },
    {
      step: "create_table",
      table: "auth_passkeys",
      columns: [
        id,
        { name: "user_id", type: "bigint", nullable: false },
        { name: "credential_id", type: "text", nullable: false },
        { name: "public_key", type: "text", nullable: false },
        { name: "counter", type: "bigint", nullable: false },
        { name: "user_handle", type: "text", nullable: false },
        { name: "transports", type: "text[]", nullable: false },
        { name: "device_type", type: "varchar(255)", nullable: false },
        { name: "backed_up", type: "boolean", nullable: false },
        { name: "aaguid", type: "uuid", nullable: false },
        { name: "name", type: "varchar(255)", nullable: false },
        { name: "last_used_at", type: "timestamptz(3)", nullable: true },
        ...times,
      ],
    },
    ownedBy("auth_passkeys"),
    {
      step: "add_index",
      table: "auth_passkeys",
      index: {
        name: "auth_passkeys_credential_id_key",
        columns: ["credential_id"],
        unique: true,
        live: false,
      },
    },
    {
      step: "add_index",
      table: "auth_passkeys",
      index: { name: "auth_passkeys_user_id_idx", columns: ["user_id"], unique: false, live: false },
    },
    // A new e-mail address or phone number that waits for a proof. `proof_hash` is of the link or code.
    {
      step: "create_table",
      table: "auth_pending_changes",
      columns: [
        id,
        { name: "user_id", type: "bigint", nullable: false },
        { name: "kind", type: "varchar(255)", nullable: false },
        { name: "target", type: "text", nullable: false },
        { name: "proof_hash", type: "varchar(255)", nullable: true },
        { name: "former", type: "text", nullable: true },
        { name: "session_id", type: "uuid", nullable: true },
        { name: "attempts", type: "integer", nullable: false, default: { literal: 0 } },
        { name: "expires_at", type: "timestamptz(3)", nullable: false },
        ...times,
      ],
    },
    ownedBy("auth_pending_changes"),
    {
      step: "add_index",
      table: "auth_pending_changes",
      index: {
        name: "auth_pending_changes_user_id_kind_key",
        columns: ["user_id", "kind"],
        unique: true,
        live: false,
      },
    },
    {
      step: "add_index",
      table: "auth_pending_changes",
      index: {
        name: "auth_pending_changes_expires_at_idx",
        columns: ["expires_at"],
        unique: false,
        live: false,
      },
    },
    {
      step: "add_check",
      table: "auth_pending_changes",
      check: { name: "auth_pending_changes_kind_check", column: "kind", oneOf: ["email", "phone"] },
    },
    // A code goes to a phone number or an e-mail address.
    { step: "set_nullable", table: "auth_otp", column: "phone_number", nullable: true },
    { step: "add_column", table: "auth_otp", column: { name: "email", type: "text", nullable: true } },
    {
      step: "add_index",
      table: "auth_otp",
      index: { name: "auth_otp_email_key", columns: ["email"], unique: true, live: false },
    },
    // As the provider said it last.
    {
      step: "add_column",
      table: "auth_social",
      column: { name: "provider_email", type: "text", nullable: true },
    },
    {
      step: "add_column",
      table: "auth_social",
      column: { name: "last_used_at", type: "timestamptz(3)", nullable: true },
    },
  ],
  // It is not taken back.
  down: [],
});

/** Rows of a table go with the row of their user. */
function ownedBy(table: string): Step {
  return {
    step: "add_foreign_key",
    table,
    foreignKey: {
      name: `${table}_user_id_fkey`,
      column: "user_id",
      references: { table: "users", column: "id" },
      onDelete: "cascade",
    },
  };
}
