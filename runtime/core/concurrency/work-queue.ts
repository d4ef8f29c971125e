import { createRequire } from "node:module";
import type { RateLimiterMemory, RateLimiterQueue } from "rate-limiter-flexible";

/** How long a queue may be. */
interface QueueBound {
  /** How many may wait. */
  readonly waiting: number;
  /** What the next one is refused with. */
  readonly whenFull: () => Error;
}

/**
 * Does so many pieces of work at once. Users take turns, and the work of one user is done in the order in which it came. Whoever gave it
 * waits for it.
 */
export class WorkQueue {
  readonly #atOnce: number;
  readonly #bound: QueueBound | null;
  /** By user, in the order of their turns. */
  readonly #waiting = new Map<string, Set<() => void>>();
  #waitingCount = 0;
  #running = 0;

  /** Where nothing bounds it, any number may wait. */
  constructor(atOnce: number, bound: QueueBound | null = null) {
    this.#atOnce = atOnce;
    this.#bound = bound;
  }

  /** Work that is aborted before it has begun gives up its place, and rejects with the signal's reason. */
  async run<Value>(work: () => Promise<Value>, signal?: AbortSignal, user = ""): Promise<Value> {
    signal?.throwIfAborted();
    if (this.#running < this.#atOnce) this.#running++;
    else await this.#turn(signal, user);
    try {
      return await work();
    } finally {
      this.#handOver();
    }
  }

  #turn(signal: AbortSignal | undefined, user: string): Promise<void> {
    if (this.#bound !== null && this.#waitingCount >= this.#bound.waiting) throw this.#bound.whenFull();
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        this.#remove(user, begin);
        reject(signal?.reason);
      };
      const own = this.#waiting.get(user) ?? new Set<() => void>();
      this.#waiting.set(user, own.add(begin));
      this.#waitingCount++;
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  #remove(user: string, begin: () => void): void {
    const own = this.#waiting.get(user);
    if (own?.delete(begin)) this.#waitingCount--;
    if (own?.size === 0) this.#waiting.delete(user);
  }

  /** Passes the turn on to the user who waits longest for one. */
  #handOver(): void {
    const [[user = "", own = new Set<() => void>()] = []] = this.#waiting;
    const [begin] = own;
    if (begin === undefined) {
      this.#running--;
      return;
    }
    this.#remove(user, begin);
    // The user goes to the end of the line.
    if (this.#waiting.delete(user)) this.#waiting.set(user, own);
    begin();
  }
}

/** Work that was not done in time. */
export class TimedOut extends Error {
  override readonly name: string = "TimedOut";
}

/**
 * The same promise, for somebody who has no more time than this: rejects with a `TimedOut` then, and the work itself goes on. An answer that is
 * here already, and that a busy process has not come to read, is in time.
 */
export async function withTimeout<T>(work: Promise<T>, longestMs: number, lateMessage: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => setImmediate(() => reject(new TimedOut(lateMessage))), longestMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Who comes when more are waiting than can begin within this time is refused: somebody may be waiting for the answer. */
const longestWaitSeconds = 30;

/**
 * The same work, of which this process begins no more than so many in a second: evenly and in order, however many come at
 * once. Null for no bound. Rejects where too many wait.
 */
export function throttle<Sent>(
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
