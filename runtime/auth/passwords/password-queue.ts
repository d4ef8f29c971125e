import { availableParallelism } from "node:os";
import bcrypt from "bcrypt";
import { ServiceError } from "../../errors/index.ts";

const longestQueue = 64;
/** What bcrypt looks at, in bytes; it would ignore the rest. */
export const longestPassword = 72;

/**
 * Hashes and compares passwords with bcrypt, as many at once as there are cores, so that other requests keep theirs.
 * When 64 wait already, the next is refused with 503 (decisions, part 7).
 */
export class PasswordQueue {
  readonly #cost: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #decoy: Promise<string> | null = null;

  /** `cost` as of bcrypt: two to the power of it are the rounds. */
  constructor(cost: number) {
    this.#cost = cost;
  }

  hash(password: string): Promise<string> {
    return this.#inTurn(() => bcrypt.hash(password, this.#cost));
  }

  /** Whether this is the password of that hash. It takes the same time where there is none: nobody learns who has an account. */
  async verify(password: string, hash: string | null): Promise<boolean> {
    const right = await this.#inTurn(async () => bcrypt.compare(password, hash ?? (await this.#decoyHash())));
    return right && hash !== null && Buffer.byteLength(password) <= longestPassword;
  }

  /** Whether a hash is of another cost than new ones. */
  isOutdated(hash: string): boolean {
    return bcrypt.getRounds(hash) !== this.#cost;
  }

  /** Makes the hash that stands in for those of unknown users, before the first of them is asked for. */
  prepare(): void {
    void this.#decoyHash().catch(() => {});
  }

  #decoyHash(): Promise<string> {
    this.#decoy ??= bcrypt.hash("nobody has this password", this.#cost);
    return this.#decoy;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= availableParallelism()) {
      if (this.#waiting.length >= longestQueue) throw tooBusy();
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running++;
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}

function tooBusy(): ServiceError {
  return new ServiceError("HTTP_ERROR", "Too many passwords are being checked. Try again soon.", undefined, {
    status: 503,
    headers: { "Retry-After": "1" },
  });
}
