import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Timing } from "./timing.ts";

/** PostgreSQL's codes for a lock timeout and for a deadlock. */
const busyCodes: ReadonlySet<unknown> = new Set(["55P03", "40P01"]);

/**
 * Runs work that takes locks. If other sessions hold them, retries after a pause, because a long wait for a
 * lock blocks all later requests. `work` must leave nothing behind when it fails.
 */
export async function retryOnLock<T>(
  { attempts, retryDelayMs }: Timing,
  log: Logger,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= attempts || !isBusy(error)) throw error;
      const delayMs = Math.min(retryDelayMs * 2 ** (attempt - 1), retryDelayMs * 20);
      const reason = error instanceof Error ? error.message : String(error);
      log.warn(`${reason}: trying again in ${delayMs} ms (attempt ${attempt + 1} of ${attempts})`);
      await sleep(delayMs);
    }
  }
}

function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && busyCodes.has(error.code)) || isBusy(error.cause);
}
