import { NoAnswerError } from "./connection-error.ts";

/** What one caller has under way, and what waits for it. */
interface Share {
  held: number;
  readonly waiting: (() => void)[];
}

/** Keeps what one caller does at once below a number; the rest of it waits for its turn. */
export class ReadShares {
  readonly #most: number;
  readonly #longestWaitMs: number;
  readonly #shares = new Map<string, Share>();

  constructor(most: number, longestWaitMs: number) {
    this.#most = most;
    this.#longestWaitMs = longestWaitMs;
  }

  /**
   * Does the work of a caller when its turn has come; where it had to wait, the work is told how many milliseconds are left.
   * Rejects with a NoAnswerError when that takes too long.
   */
  async hold<T>(caller: string, work: (leftMs?: number) => Promise<T>): Promise<T> {
    const share = this.#shares.get(caller) ?? { held: 0, waiting: [] };
    this.#shares.set(caller, share);
    let leftMs: number | undefined;
    if (share.held < this.#most) share.held++;
    else leftMs = await this.#turn(share);
    try {
      return await work(leftMs);
    } finally {
      this.#pass(caller, share);
    }
  }

  /** Waits until somebody passes on what he held. Gives the milliseconds that are left then. */
  #turn({ waiting }: Share): Promise<number> {
    const since = performance.now();
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve(Math.max(0, this.#longestWaitMs - (performance.now() - since)));
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(new NoAnswerError("the other reads of the same caller took too long"));
      }, this.#longestWaitMs).unref();
      waiting.push(begin);
    });
  }

  #pass(caller: string, share: Share): void {
    const next = share.waiting.shift();
    if (next !== undefined) next();
    else if (--share.held === 0) this.#shares.delete(caller);
  }
}
