/** How long what providers publish is remembered, in milliseconds (decisions, part 9). */
const rememberedFor = 3_600_000;

/** Of what has just been fetched nobody asks for a newer one, in milliseconds (decisions, part 9). */
const freshFor = 60_000;

/** A fetch: when it began, and what came of it. */
interface Fetched<Value> {
  readonly at: number;
  readonly value: Promise<Value>;
}

/**
 * What was fetched, by its address. Of any number of callers at once one fetches; what failed is not remembered, and takes
 * nothing away from what was there.
 */
export class Remembered<Value> {
  readonly #values = new Map<string, Fetched<Value>>();
  readonly #running = new Map<string, Promise<Value>>();
  readonly #latest = new Map<string, Fetched<Value>>();
  readonly #fetch: (url: URL) => Promise<Value>;
  readonly #now: () => number;

  constructor(fetch: (url: URL) => Promise<Value>, now: () => number) {
    this.#fetch = fetch;
    this.#now = now;
  }

  /** The value of an address, at most an hour old. */
  get(url: URL): Promise<Value> {
    const known = this.#values.get(url.href);
    if (known !== undefined && this.#now() - known.at < rememberedFor) return known.value;
    return this.#running.get(url.href) ?? this.#renew(url);
  }

  /** A newer value, where the last look was a minute ago; else what came of that one. */
  newer(url: URL): Promise<Value> {
    const latest = this.#latest.get(url.href);
    return latest !== undefined && this.#now() - latest.at < freshFor ? latest.value : this.#renew(url);
  }

  /** Forgets a value that turned out to be of no use. */
  forget(url: URL): void {
    this.#values.delete(url.href);
  }

  #renew(url: URL): Promise<Value> {
    const { href } = url;
    const value = this.#fetch(url);
    const fetched = { at: this.#now(), value };
    this.#running.set(href, value);
    this.#latest.set(href, fetched);
    const end = () => {
      if (this.#running.get(href) === value) this.#running.delete(href);
    };
    value.then(
      () => {
        end();
        this.#values.set(href, fetched);
      },
      // Whoever asked for it is told.
      end,
    );
    return value;
  }
}
