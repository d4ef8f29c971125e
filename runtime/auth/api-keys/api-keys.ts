import type { Principal } from "../../access/index.ts";
import type { Database, Queryable } from "../../database/index.ts";
import { ServiceError } from "../../errors/index.ts";
import { unavailable } from "../blacklist/blacklist.ts";
import { type ApiKeyHashes, isApiKey, type KeyHashes, newApiKey, prefixOf } from "./api-key.ts";
import type { ApiKeyCache } from "./api-key-cache.ts";
import { type ApiKeyOwner, apiKeyOwner } from "./api-key-owner.ts";
import {
  type ApiKeyChoice,
  type ApiKeyRow,
  insertApiKey,
  type Revocation,
  revokeApiKey,
} from "./api-keys-table.ts";

/** What a key is to be. `expiresAt` is ISO-8601. */
export interface WantedApiKey {
  readonly userId: string;
  readonly name: string | null;
  readonly expiresAt: string;
}

/** A key that was just made: the only time that it is seen. */
export interface MadeApiKey extends ApiKeyRow {
  readonly api_key: string;
}

/** API keys (contract: "API key"): makes them, tells whose they are, revokes them. */
export class ApiKeys {
  readonly #database: Database;
  readonly #hashes: ApiKeyHashes;
  readonly #cache: ApiKeyCache | null;

  /** Without a cache each request asks the table, and a revocation holds at once. */
  constructor(database: Database, hashes: ApiKeyHashes, cache: ApiKeyCache | null) {
    this.#database = database;
    this.#hashes = hashes;
    this.#cache = cache;
  }

  /** The owner, with the role and e-mail of now; up to a minute ago with a cache. */
  async principalOf(key: string): Promise<Principal> {
    if (!isApiKey(key)) throw new ServiceError("INVALID_API_KEY");
    const hashes = this.#hashes.of(key);
    const cached = await this.#cache?.find(hashes);
    if (cached != null) return cached;
    const owner = await this.#ownerOf(hashes);
    if (owner === null) throw new ServiceError("INVALID_API_KEY");
    // The answer does not wait for it.
    void this.#cache?.remember(owner);
    return owner.principal;
  }

  /** Makes and stores a key. Whoever calls it holds the lock on the user's row. */
  async make(transaction: Queryable, { userId, name, expiresAt }: WantedApiKey): Promise<MadeApiKey> {
    const key = newApiKey();
    const hash = this.#hashes.ofNew(key);
    const { id, ...row } = await insertApiKey(transaction, {
      userId,
      hash,
      prefix: prefixOf(key),
      name,
      expiresAt,
    });
    return { id, api_key: key, ...row };
  }

  /** Revokes one key, of one user or (with null) of anybody. */
  async revoke(choice: ApiKeyChoice, ownerId: string | null): Promise<Revocation["outcome"]> {
    const revocation = await revokeApiKey(this.#database, choice, ownerId);
    if (revocation.outcome === "revoked") await this.forget([revocation.hash]);
    return revocation.outcome;
  }

  /** For keys that are deleted, or will be when a transaction commits: the cache names their owners no more. */
  async forget(hashes: readonly string[]): Promise<void> {
    await Promise.all(hashes.map((hash) => this.#cache?.forget(hash)));
  }

  async #ownerOf(hashes: KeyHashes): Promise<ApiKeyOwner | null> {
    try {
      return await apiKeyOwner(this.#database, hashes);
    } catch (error) {
      throw unavailable(error);
    }
  }
}
