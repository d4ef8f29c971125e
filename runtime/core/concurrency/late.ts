import type { Awaitable } from "./awaitable.ts";

/** What is there, or comes: once it is there, nobody waits for it. */
export type Late<Value> = () => Awaitable<Value>;

/** Makes it for the first who asks, and for all who ask meanwhile. What has failed is tried again. */
export function late<Value>(make: () => Promise<Value>): Late<Value> {
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
