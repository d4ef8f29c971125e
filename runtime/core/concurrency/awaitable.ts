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
