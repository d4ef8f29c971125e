import { defineMigration } from "../runner/index.ts";
import { id, times } from "./columns.ts";

/** The accounts, their ways of signing in, and revoked tokens. */
export const accounts = defineMigration({
  name: "kirak_0001_accounts",
  parent: null,
  up: [
    // Who has an account.
    {
      step: "create_table",
      table: "users",
      columns: [
        id,
        { name: "email", type: "text", nullable: true },
        { name: "password", type: "text", nullable: true },
        { name: "role", type: "varchar(255)", nullable: false, default: { literal: "user" } },
        { name: "first_name", type: "varchar(255)", nullable: true },
        { name: "last_name", type: "varchar(255)", nullable: true },
        { name: "phone_number", type: "varchar(255)", nullable: true },
        { name: "is_verified", type: "boolean", nullable: false, default: { literal: false } },
        { name: "is_active", type: "boolean", nullable: false, default: { literal: true } },
        { name: "last_login_at", type: "timestamptz(3)", nullable: true },
        { name: "credentials_changed_at", type: "timestamptz(3)", nullable: true },
        ...times,
      ],
    },
    // Refresh tokens, API keys and password resets, stored hashed.
    {
      step: "create_table",
      table: "auth_tokens",
      columns: [
        id,
        { name: "user_id", type: "bigint", nullable: false },
        { name: "token_type", type: "varchar(255)", nullable: false },
        { name: "token_hash", type: "varchar(255)", nullable: false },
        { name: "key_prefix", type: "varchar(255)", nullable: true },
        { name: "name", type: "varchar(255)", nullable: true },
        { name: "expires_at", type: "timestamptz(3)", nullable: false },
        { name: "last_used_at", type: "timestamptz(3)", nullable: true },
        ...times,
      ],
    },
    // Accounts of sign-in providers. `extra_data` is encrypted.
    {
      step: "create_table",
      table: "auth_social",
      columns: [
        id,
        { name: "user_id", type: "bigint", nullable: false },
        { name: "provider", type: "varchar(255)", nullable: false },
        { name: "uid", type: "varchar(255)", nullable: false },
        { name: "extra_data", type: "text", nullable: true },
        ...times,
      ],
    },
    // Second factors. `secret` is encrypted; `backup_codes` is a list of hashes.
    {
      step: "create_table",
      table: "auth_mfa",
      columns: [
        id,
        { name: "user_id", type: "bigint", nullable: false },
        { name: "secret", type: "text", nullable: false },
        { name: "enabled", type: "boolean", nullable: false, default: { literal: false } },
        { name: "last_used_step", type: "integer", nullable: false, default: { literal: 0 } },
        { name: "failed_attempts", type: "integer", nullable: false, default: { literal: 0 } },
        { name: "failed_since", type: "timestamptz(3)", nullable: true },
        { name: "backup_codes", type: "jsonb", nullable: false },
        ...times,
      ],
    },
    // One-time codes that were sent to phones, stored hashed.
    {
      step: "create_table",
      table: "auth_otp",
      columns: [
        id,
        { name: "phone_number", type: "varchar(255)", nullable: false },
        { name: "code_hash", type: "varchar(255)", nullable: false },
        { name: "attempts", type: "integer", nullable: false, default: { literal: 0 } },
        { name: "failed_attempts", type: "integer", nullable: false, default: { literal: 0 } },
        { name: "failed_since", type: "timestamptz(3)", nullable: true },
        { name: "expires_at", type: "timestamptz(3)", nullable: false },
        ...times,
      ],
    },
    // Access tokens that were revoked before they expired.
    {
      step: "create_table",
      table: "auth_token_blacklist",
      columns: [
        id,
        { name: "jti", type: "varchar(255)", nullable: false },
        { name: "expires_at", type: "timestamptz(3)", nullable: false },
        ...times,
      ],
    },
    {
      step: "add_index",
      table: "users",
      index: { name: "users_email_key", columns: ["email"], unique: true, live: false },
    },
    {
      step: "add_index",
      table: "users",
      index: { name: "users_phone_number_key", columns: ["phone_number"], unique: true, live: false },
    },
    {
      step: "add_index",
      table: "auth_tokens",
      index: { name: "auth_tokens_token_hash_key", columns: ["token_hash"], unique: true, live: false },
    },
    {
      step: "add_index",
      table: "auth_tokens",
      index: { name: "auth_tokens_key_prefix_idx", columns: ["key_prefix"], unique: false, live: false },
    },
    {
      step: "add_index",
      table: "auth_tokens",
      index: { name: "auth_tokens_expires_at_idx", columns: ["expires_at"], unique: false, live: false },
    },
    {
      step: "add_index",
      table: "auth_tokens",
      index: { name: "auth_tokens_user_id_idx", columns: ["user_id"], unique: false, live: false },
    },
    {
      step: "add_index",
      table: "auth_social",
      index: {
        name: "auth_social_provider_uid_key",
        columns: ["provider", "uid"],
        unique: true,
        live: false,
      },
    },
    {
      step: "add_index",
      table: "auth_social",
      index: { name: "auth_social_user_id_idx", columns: ["user_id"], unique: false, live: false },
    },
    {
      step: "add_index",
      table: "auth_mfa",
      index: { name: "auth_mfa_user_id_key", columns: ["user_id"], unique: true, live: false },
    },
    {
      step: "add_index",
      table: "auth_otp",
      index: { name: "auth_otp_phone_number_key", columns: ["phone_number"], unique: true, live: false },
    },
    {
      step: "add_index",
      table: "auth_otp",
      index: { name: "auth_otp_expires_at_idx", columns: ["expires_at"], unique: false, live: false },
    },
    {
      step: "add_index",
      table: "auth_token_blacklist",
      index: { name: "auth_token_blacklist_jti_key", columns: ["jti"], unique: true, live: false },
    },
    {
      step: "add_index",
      table: "auth_token_blacklist",
      index: {
        name: "auth_token_blacklist_expires_at_idx",
        columns: ["expires_at"],
        unique: false,
        live: false,
      },
    },
    {
      step: "add_check",
      table: "auth_tokens",
      check: {
        name: "auth_tokens_token_type_check",
        column: "token_type",
        oneOf: ["refresh", "api_key", "password_reset"],
      },
    },
    {
      step: "add_foreign_key",
      table: "auth_tokens",
      foreignKey: {
        name: "auth_tokens_user_id_fkey",
        column: "user_id",
        references: { table: "users", column: "id" },
        onDelete: "cascade",
      },
    },
    {
      step: "add_foreign_key",
      table: "auth_social",
      foreignKey: {
        name: "auth_social_user_id_fkey",
        column: "user_id",
        references: { table: "users", column: "id" },
        onDelete: "cascade",
      },
    },
    {
      step: "add_foreign_key",
      table: "auth_mfa",
      foreignKey: {
        name: "auth_mfa_user_id_fkey",
        column: "user_id",
        references: { table: "users", column: "id" },
        onDelete: "cascade",
      },
    },
  ],
  // It is not taken back.
  down: [],
});
