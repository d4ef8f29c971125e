import type { Logger } from "pino";

type Work = () => Promise<void> | void;

/** What became of a transaction. `unknown`: its connection was lost while COMMIT was under way. */
export type Outcome = "committed" | "rolled_back" | "unknown";

/**
 * What a transaction has to be followed by, in the order in which it was asked for. What fails is logged, keeps nothing else from being
 * done, and changes nothing for whoever ran the transaction.
 */
export class AfterEffects {
  readonly #log: Logger;
  readonly #asked: { readonly when: "committed" | "rolled_back"; readonly work: Work }[] = [];

  constructor(log: Logger) {
    this.#log = log;
  }

  /** How much has been asked for so far. */
  get count(): number {
    return this.#asked.length;
  }

  ask(when: "committed" | "rolled_back", work: Work): void {
    this.#asked.push({ when, work });
  }

  /** Follows a transaction. Of an unknown outcome nothing follows: either answer to it could be wrong. */
  async follow(outcome: Outcome): Promise<void> {
    if (outcome === "rolled_back") return this.undo(0);
    if (outcome === "unknown") return;
    for (const { when, work } of this.#asked) if (when === "committed") await this.#do(work);
  }

  /** Undoes what was asked for after the first `kept`, the last first, and forgets it: a part was rolled back. */
  async undo(kept: number): Promise<void> {
    for (const { when, work } of this.#asked.splice(kept).reverse())
      if (when === "rolled_back") await this.#do(work);
  }

  async #do(work: Work): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#log.error({ err: error }, "what follows a transaction has failed");
    }
  }
}
