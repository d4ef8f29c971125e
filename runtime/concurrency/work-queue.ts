/** How long a queue may be. */
export interface QueueBound {
  /** How many may wait. */
  readonly waiting: number;
  /** What the next one is refused with. */
  readonly whenFull: () => Error;
}

/** Does work in the order in which it came, so many pieces at once. Whoever gave it waits for it. */
export class WorkQueue {
  readonly #atOnce: number;
  readonly #bound: QueueBound | null;
  readonly #waiting = new Set<() => void>();
  #running = 0;

  /** Where nothing bounds it, any number may wait. */
  constructor(atOnce: number, bound: QueueBound | null = null) {
    this.#atOnce = atOnce;
    this.#bound = bound;
  }

  /** Work that is aborted before it has begun gives up its place, and rejects with the signal's reason. */
  async run<Value>(work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    signal?.throwIfAborted();
    if (this.#running < this.#atOnce) this.#running++;
    else await this.#turn(signal);
    try {
      return await work();
    } finally {
      this.#handOver();
    }
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    if (this.#bound !== null && this.#waiting.size >= this.#bound.waiting) throw this.#bound.whenFull();
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.delete(begin);
        reject(signal?.reason);
      };
      this.#waiting.add(begin);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  /** Whoever ends hands its turn over. */
  #handOver(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#running--;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
