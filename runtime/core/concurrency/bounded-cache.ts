/** Remembers in this process what was made last, within a number and a total weight; the oldest ones give way. */
export class BoundedCache<Value extends object> {
  readonly #entries = new Map<string, { readonly value: Value; readonly weight: number }>();
  readonly #maxEntries: number;
  readonly #maxWeight: number;
  #weight = 0;

  constructor(limits: { readonly entries: number; readonly weight?: number }) {
    this.#maxEntries = limits.entries;
    this.#maxWeight = limits.weight ?? Number.POSITIVE_INFINITY;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  /** Adds or replaces a value, and gives it back. */
  add(key: string, value: Value, weight = 1): Value {
    this.#weight += weight - (this.#entries.get(key)?.weight ?? 0);
    this.#entries.set(key, { value, weight });
    for (const [oldest, entry] of this.#entries) {
      if (this.#entries.size <= this.#maxEntries && this.#weight <= this.#maxWeight) break;
      this.#entries.delete(oldest);
      this.#weight -= entry.weight;
    }
    return value;
  }
}
