import { createHash } from "node:crypto";
import { guestMark, operationCounterKey } from "../../vocabulary/counter-keys.ts";
import type { Principal } from "../access/index.ts";
import type { OperationLimit } from "./model-limits.ts";
import type { Quota } from "./quota.ts";
import type { RateLimiter } from "./rate-limiter.ts";

/** Counts the requests for one operation, whichever way they come. */
export class OperationCounter {
  readonly #limiter: RateLimiter;
  readonly #limit: OperationLimit;
  readonly #name: string;

  /** `name` is what it is counted as. */
  constructor(limiter: RateLimiter, name: string, limit: OperationLimit) {
    this.#limiter = limiter;
    this.#name = name;
    this.#limit = limit;
  }

  /** Counts one request of a caller. Null where nobody can tell: it passes. */
  take(caller: Principal, address: string): Promise<Quota | null> {
    const user = this.#limit.per === "user" && caller.user_id !== null ? named(caller.user_id) : null;
    const key = operationCounterKey(this.#name, this.#limit.per, { address, user });
    return this.#limiter.take(key, this.#limit);
  }
}

const longestId = 255;

/**
 * A user's id in a key: as it stands for all that this service signs. A token may name anything, and a key that a store does
 * not take would leave all others of its call uncounted; nor is anybody a guest by name.
 */
function named(id: string): string {
  const isPlain =
    id.length <= longestId && id.isWellFormed() && !id.includes("\0") && !id.startsWith(guestMark);
  return isPlain ? id : `sha256:${createHash("sha256").update(id, "utf16le").digest("hex")}`;
}
