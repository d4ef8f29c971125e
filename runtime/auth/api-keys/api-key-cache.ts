import type { Logger } from "pino";
import { isJsonObject } from "../../../vocabulary/json.ts";
import type { Redis } from "../../cache/index.ts";
import { isUserId } from "../users/users-table.ts";
import type { KeyHashes } from "./api-key.ts";
import type { ApiKeyOwner } from "./api-key-owner.ts";

type KeyPrincipal = ApiKeyOwner["principal"];

const longestMs = 60_000;
/** How long requests go straight to PostgreSQL after Redis did not answer: only one of them waits for the next try. */
const pauseMs = 2_000;

const entryKey = (hash: string) => `kirak:api-key:${hash}`;

/**
 * Owners of API keys in Redis, for a minute at most and never beyond the key's expiry (contract: "Request authentication
 * rules", 8). It never fails: whoever asks a cache that is not there is told nothing, and asks PostgreSQL.
 */
export class ApiKeyCache {
  readonly #redis: Redis;
  readonly #log: Logger;
  readonly #now: () => number;
  #pausedUntil = 0;

  /** `now` gives milliseconds, of a clock that nobody sets. */
  constructor(redis: Redis, log: Logger, now: () => number = () => performance.now()) {
    this.#redis = redis;
    this.#log = log;
    this.#now = now;
  }

  /** The owner of a key that has one of these hashes, or null where the cache does not know. */
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
    // Never in place of the mark of `forget`: this owner may have been looked up before the key was revoked.
    await this.#try(() => this.#redis.set(entryKey(hash), text, "PX", life, "NX"));
  }

  /**
   * For a key that was revoked: leaves a mark that names no owner, for as long as a look-up that came before could bring
   * one back. Where it fails, the entry is still good for the rest of its minute.
   */
  async forget(hash: string): Promise<void> {
    await this.#redis.set(entryKey(hash), "", "PX", longestMs).catch((error: unknown) => this.#pause(error));
  }

  /** Null without an answer, and while the cache is left alone. */
  async #try<T>(ask: () => Promise<T>): Promise<T | null> {
    const now = this.#now();
    if (now < this.#pausedUntil) return null;
    const isTrial = this.#pausedUntil !== 0;
    // The others do not wait to see how it ends.
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
      // The message alone: an error of ioredis holds the command, and with it what is stored of a key.
      const reason = error instanceof Error ? error.message : "unknown";
      this.#log.warn({ reason }, "API keys are looked up in PostgreSQL alone: Redis does not answer");
    }
    this.#pausedUntil = this.#now() + pauseMs;
  }
}

/** What was stored, if it is still what this version stores; Redis is shared, and anybody may have written there. */
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
