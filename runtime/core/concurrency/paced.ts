import { createRequire } from "node:module";
import type { RateLimiterMemory, RateLimiterQueue } from "rate-limiter-flexible";

/** Who comes when more are waiting than can begin within this time is refused: somebody may be waiting for the answer. */
const longestWaitSeconds = 30;

/**
 * The same work, of which this process begins no more than so many in a second: evenly and in order, however many come at
 * once. Null for no bound. Rejects where too many wait.
 */
export function paced<Sent>(
  work: (sent: Sent) => Promise<void>,
  maxPerSecond: number | null,
): (sent: Sent) => Promise<void> {
  if (maxPerSecond === null) return work;
  const queue = queueOf(maxPerSecond);
  return async (sent) => {
    await queue.removeTokens(1).catch(() => {
      throw new Error(`too much is waiting: max_per_second lets ${maxPerSecond} go in a second`);
    });
    await work(sent);
  };
}

/** The package's index would load dozens of stores: these two files are what is needed, and only where something is paced. */
function queueOf(maxPerSecond: number): RateLimiterQueue {
  const load = createRequire(import.meta.url);
  const Limiter: typeof RateLimiterMemory = load("rate-limiter-flexible/lib/RateLimiterMemory.js");
  const Queue: typeof RateLimiterQueue = load("rate-limiter-flexible/lib/RateLimiterQueue.js");
  // One in each part of a second, since a window of a whole one would let twice as many go around its end. Timers cut what is
  // behind the point, which must not make the part shorter.
  const milliseconds = Math.ceil(1000 / maxPerSecond) + 0.5;
  const limiter = new Limiter({ points: 1, duration: milliseconds / 1000 });
  return new Queue(limiter, { maxQueueSize: longestWaitSeconds * maxPerSecond });
}
