import { availableParallelism } from "node:os";
import bcrypt from "bcrypt";
import { WorkQueue } from "../../concurrency/index.ts";
import { ServiceError } from "../../errors/index.ts";
import { asStep, type Trace } from "../../tracing/index.ts";
import { longestPassword } from "../../validation/index.ts";

const longestQueue = 64;

/** A hash that bcrypt compares with; to anything else it says no at once. */
const isHash = /^\$2[ab]\$\d\d\$[./A-Za-z0-9]{53}$/;

/** The hash of no password, at some cost: bcrypt works as hard for it as for any. */
function decoyHash(cost: number): string {
  return `$2b$${String(cost).padStart(2, "0")}$./ABCDEFGHIJKLMNOPQRSefghijklmnopqrstuvwxyz0123456789`;
}

/**
 * Hashes and compares passwords with bcrypt, as many at once as there are cores, so that other requests keep theirs.
 * When 64 wait already, the next is refused with 503 (decisions, part 7).
 */
export class PasswordQueue {
  readonly #cost: number;
  readonly #queue = new WorkQueue(availableParallelism(), { waiting: longestQueue, whenFull: tooBusy });

  /** `cost` as of bcrypt: two to the power of it are the rounds. */
  constructor(cost: number) {
    this.#cost = cost;
  }

  hash(password: string): Promise<string> {
    return this.#queue.run(() => bcrypt.hash(password, this.#cost));
  }

  /**
   * Whether this is the password of that hash. A wrong one takes the same time where there is no hash, or one of a lower
   * cost than today's: nobody learns who has an account.
   */
  async verify(password: string, hash: string | null): Promise<boolean> {
    const known = hash !== null && isHash.test(hash) ? hash : null;
    return this.#queue.run(async () => {
      const isRight = await bcrypt.compare(password, known ?? decoyHash(this.#cost));
      if (isRight && known !== null && Buffer.byteLength(password) <= longestPassword) return true;
      if (known !== null) await this.#makeUpFor(known);
      return false;
    });
  }

  /** Each cost is twice the work of the one below: from the hash's own to the last before today's they add up to the difference. */
  async #makeUpFor(hash: string): Promise<void> {
    for (let cost = bcrypt.getRounds(hash); cost < this.#cost; cost++)
      await bcrypt.compare("", decoyHash(cost));
  }

  /** Whether a hash is of another cost than new ones. */
  isOutdated(hash: string): boolean {
    return bcrypt.getRounds(hash) !== this.#cost;
  }
}

/** What hashes and compares passwords. */
export type Passwords = Pick<PasswordQueue, "hash" | "verify" | "isOutdated">;

/** The same as steps of a trace. The time in the queue is a part of the step. */
export function tracedPasswords(passwords: Passwords, trace: Trace): Passwords {
  return {
    hash: (...sent) => asStep(trace, "password", () => passwords.hash(...sent)),
    verify: (...sent) => asStep(trace, "password", () => passwords.verify(...sent)),
    isOutdated: (hash) => passwords.isOutdated(hash),
  };
}

function tooBusy(): ServiceError {
  return new ServiceError("HTTP_ERROR", "Too many passwords are being checked. Try again soon.", undefined, {
    status: 503,
    headers: { "Retry-After": "1" },
  });
}
