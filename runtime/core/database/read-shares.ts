import { NoAnswerError, tooManyWait } from "./connection-error.ts";

/** What one caller has under way, and what waits for it. */
interface Share {
  held: number;
  readonly waiting: (() => void)[];
}

/** What bounds the reads of callers. */
export interface ShareLimits {
  /** How many reads of one caller are under way at once. */
  readonly atOnce: number;
  /** How many reads of one caller may wait for their turn. */
  readonly waiting: number;
  readonly longestWaitMs: number;
}

/** Callers who have nothing under way are forgotten when there are more than so many. */
const mostRemembered = 1_000;

/** Keeps what one caller does at once below a number; the rest of it waits for its turn. */
export class ReadShares {
  readonly #limits: ShareLimits;
  readonly #shares = new Map<string, Share>();

  constructor(limits: ShareLimits) {
    this.#limits = limits;
  }

  /**
   * Does the work of a caller when its turn has come; where it had to wait, the work is told how many milliseconds are left.
   * Rejects with a NoAnswerError when that takes too long, and at once where too many wait already.
   */
  hold<T>(caller: string, work: (leftMs?: number) => Promise<T>): Promise<T> {
    const share = this.#shares.get(caller) ?? this.#begin(caller);
    if (share.held >= this.#limits.atOnce)
      return this.#turn(share).then((leftMs) => inShare(share, work, leftMs));
    share.held++;
    return inShare(share, work);
  }

  #begin(caller: string): Share {
    if (this.#shares.size >= mostRemembered)
      for (const [name, { held }] of this.#shares) if (held === 0) this.#shares.delete(name);
    const share = { held: 0, waiting: [] };
    this.#shares.set(caller, share);
    return share;
  }

  /** Waits until somebody passes on what he held. Gives the milliseconds that are left then. */
  #turn({ waiting }: Share): Promise<number> {
    const { longestWaitMs, waiting: most } = this.#limits;
    if (waiting.length >= most) return Promise.reject(tooManyWait);
    const since = performance.now();
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve(Math.max(0, longestWaitMs - (performance.now() - since)));
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(new NoAnswerError("the other reads of the same caller took too long"));
      }, longestWaitMs).unref();
      waiting.push(begin);
    });
  }
}

/** Does work in a share that is held, and passes it on. */
function inShare<T>(share: Share, work: (leftMs?: number) => Promise<T>, leftMs?: number): Promise<T> {
  return work(leftMs).then(
    (result) => {
      pass(share);
      return result;
    },
    (error: unknown) => {
      pass(share);
      throw error;
    },
  );
}

function pass(share: Share): void {
  const next = share.waiting.shift();
  if (next === undefined) share.held--;
  else next();
}
