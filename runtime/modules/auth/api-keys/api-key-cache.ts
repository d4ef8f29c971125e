import type { Logger } from "pino";
import { isJsonObject } from "../../../../vocabulary/json.ts";
import type { Redis } from "../../../core/cache/index.ts";
import type { Principal } from "../../../models/access/index.ts";
import { isUserId } from "../users/users-table.ts";
import type { KeyHash } from "./api-key-hashes.ts";

/** The current owner of a key. */
export interface ApiKeyOwner {
  readonly principal: Principal & { readonly user_id: string; readonly email: string };
  /** The hash that the key is stored under. */
  readonly hash: string;
  /** The mark of the secret of that hash, or null. */
  readonly hashedWith: string | null;
  /** Milliseconds until the key expires. */
  readonly lifetimeMs: number;
}

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
  async find(hashes: readonly KeyHash[]): Promise<KeyPrincipal | null> {
    const keys = hashes.map(({ hash }) => entryKey(hash));
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
