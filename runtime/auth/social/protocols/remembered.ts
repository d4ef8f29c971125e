/** How long what providers publish is remembered, in milliseconds (decisions, part 9). */
export const rememberedFor = 3_600_000;

/** What was fetched, by its address. Of any number of callers at once one fetches; what failed is not remembered. */
export class Remembered<Value> {
  readonly #values = new Map<string, { readonly at: number; readonly value: Promise<Value> }>();
  readonly #fetch: (url: URL) => Promise<Value>;
  readonly #now: () => number;

  constructor(fetch: (url: URL) => Promise<Value>, now: () => number) {
    this.#fetch = fetch;
    this.#now = now;
  }

  /** The value of an address, at most `age` milliseconds old. */
  get(url: URL, age = rememberedFor): Promise<Value> {
    const known = this.#values.get(url.href);
    if (known !== undefined && this.#now() - known.at < age) return known.value;
    const value = this.#fetch(url);
    this.#values.set(url.href, { at: this.#now(), value });
    value.catch(() => {
      // The older one, which is good for another try, is gone with it.
      if (this.#values.get(url.href)?.value === value) this.#values.delete(url.href);
    });
    return value;
  }
}
