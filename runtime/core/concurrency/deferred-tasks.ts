import { setImmediate, setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import { withTimeout } from "./work-queue.ts";

interface BackgroundLimits {
  readonly atOnce: number;
  readonly waiting: number;
}

interface Task {
  readonly name: string;
  readonly work: () => Promise<void>;
  readonly log: Logger;
}

/**
 * Work after the response, such as a mail whose result the response must not reveal. If the queue is full,
 * new work is dropped and logged. If the process is killed, waiting work is lost.
 */
export class BackgroundTasks {
  readonly #log: Logger;
  readonly #limits: BackgroundLimits;
  readonly #waiting: Task[] = [];
  readonly #running = new Set<Promise<void>>();
  /** Work that other code has started. */
  readonly #lingering = new Set<Promise<void>>();

  constructor(log: Logger, limits: BackgroundLimits = { atOnce: 5, waiting: 1000 }) {
    this.#log = log;
    this.#limits = limits;
  }

  /**
   * Runs the work soon, but never before the caller continues. `name` is for the log, and can be a marker
   * such as `[RESET_REQUEST]`. With the log of a request, the line of a failure has its id.
   */
  run(name: string, work: () => Promise<void>, log: Logger = this.#log): void {
    const task = { name, work, log };
    if (this.#running.size < this.#limits.atOnce) this.#start(task);
    else if (this.#waiting.length < this.#limits.waiting) this.#waiting.push(task);
    else log.error({ task: name, waiting: this.#waiting.length }, `${name} dropped: the queue is full`);
  }

  /**
   * Waits for running work that never fails, up to a time limit; `drain` waits for the rest. There is no
   * limit if as much work is running as can wait.
   */
  async waitFor(work: Promise<void>, longestMs: number): Promise<void> {
    const isTooMuch = this.#lingering.size >= this.#limits.waiting;
    this.track(work);
    await (isTooMuch ? work : withTimeout(work, longestMs, "it goes on").catch(() => {}));
  }

  /** Makes `drain` wait for work that other code runs and that never fails. */
  track(work: Promise<void>): void {
    const done = work.finally(() => this.#lingering.delete(done));
    this.#lingering.add(done);
  }

  /** Resolves when no work is left. After `timeoutMs` the remaining work is abandoned and logged. */
  async drain(timeoutMs = Number.POSITIVE_INFINITY): Promise<void> {
    const end = new AbortController();
    const late = Number.isFinite(timeoutMs) ? [setTimeout(timeoutMs, "late", end).catch(() => "late")] : [];
    while (this.#running.size + this.#lingering.size > 0) {
      if ((await Promise.race([...this.#running, ...this.#lingering, ...late])) !== "late") continue;
      const left = this.#running.size + this.#waiting.length + this.#lingering.size;
      this.#log.error({ left }, "background work abandoned: it did not end in time");
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

/** In a later turn, so that the response is sent first. */
async function runTask({ name, work, log }: Task): Promise<void> {
  await setImmediate();
  try {
    await work();
  } catch (error) {
    log.error({ err: error, task: name }, `${name} failed`);
  }
}

type Work = () => unknown;

export interface DeferredTasks {
  /** Registers work that no failure cancels, such as work after a commit. If it fails, one line is logged. */
  add(work: Work, log: Logger): void;
  /** Registers work that is dropped if the surrounding request or part fails. */
  addUnlessFailed(work: Work, log: Logger): void;
  /**
   * Runs a part whose failure can be caught. It drops the work that the part has registered with
   * `addUnlessFailed`.
   */
  within<Result>(part: (asks: DeferredTasks) => Promise<Result>): Promise<Result>;
}

/** A part inside another part; `of` is null for the outermost one. */
interface TaskScope {
  readonly of: TaskScope | null;
}

const outermost: TaskScope = { of: null };

interface DeferredTask {
  readonly work: Work;
  readonly log: Logger;
  /** The part whose failure drops the work; null for none. */
  readonly tentative: TaskScope | null;
}

/** Shared, because most requests register no work. */
const none: DeferredTask[] = [];
const done = Promise.resolve();

/**
 * Work of app code after the response or the job, in order, one at a time, without a limit. The background
 * tasks wait for it in `drain` as soon as it is registered.
 */
export class AfterResponse implements DeferredTasks {
  readonly #background: BackgroundTasks;
  #asked: DeferredTask[] = none;
  #hasBegun = false;
  #isAtWork = false;
  /** Tells the background tasks that no work is left; null if they are not waiting. */
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

  /** Starts the registered work; later work runs too. Resolves when all work is done. */
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
