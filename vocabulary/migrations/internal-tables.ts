/**
 * The internal tables of the service and their indexes. Tables and indexes share one namespace in PostgreSQL,
 * so an app cannot use these names.
 */
export const internalTables = {
  users: ["users_email_key", "users_phone_number_key"],
  auth_tokens: [
    "auth_tokens_token_hash_key",
    "auth_tokens_key_prefix_idx",
    "auth_tokens_expires_at_idx",
    "auth_tokens_user_id_idx",
    "auth_tokens_session_id_idx",
  ],
  auth_sessions: ["auth_sessions_user_id_idx"],
  auth_passkeys: ["auth_passkeys_credential_id_key", "auth_passkeys_user_id_idx"],
  auth_pending_changes: ["auth_pending_changes_user_id_kind_key", "auth_pending_changes_expires_at_idx"],
  auth_social: ["auth_social_provider_uid_key", "auth_social_user_id_idx"],
  auth_mfa: ["auth_mfa_user_id_key"],
  auth_otp: ["auth_otp_phone_number_key", "auth_otp_expires_at_idx", "auth_otp_email_key"],
  auth_token_blacklist: ["auth_token_blacklist_jti_key", "auth_token_blacklist_expires_at_idx"],
  kirak_rate_limits: ["kirak_rate_limits_key_key", "kirak_rate_limits_expires_at_idx"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Prefix of the service's tables and migrations, except for the first tables. */
export const internalPrefix = "kirak_";

const tables: ReadonlySet<string> = new Set(Object.keys(internalTables));

/** Whether a table belongs to the service. All names with `internalPrefix` are reserved. */
export function isInternalTable(name: string): boolean {
  return tables.has(name.toLowerCase()) || name.toLowerCase().startsWith(internalPrefix);
}
