import { setImmediate } from "node:timers/promises";

/** The rejections that no code handles while `run` works, in their order. */
export async function unhandledErrors(run: () => Promise<unknown>): Promise<unknown[]> {
  const usual = process.rawListeners("unhandledRejection");
  const errors: unknown[] = [];
  const listener = (error: unknown) => errors.push(error);
  process.removeAllListeners("unhandledRejection").on("unhandledRejection", listener);
  try {
    await run();
    // Node reports them after the microtasks.
    await setImmediate();
    return errors;
  } finally {
    process.off("unhandledRejection", listener);
    for (const one of usual) process.on("unhandledRejection", one as (error: unknown) => void);
  }
}
