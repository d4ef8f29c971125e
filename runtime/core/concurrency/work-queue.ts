/** How long a queue may be. */
export interface QueueBound {
  /** How many may wait. */
  readonly waiting: number;
  /** What the next one is refused with. */
  readonly whenFull: () => Error;
}

/**
 * Does so many pieces of work at once. Users take turns, and the work of one user is done in the order in which it came. Whoever gave it
 * waits for it.
 */
export class WorkQueue {
  readonly #atOnce: number;
  readonly #bound: QueueBound | null;
  /** By user, in the order of their turns. */
  readonly #waiting = new Map<string, Set<() => void>>();
  #waitingCount = 0;
  #running = 0;

  /** Where nothing bounds it, any number may wait. */
  constructor(atOnce: number, bound: QueueBound | null = null) {
    this.#atOnce = atOnce;
    this.#bound = bound;
  }

  /** Work that is aborted before it has begun gives up its place, and rejects with the signal's reason. */
  async run<Value>(work: () => Promise<Value>, signal?: AbortSignal, user = ""): Promise<Value> {
    signal?.throwIfAborted();
    if (this.#running < this.#atOnce) this.#running++;
    else await this.#turn(signal, user);
    try {
      return await work();
    } finally {
      this.#handOver();
    }
  }

  #turn(signal: AbortSignal | undefined, user: string): Promise<void> {
    if (this.#bound !== null && this.#waitingCount >= this.#bound.waiting) throw this.#bound.whenFull();
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        this.#remove(user, begin);
        reject(signal?.reason);
      };
      const own = this.#waiting.get(user) ?? new Set<() => void>();
      this.#waiting.set(user, own.add(begin));
      this.#waitingCount++;
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  #remove(user: string, begin: () => void): void {
    const own = this.#waiting.get(user);
    if (own?.delete(begin)) this.#waitingCount--;
    if (own?.size === 0) this.#waiting.delete(user);
  }

  /** Passes the turn on to the user who waits longest for one. */
  #handOver(): void {
    const [[user = "", own = new Set<() => void>()] = []] = this.#waiting;
    const [begin] = own;
    if (begin === undefined) {
      this.#running--;
      return;
    }
    this.#remove(user, begin);
    // The user goes to the end of the line.
    if (this.#waiting.delete(user)) this.#waiting.set(user, own);
    begin();
  }
}
