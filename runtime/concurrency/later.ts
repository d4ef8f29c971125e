import type { Logger } from "pino";
import type { BackgroundTasks } from "./background-tasks.ts";

type Work = () => unknown;

interface Asked {
  readonly work: Work;
  readonly log: Logger;
  readonly isTentative: boolean;
}

/**
 * What code of one's own asks for once the answer of a request has gone, or a job is done: all of it, in order, each in turn.
 * Nothing bounds it and nothing of it is dropped; whoever drains the background waits for it from the moment it is asked for.
 */
export class Later {
  readonly #background: BackgroundTasks;
  #asked: Asked[] = [];
  #hasBegun = false;
  #isAtWork = false;
  /** Tells the background that nothing is left; null where it waits for nothing. */
  #tellDone: (() => void) | null = null;

  constructor(background: BackgroundTasks) {
    this.#background = background;
  }

  /** For what is certain, such as what was committed. A failure is one line of this log. */
  add(work: Work, log: Logger): void {
    this.#ask({ work, log, isTentative: false });
  }

  /** For what is dropped where that which it is part of fails, such as a read. */
  addUnlessFailed(work: Work, log: Logger): void {
    this.#ask({ work, log, isTentative: true });
  }

  /** The answer has gone: what was asked for begins, and what is asked for from now on follows it. Resolves when all is done. */
  async begin(hasFailed: boolean): Promise<void> {
    if (hasFailed) this.#asked = this.#asked.filter(({ isTentative }) => !isTentative);
    this.#hasBegun = true;
    await this.#doAll();
  }

  #ask(asked: Asked): void {
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

async function perform({ work, log }: Asked): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.error({ err: error }, "what was to follow has failed");
  }
}
