import type { Logger } from "pino";

type Work = () => Promise<void> | void;

/** What became of a transaction. `unknown`: its connection was lost while COMMIT was under way. */
export type Outcome = "committed" | "rolled_back" | "unknown";

interface Effect {
  readonly when: "committed" | "rolled_back";
  readonly work: Work;
  /** What it is done to; empty for whatever nobody named. */
  readonly subject: string;
}

/**
 * What a transaction has to be followed by: for one subject in the order in which it was asked for, for all of them at the same time,
 * begun at once: how much is under way, its owner bounds. What fails is logged, keeps nothing else from being done, and changes nothing
 * for whoever ran the transaction.
 */
export class AfterEffects {
  readonly #log: Logger;
  readonly #asked: Effect[] = [];

  constructor(log: Logger) {
    this.#log = log;
  }

  /** How much has been asked for so far. */
  get count(): number {
    return this.#asked.length;
  }

  ask(effect: Effect): void {
    this.#asked.push(effect);
  }

  /** Follows a transaction. Of an unknown outcome nothing follows: either answer to it could be wrong. */
  async follow(outcome: Outcome): Promise<void> {
    if (outcome === "rolled_back") await this.undo(0);
    if (outcome === "committed") await this.#doAll(this.#asked.filter(({ when }) => when === outcome));
  }

  /** Undoes what was asked for after the first `kept`, the last first, and forgets it: a part was rolled back. */
  async undo(kept: number): Promise<void> {
    const undone = this.#asked.splice(kept).reverse();
    await this.#doAll(undone.filter(({ when }) => when === "rolled_back"));
  }

  async #doAll(effects: readonly Effect[]): Promise<void> {
    const lines = new Map<string, Effect[]>();
    for (const effect of effects) {
      const line = lines.get(effect.subject) ?? [];
      line.push(effect);
      lines.set(effect.subject, line);
    }
    await Promise.all([...lines.values()].map((line) => this.#doInTurn(line)));
  }

  async #doInTurn(line: readonly Effect[]): Promise<void> {
    for (const { work, subject } of line)
      try {
        await work();
      } catch (error) {
        this.#log.error({ err: error, subject }, "what follows a transaction has failed");
      }
  }
}
