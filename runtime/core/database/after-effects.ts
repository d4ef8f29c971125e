import type { Logger } from "pino";

type Work = () => Promise<void> | void;

/** What became of a transaction. `unknown`: its connection was lost while COMMIT was under way. */
export type Outcome = "committed" | "rolled_back" | "unknown";

interface Effect<Part> {
  /** Of which part of the transaction it is. */
  readonly part: Part;
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
export class AfterEffects<Part> {
  readonly #log: Logger;
  readonly #asked: Effect<Part>[] = [];

  constructor(log: Logger) {
    this.#log = log;
  }

  ask(effect: Effect<Part>): void {
    this.#asked.push(effect);
  }

  /** Follows a transaction. Of an unknown outcome nothing follows: either answer to it could be wrong. */
  async follow(outcome: Outcome): Promise<void> {
    if (outcome === "rolled_back") await this.undo(() => true);
    if (outcome === "committed") await this.#doAll(this.#asked.filter(({ when }) => when === outcome));
  }

  /** Undoes what was asked for in some parts, the last first, and forgets it: they were rolled back. */
  async undo(isUndone: (part: Part) => boolean): Promise<void> {
    const all = this.#asked.splice(0);
    this.#asked.push(...all.filter(({ part }) => !isUndone(part)));
    const undone = all.filter(({ part }) => isUndone(part)).reverse();
    await this.#doAll(undone.filter(({ when }) => when === "rolled_back"));
  }

  async #doAll(effects: readonly Effect<Part>[]): Promise<void> {
    const lines = new Map<string, Effect<Part>[]>();
    for (const effect of effects) {
      const line = lines.get(effect.subject) ?? [];
      line.push(effect);
      lines.set(effect.subject, line);
    }
    await Promise.all([...lines.values()].map((line) => this.#doInTurn(line)));
  }

  async #doInTurn(line: readonly Effect<Part>[]): Promise<void> {
    for (const { work, subject } of line)
      try {
        await work();
      } catch (error) {
        this.#log.error({ err: error, subject }, "what follows a transaction has failed");
      }
  }
}
