import { createHash } from "node:crypto";
import type { Principal } from "../access/index.ts";
import type { OperationLimit } from "./limits.ts";
import type { Quota } from "./quota.ts";
import type { RateLimiter } from "./rate-limiter.ts";

/** Counts the requests for one operation of a model, whichever way they come. */
export class OperationCounter {
  readonly #limiter: RateLimiter;
  readonly #limit: OperationLimit;
  readonly #name: string;

  /** `name` is what its keys begin with: `crud:<model>:<operation>`. */
  constructor(limiter: RateLimiter, name: string, limit: OperationLimit) {
    this.#limiter = limiter;
    this.#name = name;
    this.#limit = limit;
  }

  /** Counts one request of a caller. Null where nobody can tell: it passes. */
  take(caller: Principal, address: string): Promise<Quota | null> {
    return this.#limiter.take(this.#key(caller, address), this.#limit);
  }

  /** The table of keys in the contract, "Rate limiting (CRUD and auth)". */
  #key({ user_id }: Principal, address: string): string {
    switch (this.#limit.per) {
      case "model":
        return this.#name;
      case "ip":
        return `${this.#name}:ip:${address}`;
      case "user":
        return `${this.#name}:user:${user_id === null ? `anon:${address}` : named(user_id)}`;
    }
  }
}

const longestId = 255;

/**
 * A user's id in a key: as it stands for all that this service signs. A token may name anything, and a key that a store does
 * not take would leave all others of its call uncounted; nor is anybody a guest by name.
 */
function named(id: string): string {
  const isPlain =
    id.length <= longestId && id.isWellFormed() && !id.includes("\0") && !id.startsWith("anon:");
  return isPlain ? id : `sha256:${createHash("sha256").update(id, "utf16le").digest("hex")}`;
}
