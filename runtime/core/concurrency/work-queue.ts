import { createRequire } from "node:module";
import type { RateLimiterMemory, RateLimiterQueue } from "rate-limiter-flexible";

interface QueueBound {
  readonly waiting: number;
  /** The error if the queue is full. */
  readonly whenFull: () => Error;
}

/**
 * Runs up to `atOnce` pieces of work at the same time. Users take turns, and the work of one user runs in
 * order.
 */
export class WorkQueue {
  readonly #atOnce: number;
  readonly #bound: QueueBound | null;
  /** By user, in the order of their turns. */
  readonly #waiting = new Map<string, Set<() => void>>();
  #waitingCount = 0;
  #running = 0;

  /** `bound` null: any number can wait. */
  constructor(atOnce: number, bound: QueueBound | null = null) {
    this.#atOnce = atOnce;
    this.#bound = bound;
  }

  /** If `signal` aborts waiting work, it leaves the queue and rejects with the signal's reason. */
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

  /** Starts the next work of the user who has waited longest. */
  #handOver(): void {
    const [[user = "", own = new Set<() => void>()] = []] = this.#waiting;
    const [begin] = own;
    if (begin === undefined) {
      this.#running--;
      return;
    }
    this.#remove(user, begin);
    // A user with more work becomes the last one.
    if (this.#waiting.delete(user)) this.#waiting.set(user, own);
    begin();
  }
}

export class TimedOut extends Error {
  override readonly name: string = "TimedOut";
}

/**
 * Rejects with a `TimedOut` after a time limit; the work itself continues. A response that has arrived but
 * was not read yet is in time.
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

/** Longer waits are rejected, because a user can be waiting for the response. */
const longestWaitSeconds = 30;

/**
 * Limits how many calls this process starts in a second, evenly and in order; null for no limit. Rejects if
 * too many calls wait.
 */
export function throttle<Sent>(
  work: (sent: Sent) => Promise<void>,
  maxPerSecond: number | null,
): (sent: Sent) => Promise<void> {
  if (maxPerSecond === null) return work;
  const queue = queueOf(maxPerSecond);
  return async (sent) => {
    await queue.removeTokens(1).catch(() => {
      throw new Error(`too many messages are waiting: max_per_second is ${maxPerSecond}`);
    });
    await work(sent);
  };
}

/** Loads only two files, on first use: the index of the package loads dozens of stores. */
function queueOf(maxPerSecond: number): RateLimiterQueue {
  const load = createRequire(import.meta.url);
  const Limiter: typeof RateLimiterMemory = load("rate-limiter-flexible/lib/RateLimiterMemory.js");
  const Queue: typeof RateLimiterQueue = load("rate-limiter-flexible/lib/RateLimiterQueue.js");
  // One call per part of a second: a window of a whole second lets twice as many pass around its end. Rounded
  // up, because timers drop the fraction, and the part would be too short.
  const milliseconds = Math.ceil(1000 / maxPerSecond) + 0.5;
  const limiter = new Limiter({ points: 1, duration: milliseconds / 1000 });
  return new Queue(limiter, { maxQueueSize: longestWaitSeconds * maxPerSecond });
}
