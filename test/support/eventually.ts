import { vi } from "vitest";

/** Waits until a check passes, and gives what it gives; on a machine that is busy with all the other tests it may take long. */
export function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(check, { timeout: 15_000, interval: 10 });
}
