import { isoText } from "../../../vocabulary/dates.ts";
import type { Queryable, Statement, TextRow } from "../../database/index.ts";

/** An API key as its owner may see it (contract: "API key"). Times are ISO-8601. */
export interface ApiKeyRow {
  readonly id: number;
  readonly name: string | null;
  readonly key_prefix: string;
  readonly expires_at: string;
  readonly created_at: string;
}

export interface ListedApiKey extends ApiKeyRow {
  readonly last_used_at: string | null;
}

/** A key to be stored. */
export interface NewApiKey {
  readonly userId: string;
  readonly hash: string;
  readonly prefix: string;
  readonly name: string | null;
  /** ISO-8601. */
  readonly expiresAt: string;
}

/** Which key is meant: by one column or the other. */
export type ApiKeyChoice = { readonly id: number } | { readonly key_prefix: string };

/** What came of a revocation: the hash of the key that is gone, or why none is. */
export type Revocation =
  | { readonly outcome: "revoked"; readonly hash: string }
  | { readonly outcome: "unknown" | "ambiguous" };

const columns = (alias: string) =>
  ["id", "name", "key_prefix", "expires_at", "created_at"].map((name) => alias + name).join(", ");

const insert = {
  name: "kirak_auth_api_key_insert",
  text: `insert into auth_tokens (user_id, token_type, token_hash, key_prefix, name, expires_at)
values ($1, 'api_key', $2, $3, $4, $5) returning ${columns("")}`,
};

// A user without keys is one row of nulls: nobody is no row.
const list: Statement = {
  name: "kirak_auth_api_key_list",
  text: `select ${columns("key.")}, key.last_used_at
from users left join auth_tokens as key on key.user_id = users.id and key.token_type = 'api_key'
where users.id = $1 order by key.id`,
  reads: true,
};

/** Counts and deletes in one statement. `$2` limits it to the keys of one user; null does not. */
const revokeBy = (column: "id" | "key_prefix") => ({
  name: `kirak_auth_api_key_revoke_${column}`,
  text: `with found as (
  select id from auth_tokens
  where token_type = 'api_key' and ${column} = $1 and ($2::bigint is null or user_id = $2)
), revoked as (
  delete from auth_tokens where id in (select id from found) and (select count(*) from found) = 1
  returning token_hash
)
select (select count(*) from found), (select token_hash from revoked)`,
});
const revokeById = revokeBy("id");
const revokeByPrefix = revokeBy("key_prefix");

/** Stores a key. Whoever calls it holds the lock on the user's row, so that a reset cannot miss it. */
export async function insertApiKey(transaction: Queryable, key: NewApiKey): Promise<ApiKeyRow> {
  const { userId, hash, prefix, name, expiresAt } = key;
  const [row] = await transaction.run(insert, [userId, hash, prefix, name, expiresAt]);
  if (row === undefined) throw new Error("an INSERT gave no row");
  return apiKeyOf(row);
}

/** The keys of a user that were not revoked, oldest first; null when there is no such user. */
export async function listApiKeys(
  connection: Queryable,
  userId: string,
): Promise<readonly ListedApiKey[] | null> {
  const rows = await connection.run(list, [userId]);
  if (rows.length === 0) return null;
  return rows
    .filter(([id]) => id !== null)
    .map((row) => ({ ...apiKeyOf(row), last_used_at: timeOf(row[5]) }));
}

/** Deletes one key, of one user or (with null) of anybody. Where a prefix is that of several, none. */
export async function revokeApiKey(
  connection: Queryable,
  choice: ApiKeyChoice,
  ownerId: string | null,
): Promise<Revocation> {
  const [row] =
    "id" in choice
      ? await connection.run(revokeById, [choice.id, ownerId])
      : await connection.run(revokeByPrefix, [choice.key_prefix, ownerId]);
  const [count, hash] = row ?? [];
  if (hash != null) return { outcome: "revoked", hash };
  return { outcome: Number(count) > 1 ? "ambiguous" : "unknown" };
}

function apiKeyOf([id, name, prefix, expiresAt, createdAt]: TextRow): ApiKeyRow {
  return {
    id: Number(id),
    name: name ?? null,
    key_prefix: prefix ?? "",
    expires_at: isoText(expiresAt ?? ""),
    created_at: isoText(createdAt ?? ""),
  };
}

function timeOf(stored: string | null | undefined): string | null {
  return stored == null ? null : isoText(stored);
}
