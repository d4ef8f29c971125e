/**
 * A value, or a promise of it. Awaiting an existing value costs objects and a microtask, a dozen times per
 * request. `andThen` avoids it; inside an async function, write `value instanceof Promise ? await value :
 * value`.
 */
export type Awaitable<Value> = Value | Promise<Value>;

/** Continues with a value, at once if it is there. */
export function andThen<Value, Result>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Result>,
): Awaitable<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** A value that is made on first use. After that, no caller waits. */
export type Lazy<Value> = () => Awaitable<Value>;

/** Makes a value for the first caller and shares it with all. After a failure, the next call tries again. */
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

/** A cache with a limit of entries and of total weight. The oldest entries are removed first. */
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

  /** Adds or replaces a value, and returns it. */
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

/** Caches one value per object, for objects that do not change. An undefined value is computed again. */
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
