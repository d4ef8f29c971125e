import { type KeyObject, randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { isReservedRole } from "../../../../vocabulary/accounts/role-names.ts";
import { isoText } from "../../../../vocabulary/fields/dates.ts";
import { isJsonObject } from "../../../../vocabulary/json.ts";
import type { Redis } from "../../../core/cache/index.ts";
import type { Secrets } from "../../../core/config/index.ts";
import type { Database, Queryable, Statement, TextRow } from "../../../core/database/index.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import type { Principal } from "../../../models/access/index.ts";
import { unavailable } from "../blacklist/blacklist.ts";
import { keyedHashOf } from "../crypto/hash.ts";
import { isUserId } from "../users/users-table.ts";

const keyPattern = /^kk_[0-9a-f]{64}$/;
const prefixLength = 11;

/** The hashes that a key can be stored under. */
type KeyHashes = readonly [current: string, older?: string];

/** The keyed hashes of API keys: HMAC-SHA256 in hex. Keys themselves are not stored. */
export class ApiKeyHashes {
  readonly #current: KeyObject;
  readonly #older: KeyObject | null;

  constructor({ apiKey, jwt }: Pick<Secrets, "apiKey" | "jwt">) {
    this.#current = apiKey ?? jwt;
    this.#older = apiKey === null || apiKey.equals(jwt) ? null : jwt;
  }

  /** The hash under which a new key is stored. */
  ofNew(key: string): string {
    return keyedHashOf(key, this.#current);
  }

  /** All hashes that a key can be stored under: a key can be older than the secret for API keys. */
  of(key: string): KeyHashes {
    const current = this.ofNew(key);
    return this.#older === null ? [current] : [current, keyedHashOf(key, this.#older)];
  }
}

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
  text: `insert into auth_tokens (user_id, token_type, token_hash, key_prefix, name, expires_at)
values ($1, 'api_key', $2, $3, $4, $5) returning ${columns("")}`,
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

/** The current owner of a key. */
interface ApiKeyOwner {
  readonly principal: Principal & { readonly user_id: string; readonly email: string };
  /** The hash that the key is stored under. */
  readonly hash: string;
  /** Milliseconds until the key expires. */
  readonly lifetimeMs: number;
}

/**
 * Expiry and deactivation are conditions of the lookup itself. The use is recorded at most once a minute, and
 * not while another transaction locks the row, so that no request waits for it. The user's row is never
 * locked. The hashes are two values and not an array: PostgreSQL assumes that an array is long, and would
 * plan the statement again for each request.
 */
const findOwner: Statement = {
  name: "kirak_auth_api_key_owner",
  text: `with found as (
  select key.id, key.token_hash, key.expires_at, users.id as user_id, users.role, users.email
  from auth_tokens as key join users on users.id = key.user_id
  where key.token_hash in ($1, $2) and key.token_type = 'api_key' and key.expires_at > now() and users.is_active
), unnoted as (
  select id from auth_tokens
  where id in (select id from found) and (last_used_at is null or last_used_at < now() - interval '1 minute')
  for no key update skip locked
), noted as (
  update auth_tokens set last_used_at = now() where id in (select id from unnoted)
)
select user_id, role, email, token_hash, floor(extract(epoch from expires_at - now()) * 1000) from found`,
  // Recording the use is not a part of the request.
  reads: true,
};

type KeyPrincipal = ApiKeyOwner["principal"];

const longestMs = 60_000;
/** How long requests skip Redis after a failure. Then one request tries it again. */
const pauseMs = 2_000;

const entryKey = (hash: string) => `kirak:api-key:${hash}`;

/**
 * Caches owners of API keys in Redis, for at most a minute and never beyond the key's expiry. It never
 * throws: if Redis fails, the caller reads PostgreSQL.
 */
export class ApiKeyCache {
  readonly #redis: Redis;
  readonly #log: Logger;
  readonly #now: () => number;
  #pausedUntil = 0;

  /** `now` returns the milliseconds of a monotonic clock. */
  constructor(redis: Redis, log: Logger, now: () => number = () => performance.now()) {
    this.#redis = redis;
    this.#log = log;
    this.#now = now;
  }

  /** Returns the owner of a key with one of these hashes, or null if the cache has no entry. */
  async find(hashes: KeyHashes): Promise<KeyPrincipal | null> {
    const keys = hashes.flatMap((hash) => (hash === undefined ? [] : [entryKey(hash)]));
    const found = await this.#try(() => this.#redis.mget(keys));
    for (const text of found ?? []) {
      const principal = text === null ? null : principalOf(text);
      if (principal !== null) return principal;
    }
    return null;
  }

  async remember({ hash, principal, lifetimeMs }: ApiKeyOwner): Promise<void> {
    const { user_id, role, email } = principal;
    const life = Math.min(longestMs, lifetimeMs);
    if (life < 1) return;
    const text = JSON.stringify({ user_id, role, email });
    // NX keeps the mark of `forget`: this owner can have been read before the key was revoked.
    await this.#try(() => this.#redis.set(entryKey(hash), text, "PX", life, "NX"));
  }

  /**
   * Replaces the entry of a revoked key by a mark, so that an earlier lookup cannot store the owner again. If
   * Redis fails, the entry stays valid for the rest of its minute.
   */
  async forget(hash: string): Promise<void> {
    await this.#redis.set(entryKey(hash), "", "PX", longestMs).catch((error: unknown) => this.#pause(error));
  }

  /** Returns null if Redis does not respond, and while the cache is paused. */
  async #try<T>(ask: () => Promise<T>): Promise<T | null> {
    const now = this.#now();
    if (now < this.#pausedUntil) return null;
    const isTrial = this.#pausedUntil !== 0;
    // Other requests do not wait for this trial.
    if (isTrial) this.#pausedUntil = now + pauseMs;
    try {
      const answer = await ask();
      if (isTrial) this.#resume();
      return answer;
    } catch (error) {
      this.#pause(error);
      return null;
    }
  }

  #resume(): void {
    this.#pausedUntil = 0;
    this.#log.info("API keys are looked up in Redis again");
  }

  #pause(error: unknown): void {
    if (this.#pausedUntil === 0) {
      // Logs only the message: an error of ioredis holds the command, with the stored data of a key.
      const reason = error instanceof Error ? error.message : "unknown";
      this.#log.warn({ reason }, "API keys are looked up in PostgreSQL only: Redis does not answer");
    }
    this.#pausedUntil = this.#now() + pauseMs;
  }
}

/** Returns the stored owner; null if it is not valid. Other programs can write to this Redis. */
function principalOf(text: string): KeyPrincipal | null {
  const value = parsed(text);
  if (!isJsonObject(value)) return null;
  const { user_id, role, email } = value;
  const isWhole =
    typeof user_id === "string" &&
    isUserId(user_id) &&
    typeof role === "string" &&
    role !== "" &&
    typeof email === "string";
  return isWhole ? { user_id, role, email } : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The properties of a new key. `expiresAt` is ISO-8601. */
interface WantedApiKey {
  readonly userId: string;
  readonly name: string | null;
  readonly expiresAt: string;
}

/** Creates API keys, finds their owners, and revokes them (docs/auth.md#api-keys). */
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
    const owner = await this.#ownerOf(hashes);
    if (owner === null) throw new ServiceError("INVALID_API_KEY");
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
    const values = [userId, this.#hashes.ofNew(key), key.slice(0, prefixLength), name, expiresAt];
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

  /** Returns null if no active user has a valid key with these hashes, or if the user's role is a group. */
  /** Returns null if no active user has a valid key with these hashes, or if no credential can have the role. */
  async #ownerOf([first, second = first]: KeyHashes): Promise<ApiKeyOwner | null> {
    const [row] = await this.#database.run(findOwner, [first, second]).catch((error: unknown) => {
      throw unavailable(error);
    });
    if (row === undefined) return null;
    const [userId, role, email, hash, lifetimeMs] = row;
    if (role == null || isReservedRole(role)) return null;
    const principal = { user_id: userId ?? "", role, email: email ?? "" };
    return { principal, hash: hash ?? "", lifetimeMs: Number(lifetimeMs) };
  }
}
