/** Lets the changes of one key happen one after the other, within this process. */
export class KeyLocks {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does the work when all that came before it for this key is done. */
  async run<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine.catch(() => {});
    this.#last.set(key, settled);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }
}
