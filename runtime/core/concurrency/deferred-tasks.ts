import { setImmediate, setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import { withTimeout } from "./work-queue.ts";

interface BackgroundLimits {
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
    const running = runTask(task).then(() => {
      this.#running.delete(running);
      const next = this.#waiting.shift();
      if (next !== undefined) this.#start(next);
    });
    this.#running.add(running);
  }
}

/** In a later turn, so that the answer is on its way first and takes as long as without the work. */
async function runTask({ name, work, log }: Task): Promise<void> {
  await setImmediate();
  try {
    await work();
  } catch (error) {
    log.error({ err: error, task: name }, `${name} failed`);
  }
}

type Work = () => unknown;

/** Where code asks for what is to follow. */
export interface DeferredTasks {
  /** For what is certain, such as what was committed. A failure is one line of this log. */
  add(work: Work, log: Logger): void;
  /** For what is dropped where that which it is part of fails, such as a read. */
  addUnlessFailed(work: Work, log: Logger): void;
  /** Does something that may fail by itself, and be caught: then what it has asked for unless it fails is dropped. */
  within<Result>(part: (asks: DeferredTasks) => Promise<Result>): Promise<Result>;
}

/** What may fail by itself, as part of something else; null of nothing but the whole. */
interface Part {
  readonly of: Part | null;
}

const whole: Part = { of: null };

interface Asked {
  readonly work: Work;
  readonly log: Logger;
  /** Dropped where that fails; null for what is certain. */
  readonly tentative: Part | null;
}

/** Most requests ask for nothing. */
const none: Asked[] = [];
const done = Promise.resolve();

/**
 * What code of one's own asks for once the answer of a request has gone, or a job is done: all of it, in order, each in turn.
 * Nothing bounds it and nothing of it is dropped; whoever drains the background waits for it from the moment it is asked for.
 */
export class AfterResponse implements DeferredTasks {
  readonly #background: BackgroundTasks;
  #asked: Asked[] = none;
  #hasBegun = false;
  #isAtWork = false;
  /** Tells the background that nothing is left; null where it waits for nothing. */
  #tellDone: (() => void) | null = null;

  constructor(background: BackgroundTasks) {
    this.#background = background;
  }

  add(work: Work, log: Logger): void {
    this.#ask({ work, log, tentative: null });
  }

  addUnlessFailed(work: Work, log: Logger): void {
    this.#ask({ work, log, tentative: whole });
  }

  within<Result>(part: (asks: DeferredTasks) => Promise<Result>): Promise<Result> {
    return this.#within(whole, part);
  }

  /** The answer has gone: what was asked for begins, and what is asked for from now on follows it. Resolves when all is done. */
  begin(hasFailed: boolean): Promise<void> {
    if (hasFailed) this.#drop(whole);
    this.#hasBegun = true;
    return this.#tellDone === null ? done : this.#doAll();
  }

  async #within<Result>(of: Part, work: (asks: DeferredTasks) => Promise<Result>): Promise<Result> {
    const part: Part = { of };
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

  #drop(part: Part): void {
    this.#asked = this.#asked.filter(({ tentative }) => !isWithin(tentative, part));
  }

  #ask(asked: Asked): void {
    if (this.#asked === none) this.#asked = [];
    this.#asked.push(asked);
    if (this.#tellDone === null)
      this.#background.track(
        new Promise((resolve) => {
          this.#tellDone = resolve;
        }),
      );
    if (this.#hasBegun) void this.#doAll();
  }

  async #doAll(): Promise<void> {
    if (this.#isAtWork) return;
    this.#isAtWork = true;
    for (let next = this.#asked.shift(); next !== undefined; next = this.#asked.shift()) await runWork(next);
    this.#isAtWork = false;
    this.#tellDone?.();
    this.#tellDone = null;
  }
}

function isWithin(inner: Part | null, outer: Part): boolean {
  for (let part = inner; part !== null; part = part.of) if (part === outer) return true;
  return false;
}

async function runWork({ work, log }: Asked): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.error({ err: error }, "what was to follow has failed");
  }
}
