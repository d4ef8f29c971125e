/**
 * A value that may be there already. To wait for one that is takes some objects and a turn of the microtasks, and a request has a dozen of
 * them on its way: `andThen` spares both. In the middle of an async function stands `value instanceof Promise ? await value : value` instead.
 * No helper can do that, since it would have to be waited for itself.
 */
export type Awaitable<Value> = Value | Promise<Value>;

/** Goes on with a value, at once where it is there. */
export function andThen<Value, Result>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Result>,
): Awaitable<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** What is there, or comes: once it is there, nobody waits for it. */
export type Lazy<Value> = () => Awaitable<Value>;

/** Makes it for the first who asks, and for all who ask meanwhile. What has failed is tried again. */
export function lazy<Value>(make: () => Promise<Value>): Lazy<Value> {
  let made: { readonly value: Value } | null = null;
  let making: Promise<Value> | null = null;
  return () => {
    if (made !== null) return made.value;
    making ??= make()
      .then((value) => {
        made = { value };
        return value;
      })
      .finally(() => {
        making = null;
      });
    return making;
  };
}

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

/**
 * Makes a value for the first who asks with an object, and gives all others the same one; it is forgotten with its object. For objects that
 * nobody changes. What is made is never undefined: that would be made again.
 */
export function weakMemo<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    const made = known.get(key);
    if (made !== undefined) return made;
    const value = make(key);
    known.set(key, value);
    return value;
  };
}
