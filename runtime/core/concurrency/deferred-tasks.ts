import { setImmediate, setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import { withTimeout } from "./work-queue.ts";

interface BackgroundLimits {
  /** How many tasks run at the same time. */
  readonly atOnce: number;
  /** How many more tasks can wait. */
  readonly waiting: number;
}

interface Task {
  readonly name: string;
  readonly work: () => Promise<void>;
  readonly log: Logger;
}

/**
 * Work that runs after the response, such as a mail whose result the response must not reveal. The queue is
 * bounded: when it is full, new work is dropped and logged. If the process is killed, waiting work is lost.
 */
export class BackgroundTasks {
  readonly #log: Logger;
  readonly #limits: BackgroundLimits;
  readonly #waiting: Task[] = [];
  readonly #running = new Set<Promise<void>>();
  /** Started by other code. */
  readonly #lingering = new Set<Promise<void>>();

  constructor(log: Logger, limits: BackgroundLimits = { atOnce: 5, waiting: 1000 }) {
    this.#log = log;
    this.#limits = limits;
  }

  /**
   * Runs the work soon, but never before the caller continues. A failure is logged at error level under
   * `name`, which can be a marker such as `[RESET_REQUEST]`. With the log of a request, the line has the id
   * of that request.
   */
  run(name: string, work: () => Promise<void>, log: Logger = this.#log): void {
    const task = { name, work, log };
    if (this.#running.size < this.#limits.atOnce) this.#start(task);
    else if (this.#waiting.length < this.#limits.waiting) this.#waiting.push(task);
    else log.error({ task: name, waiting: this.#waiting.length }, `${name} dropped: too much is waiting`);
  }

  /**
   * Waits for work that has started and never fails, up to a time limit. After the limit the work continues,
   * and `drain` waits for it. If as much work is running as can wait, there is no limit.
   */
  async waitFor(work: Promise<void>, longestMs: number): Promise<void> {
    const isTooMuch = this.#lingering.size >= this.#limits.waiting;
    this.track(work);
    await (isTooMuch ? work : withTimeout(work, longestMs, "it goes on").catch(() => {}));
  }

  /** Makes `drain` wait for work that other code runs, never fails and must not be dropped. */
  track(work: Promise<void>): void {
    const done = work.finally(() => this.#lingering.delete(done));
    this.#lingering.add(done);
  }

  /** Resolves when no work runs or waits. After `timeoutMs`, the remaining work is given up and logged. */
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
    const running = runTask(task).then(() => {
      this.#running.delete(running);
      const next = this.#waiting.shift();
      if (next !== undefined) this.#start(next);
    });
    this.#running.add(running);
  }
}

/** Runs in a later turn: the response is sent first and takes as long as without the work. */
async function runTask({ name, work, log }: Task): Promise<void> {
  await setImmediate();
  try {
    await work();
  } catch (error) {
    log.error({ err: error, task: name }, `${name} failed`);
  }
}

type Work = () => unknown;

/** Where code registers deferred work. */
export interface DeferredTasks {
  /**
   * For work that no failure cancels, such as work after a commit. A failure of the work is one line of this
   * log.
   */
  add(work: Work, log: Logger): void;
  /** For work that is dropped if the part that registers it fails, such as a read. */
  addUnlessFailed(work: Work, log: Logger): void;
  /**
   * Runs a part that can fail and be caught. If it fails, the work that it registered with `addUnlessFailed`
   * is dropped.
   */
  within<Result>(part: (asks: DeferredTasks) => Promise<Result>): Promise<Result>;
}

/** A part that can fail by itself inside another part; null for the outermost one. */
interface TaskScope {
  readonly of: TaskScope | null;
}

const outermost: TaskScope = { of: null };

interface DeferredTask {
  readonly work: Work;
  readonly log: Logger;
  /** The part whose failure drops the work; null if nothing drops it. */
  readonly tentative: TaskScope | null;
}

/** Most requests register no work. */
const none: DeferredTask[] = [];
const done = Promise.resolve();

/**
 * Work that app code registers and that runs after the response or after the job, in order and one at a time.
 * The queue has no bound and drops nothing. Draining the background tasks waits for it from the moment when
 * it is registered.
 */
export class AfterResponse implements DeferredTasks {
  readonly #background: BackgroundTasks;
  #asked: DeferredTask[] = none;
  #hasBegun = false;
  #isAtWork = false;
  /** Tells the background tasks that no work is left; null if they do not wait for any. */
  #resolveTracked: (() => void) | null = null;

  constructor(background: BackgroundTasks) {
    this.#background = background;
  }

  add(work: Work, log: Logger): void {
    this.#ask({ work, log, tentative: null });
  }

  addUnlessFailed(work: Work, log: Logger): void {
    this.#ask({ work, log, tentative: outermost });
  }

  within<Result>(part: (asks: DeferredTasks) => Promise<Result>): Promise<Result> {
    return this.#within(outermost, part);
  }

  /**
   * Starts the registered work after the response. Work that is registered later runs too. Resolves when all
   * work is done.
   */
  begin(hasFailed: boolean): Promise<void> {
    if (hasFailed) this.#drop(outermost);
    this.#hasBegun = true;
    return this.#resolveTracked === null ? done : this.#doAll();
  }

  async #within<Result>(of: TaskScope, work: (asks: DeferredTasks) => Promise<Result>): Promise<Result> {
    const part: TaskScope = { of };
    try {
      return await work({
        add: (asked, log) => this.add(asked, log),
        addUnlessFailed: (asked, log) => this.#ask({ work: asked, log, tentative: part }),
        within: (inner) => this.#within(part, inner),
      });
    } catch (error) {
      this.#drop(part);
      throw error;
    }
  }

  #drop(part: TaskScope): void {
    this.#asked = this.#asked.filter(({ tentative }) => !isWithin(tentative, part));
  }

  #ask(asked: DeferredTask): void {
    if (this.#asked === none) this.#asked = [];
    this.#asked.push(asked);
    if (this.#resolveTracked === null)
      this.#background.track(
        new Promise((resolve) => {
          this.#resolveTracked = resolve;
        }),
      );
    if (this.#hasBegun) void this.#doAll();
  }

  async #doAll(): Promise<void> {
    if (this.#isAtWork) return;
    this.#isAtWork = true;
    for (let next = this.#asked.shift(); next !== undefined; next = this.#asked.shift()) await runWork(next);
    this.#isAtWork = false;
    this.#resolveTracked?.();
    this.#resolveTracked = null;
  }
}

function isWithin(inner: TaskScope | null, outer: TaskScope): boolean {
  for (let part = inner; part !== null; part = part.of) if (part === outer) return true;
  return false;
}

async function runWork({ work, log }: DeferredTask): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.error({ err: error }, "afterCommit callback failed");
  }
}
