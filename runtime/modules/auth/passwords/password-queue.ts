import { availableParallelism } from "node:os";
import bcrypt from "bcrypt";
import { asStep, type Trace, WorkQueue } from "../../../core/concurrency/index.ts";
import type { Database, Transaction } from "../../../core/database/index.ts";
import { retrySoon, ServiceError } from "../../../core/errors/index.ts";
import { longestPassword } from "../../../models/validation/index.ts";
import { lockUser, type UserRow } from "../users/users-table.ts";

const longestQueue = 64;
/** The maximum number of passwords of one share, waiting or running. */
const mostOfOne = 8;

/**
 * A hash that bcrypt can compare. For other text, bcrypt returns at once, and the timing would reveal that.
 */
const isHash = /^\$2[ab]\$\d\d\$[./A-Za-z0-9]{53}$/;

/** A hash that no password matches. It has the usual cost, so that a comparison takes the usual time. */
function decoyHash(cost: number): string {
  return `$2b$${String(cost).padStart(2, "0")}$./ABCDEFGHIJKLMNOPQRSefghijklmnopqrstuvwxyz0123456789`;
}

/** The share of a password (`shareOf`); null for commands and tests, which have no limit of a share. */
type PasswordShare = string | null;

/**
 * Hashes and compares passwords with bcrypt, one for each core at a time. If 64 already wait, or 8
 * of the same share are in the queue, it refuses the next one with 503 (docs/passwords.md#change-and-reset-a-password).
 */
export class PasswordQueue {
  readonly #cost: number;
  readonly #queue = new WorkQueue(availableParallelism(), { waiting: longestQueue, whenFull: tooBusy });

  readonly #held = new Map<PasswordShare, number>();

  /** `cost` is bcrypt's: it runs 2^cost rounds. */
  constructor(cost: number) {
    this.#cost = cost;
  }

  hash(password: string, share: PasswordShare): Promise<string> {
    return this.#run(share, () => bcrypt.hash(password, this.#cost));
  }

  /**
   * Returns whether the password matches the hash. A wrong password takes the same time for a missing or
   * cheaper hash, so the timing reveals no accounts. `first` runs when the comparison leaves the queue.
   */
  async verify(
    password: string,
    hash: string | null,
    share: PasswordShare,
    first?: () => Promise<void>,
  ): Promise<boolean> {
    const known = hash !== null && isHash.test(hash) ? hash : null;
    return this.#run(share, async () => {
      await first?.();
      const isRight = await bcrypt.compare(password, known ?? decoyHash(this.#cost));
      if (isRight && known !== null && Buffer.byteLength(password) <= longestPassword) return true;
      if (known !== null) await this.#makeUpFor(known);
      return false;
    });
  }

  async #run<Value>(share: PasswordShare, work: () => Promise<Value>): Promise<Value> {
    if (share === null) return this.#queue.run(work);
    const held = this.#held.get(share) ?? 0;
    if (held >= mostOfOne) throw tooBusy();
    this.#held.set(share, held + 1);
    try {
      return await this.#queue.run(work);
    } finally {
      const left = (this.#held.get(share) ?? 1) - 1;
      if (left > 0) this.#held.set(share, left);
      else this.#held.delete(share);
    }
  }

  /** Adds the time that a cheaper hash saves. A cost takes as long as all lower costs together. */
  async #makeUpFor(hash: string): Promise<void> {
    for (let cost = bcrypt.getRounds(hash); cost < this.#cost; cost++)
      await bcrypt.compare("", decoyHash(cost));
  }

  /** Whether a hash has another cost than new hashes. */
  isOutdated(hash: string): boolean {
    return bcrypt.getRounds(hash) !== this.#cost;
  }
}

export type Passwords = Pick<PasswordQueue, "hash" | "verify" | "isOutdated">;

/** Records the calls as steps of a trace. A step includes the time in the queue. */
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
    headers: retrySoon,
  });
}

interface PasswordCheck {
  readonly database: Database;
  readonly passwords: Passwords;
}

/** The user whose password is checked, and the work to do if it is right. */
interface PasswordWork<Prepared, Result> {
  readonly password: string;
  /** The share of the password queue. */
  readonly share: string;
  /** Runs once, directly before the first comparison. A throw refuses the request. */
  readonly beforeCompare?: () => Promise<void>;
  readonly find: () => Promise<UserRow | null>;
  /** Runs only for the right password, before anything is locked. */
  readonly prepare: (known: UserRow) => Promise<Prepared>;
  /** Runs with the user's row locked, if the password is still the compared one. */
  readonly work: (transaction: Transaction, user: UserRow, prepared: Prepared) => Promise<Result>;
}

/**
 * A parallel login can renew the hash, and then a second attempt is needed. A parallel change needs a third
 * one.
 */
const longestAttempts = 3;

/**
 * Runs `work` if the password is right. Returns null for a wrong password and for an unknown user, after the
 * same time. If the hash changes after the comparison, the password is compared with the new hash.
 */
export async function withPassword<Prepared, Result extends object>(
  { database, passwords }: PasswordCheck,
  { password, share, beforeCompare, find, prepare, work }: PasswordWork<Prepared, Result>,
): Promise<Result | null> {
  for (let attempt = 1; attempt <= longestAttempts; attempt++) {
    const known = await find();
    const first = attempt === 1 ? beforeCompare : undefined;
    const isRight = await passwords.verify(password, known?.password ?? null, share, first);
    if (known === null || !isRight) return null;
    const prepared = await prepare(known);
    const result = await database.transaction(async (transaction) => {
      const user = await lockUser(transaction, known.id);
      return user?.password === known.password ? work(transaction, user, prepared) : null;
    });
    if (result !== null) return result;
  }
  return null;
}
