import { randomBytes } from "node:crypto";
import { isReservedRole } from "../../../../vocabulary/accounts/role-names.ts";
import { isoText } from "../../../../vocabulary/fields/dates.ts";
import type { Database, Queryable, Statement, TextRow } from "../../../core/database/index.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import type { Principal } from "../../../models/access/index.ts";
import { unavailable } from "../blacklist/blacklist.ts";
import type { ApiKeyCache, ApiKeyOwner } from "./api-key-cache.ts";
import type { ApiKeyHashes, KeyHash } from "./api-key-hashes.ts";

const keyPattern = /^kk_[0-9a-f]{64}$/;
export const prefixLength = 11;
/** Of one key: two secrets, each with its previous one. */
const mostHashes = 4;

/** An API key as its owner sees it. Times are ISO-8601. */
interface ApiKeyRow {
  readonly id: number;
  readonly name: string | null;
  readonly key_prefix: string;
  readonly expires_at: string;
  readonly created_at: string;
}

/** An API key as lists show it. */
export interface ListedApiKey extends ApiKeyRow {
  readonly last_used_at: string | null;
}

/** Selects a key by one of two columns. */
export type ApiKeyChoice = { readonly id: number } | { readonly key_prefix: string };

const columns = (alias: string) =>
  ["id", "name", "key_prefix", "expires_at", "created_at"].map((name) => alias + name).join(", ");

const insertKey = {
  name: "kirak_auth_api_key_insert",
  text: `insert into auth_tokens (user_id, token_type, token_hash, key_prefix, name, expires_at, hashed_with)
values ($1, 'api_key', $2, $3, $4, $5, $6) returning ${columns("")}`,
};

// A user without keys yields one row of nulls; an unknown user yields no row.
const listOfUser: Statement = {
  name: "kirak_auth_api_key_list",
  text: `select ${columns("key.")}, key.last_used_at
from users left join auth_tokens as key on key.user_id = users.id and key.token_type = 'api_key'
where users.id = $1 order by key.id`,
  reads: true,
};

const hashesOfUser: Statement = {
  name: "kirak_auth_api_key_hashes",
  text: "select token_hash from auth_tokens where user_id = $1 and token_type = 'api_key'",
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
const revocations = { id: revokeBy("id"), key_prefix: revokeBy("key_prefix") };

/** Returns a user's keys that were not revoked, oldest first; null if the user does not exist. */
export async function listApiKeys(
  connection: Queryable,
  userId: string,
): Promise<readonly ListedApiKey[] | null> {
  const rows = await connection.run(listOfUser, [userId]);
  if (rows.length === 0) return null;
  return rows
    .filter(([id]) => id !== null)
    .map((row) => ({ ...apiKeyOf(row), last_used_at: timeOf(row[5]) }));
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

/**
 * Expiry and deactivation are conditions of the lookup itself. The use is recorded at most once a minute, and
 * not while another transaction locks the row, so that no request waits for it. The user's row is never
 * locked. The hashes are four values and not an array: PostgreSQL assumes that an array is long, and would
 * plan the statement again for each request.
 */
const findOwner: Statement = {
  name: "kirak_auth_api_key_owner",
  text: `with found as (
  select key.id, key.token_hash, key.hashed_with, key.expires_at, users.id as user_id, users.role, users.email
  from auth_tokens as key join users on users.id = key.user_id
  where key.token_hash in ($1, $2, $3, $4) and key.token_type = 'api_key' and key.expires_at > now() and users.is_active
), unnoted as (
  select id from auth_tokens
  where id in (select id from found) and (last_used_at is null or last_used_at < now() - interval '1 minute')
  for no key update skip locked
), noted as (
  update auth_tokens set last_used_at = now() where id in (select id from unnoted)
)
select user_id, role, email, token_hash, hashed_with, floor(extract(epoch from expires_at - now()) * 1000)
from found`,
  // Recording the use is not a part of the request.
  reads: true,
};

/** Stores a key under another hash. Waits for no other transaction: the next use tries again. */
const moveHash = {
  name: "kirak_auth_api_key_move",
  text: `update auth_tokens set token_hash = $2, hashed_with = $3 where id in (
  select id from auth_tokens where token_hash = $1 and token_type = 'api_key' for no key update skip locked
)`,
};

/** The properties of a new key. `expiresAt` is ISO-8601. */
interface WantedApiKey {
  readonly userId: string;
  readonly name: string | null;
  readonly expiresAt: string;
}

/** Creates API keys, finds their owners, and revokes them (docs/api-keys.md). */
export class ApiKeys {
  readonly #database: Database;
  readonly #hashes: ApiKeyHashes;
  readonly #cache: ApiKeyCache | null;

  /** Without a cache, each request reads the table, and a revocation takes effect at once. */
  constructor(database: Database, hashes: ApiKeyHashes, cache: ApiKeyCache | null) {
    this.#database = database;
    this.#hashes = hashes;
    this.#cache = cache;
  }

  /**
   * Returns the owner of a key. With a cache, role and e-mail can be a minute old. Errors: `INVALID_API_KEY`,
   * `AUTH_UNAVAILABLE`.
   */
  async principalOf(key: string): Promise<Principal> {
    // A text of another form is not a key, so no lookup is needed.
    if (!keyPattern.test(key)) throw new ServiceError("INVALID_API_KEY");
    const hashes = this.#hashes.of(key);
    const cached = await this.#cache?.find(hashes);
    if (cached != null) return cached;
    const found = await this.#ownerOf(hashes);
    if (found === null) throw new ServiceError("INVALID_API_KEY");
    const owner = await this.#moved(found, hashes);
    // The request does not wait for the cache.
    void this.#cache?.remember(owner);
    return owner.principal;
  }

  /** Creates a key and returns it. The user's row must be locked, so that a reset does not miss the key. */
  async make(
    transaction: Queryable,
    { userId, name, expiresAt }: WantedApiKey,
  ): Promise<ApiKeyRow & { readonly api_key: string }> {
    const key = `kk_${randomBytes(32).toString("hex")}`;
    const [{ hash, mark }] = this.#hashes.of(key);
    const values = [userId, hash, key.slice(0, prefixLength), name, expiresAt, mark];
    const [stored] = await transaction.run(insertKey, values);
    if (stored === undefined) throw new Error("an INSERT gave no row");
    const { id, ...row } = apiKeyOf(stored);
    return { id, api_key: key, ...row };
  }

  /** Revokes a key of one user, or with null of any user. Revokes none if several keys have the prefix. */
  async revoke(choice: ApiKeyChoice, ownerId: string | null): Promise<"revoked" | "unknown" | "ambiguous"> {
    const [statement, value] =
      "id" in choice ? [revocations.id, choice.id] : [revocations.key_prefix, choice.key_prefix];
    const [row] = await this.#database.run(statement, [value, ownerId]);
    const [count, hash] = row ?? [];
    if (hash == null) return Number(count) > 1 ? "ambiguous" : "unknown";
    await this.forget([hash]);
    return "revoked";
  }

  /** Removes the owners of deleted keys from the cache, also before the deletion commits. */
  async forget(hashes: readonly string[]): Promise<void> {
    await Promise.all(hashes.map((hash) => this.#cache?.forget(hash)));
  }

  /** Removes the keys of a user from the cache, which has role and state of the user. */
  async refresh(transaction: Queryable, userId: string): Promise<void> {
    if (this.#cache === null) return;
    const rows = await transaction.run(hashesOfUser, [userId]);
    await this.forget(rows.map(([hash]) => hash ?? ""));
  }

  /** Returns null if no active user has a valid key with these hashes, or if no credential can have the role. */
  async #ownerOf(hashes: readonly KeyHash[]): Promise<ApiKeyOwner | null> {
    const values = Array.from({ length: mostHashes }, (_, index) => (hashes[index] ?? hashes[0])?.hash);
    const [row] = await this.#database.run(findOwner, values).catch((error: unknown) => {
      throw unavailable(error);
    });
    if (row === undefined) return null;
    const [userId, role, email, hash, hashedWith, lifetimeMs] = row;
    if (role == null || isReservedRole(role)) return null;
    const principal = { user_id: userId ?? "", role, email: email ?? "" };
    return { principal, hash: hash ?? "", hashedWith: hashedWith ?? null, lifetimeMs: Number(lifetimeMs) };
  }

  /**
   * Stores a key of a previous secret under the current one, and the mark of its secret. Returns the owner.
   */
  async #moved(owner: ApiKeyOwner, hashes: readonly [KeyHash, ...KeyHash[]]): Promise<ApiKeyOwner> {
    const present = hashes.find(({ hash }) => hash === owner.hash) ?? hashes[0];
    const next = present.isPrevious ? hashes[0] : present;
    if (next === present && owner.hashedWith === present.mark) return owner;
    await this.#database.run(moveHash, [present.hash, next.hash, next.mark]).catch((error: unknown) => {
      throw unavailable(error);
    });
    // A revocation removes only the entry of the stored hash.
    if (next !== present) await this.forget([present.hash]);
    return { ...owner, hash: next.hash };
  }
}
