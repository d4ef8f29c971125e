import { setTimeout as pause } from "node:timers/promises";

const patienceMs = 30_000;
let waiters = 0;

/**
 * Waits until a check passes, and gives what it gives; on a machine that is busy with all the other tests it may take long.
 * Unlike `vi.waitFor` it leaves fake timers alone: with them it would move the clock of whichever test has set it.
 */
export async function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  const impatience = AbortSignal.timeout(patienceMs);
  waiters++;
  try {
    for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs + 1, 20)) {
      try {
        return await check();
      } catch (error) {
        if (impatience.aborted) throw error;
      }
      await pause(pauseMs);
    }
  } finally {
    waiters--;
  }
}

/** Waits until a check passes or a promise is settled, and says whether it passed; unlike the loser of a race it goes on no longer. */
export function passesBefore(settled: Promise<unknown>, check: () => unknown): Promise<boolean> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  settled.then(settle, settle);
  return eventually(async () => {
    if (isSettled) return false;
    await check();
    return true;
  });
}

/** How many wait: none when a test file is over. */
export function whoWait(): number {
  return waiters;
}
