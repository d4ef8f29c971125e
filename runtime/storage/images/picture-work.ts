/** In seconds, for all that is read of a picture: some files are made to take hours. */
const longestSeconds = 60;

/** What is done for one picture, within a bound, until something of it fails. */
export class PictureWork {
  /** The first one. */
  failure: { readonly error: unknown } | null = null;
  #spentMs = 0;

  /** What the work gives; null where it fails, and then what follows is not begun. */
  async attempt<Value>(work: () => Promise<Value>): Promise<Value | null> {
    try {
      return await work();
    } catch (error) {
      this.failure ??= { error };
      return null;
    }
  }

  /** Does work that may take so many seconds. */
  async timed<Value>(work: (seconds: number) => Promise<Value>): Promise<Value> {
    if (this.failure !== null) throw this.failure.error;
    const begunAt = performance.now();
    try {
      return await work(Math.max(1, Math.ceil(longestSeconds - this.#spentMs / 1000)));
    } finally {
      this.#spentMs += performance.now() - begunAt;
    }
  }

  /** Whether work failed since it took too long, as `sharp` says it. */
  isLate(error: unknown): boolean {
    return error instanceof Error && error.message.startsWith("timeout");
  }
}
