import { setImmediate, setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import { withTimeout } from "./with-timeout.ts";

export interface BackgroundLimits {
  /** How many run at once. */
  readonly atOnce: number;
  /** How many may wait beside them. */
  readonly waiting: number;
}

interface Task {
  readonly name: string;
  readonly work: () => Promise<void>;
  readonly log: Logger;
}

/**
 * Work that goes on after its answer, such as a mail whose fate the answer must not reveal. It is bounded: when too much
 * waits, what comes next is dropped, and the log says so. A process that is killed loses what waits.
 */
export class BackgroundTasks {
  readonly #log: Logger;
  readonly #limits: BackgroundLimits;
  readonly #waiting: Task[] = [];
  readonly #running = new Set<Promise<void>>();
  /** Begun by others. */
  readonly #lingering = new Set<Promise<void>>();

  constructor(log: Logger, limits: BackgroundLimits = { atOnce: 5, waiting: 1000 }) {
    this.#log = log;
    this.#limits = limits;
  }

  /**
   * Does the work soon, never before the caller goes on. A failure is logged at error level under `name`, which may be a
   * marker such as `[RESET_REQUEST]`; with the log of a request it has that request's id.
   */
  run(name: string, work: () => Promise<void>, log: Logger = this.#log): void {
    const task = { name, work, log };
    if (this.#running.size < this.#limits.atOnce) this.#start(task);
    else if (this.#waiting.length < this.#limits.waiting) this.#waiting.push(task);
    else log.error({ task: name, waiting: this.#waiting.length }, `${name} dropped: too much is waiting`);
  }

  /**
   * Waits for work that has begun and never fails, but no longer than this: then it goes on, and `drain` waits for it. Where so much
   * goes on already as may wait, all of the work is waited for.
   */
  async waitFor(work: Promise<void>, longestMs: number): Promise<void> {
    const isTooMuch = this.#lingering.size >= this.#limits.waiting;
    this.track(work);
    await (isTooMuch ? work : withTimeout(work, longestMs, "it goes on").catch(() => {}));
  }

  /** Has `drain` wait for work that others do, that never fails and of which nothing may be dropped. */
  track(work: Promise<void>): void {
    const done = work.finally(() => this.#lingering.delete(done));
    this.#lingering.add(done);
  }

  /** Resolves when nothing runs or waits any more; after `timeoutMs` what is left is given up, and logged. */
  async drain(timeoutMs = Number.POSITIVE_INFINITY): Promise<void> {
    const end = new AbortController();
    const late = Number.isFinite(timeoutMs) ? [setTimeout(timeoutMs, "late", end).catch(() => "late")] : [];
    while (this.#running.size + this.#lingering.size > 0) {
      if ((await Promise.race([...this.#running, ...this.#lingering, ...late])) !== "late") continue;
      const left = this.#running.size + this.#waiting.length + this.#lingering.size;
      this.#log.error({ left }, "background work given up");
      this.#waiting.length = 0;
      break;
    }
    end.abort();
  }

  #start(task: Task): void {
    const running = perform(task).then(() => {
      this.#running.delete(running);
      const next = this.#waiting.shift();
      if (next !== undefined) this.#start(next);
    });
    this.#running.add(running);
  }
}

/** In a later turn, so that the answer is on its way first and takes as long as without the work. */
async function perform({ name, work, log }: Task): Promise<void> {
  await setImmediate();
  try {
    await work();
  } catch (error) {
    log.error({ err: error, task: name }, `${name} failed`);
  }
}
