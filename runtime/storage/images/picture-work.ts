/** How long the service works on one picture, which bounds pictures that are made to take hours. Time in the queue does not count. */
export class PictureWork {
  #leftMs: number;

  constructor(longestSeconds: number) {
    this.#leftMs = longestSeconds * 1000;
  }

  /** Does work within the seconds that are left. */
  async timed<Value>(work: (seconds: number) => Promise<Value>): Promise<Value> {
    if (this.#leftMs <= 0) throw new Error("timeout");
    const begunAt = performance.now();
    try {
      return await work(Math.ceil(this.#leftMs / 1000));
    } finally {
      this.#leftMs -= performance.now() - begunAt;
    }
  }

  /** Whether work failed because it took too long, in the words of `sharp`. */
  isLate(error: unknown): boolean {
    return error instanceof Error && error.message.startsWith("timeout");
  }
}
