import type { Logger } from "pino";
import type { BackgroundTasks } from "./background-tasks.ts";

type Work = () => unknown;

/** Where code asks for what is to follow. */
export interface Asks {
  /** For what is certain, such as what was committed. A failure is one line of this log. */
  add(work: Work, log: Logger): void;
  /** For what is dropped where that which it is part of fails, such as a read. */
  addUnlessFailed(work: Work, log: Logger): void;
  /** Does something that may fail by itself, and be caught: then what it has asked for unless it fails is dropped. */
  within<Result>(part: (asks: Asks) => Promise<Result>): Promise<Result>;
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
export class Later implements Asks {
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

  within<Result>(part: (asks: Asks) => Promise<Result>): Promise<Result> {
    return this.#within(whole, part);
  }

  /** The answer has gone: what was asked for begins, and what is asked for from now on follows it. Resolves when all is done. */
  begin(hasFailed: boolean): Promise<void> {
    if (hasFailed) this.#drop(whole);
    this.#hasBegun = true;
    return this.#tellDone === null ? done : this.#doAll();
  }

  async #within<Result>(of: Part, work: (asks: Asks) => Promise<Result>): Promise<Result> {
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
    for (let next = this.#asked.shift(); next !== undefined; next = this.#asked.shift()) await perform(next);
    this.#isAtWork = false;
    this.#tellDone?.();
    this.#tellDone = null;
  }
}

function isWithin(inner: Part | null, outer: Part): boolean {
  for (let part = inner; part !== null; part = part.of) if (part === outer) return true;
  return false;
}

async function perform({ work, log }: Asked): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.error({ err: error }, "what was to follow has failed");
  }
}
