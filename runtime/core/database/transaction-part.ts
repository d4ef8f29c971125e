import type { AfterEffects } from "./after-effects.ts";
import type { TransactionPart } from "./queryable.ts";

type Work = () => Promise<void> | void;

/** What stands behind one savepoint of a transaction, or all of it. */
export class Part implements TransactionPart {
  readonly #outer: Part | null;
  /** Throws once the transaction has ended. */
  readonly #effects: () => AfterEffects<Part>;
  #state: "open" | "released" | "undone" = "open";
  #hasTraces = false;

  constructor(outer: Part | null, effects: () => AfterEffects<Part>) {
    this.#outer = outer;
    this.#effects = effects;
  }

  get whole(): TransactionPart {
    return this.#outer?.whole ?? this;
  }

  get hasTraces(): boolean {
    return this.#hasTraces;
  }

  afterCommit(work: Work, subject = ""): void {
    this.#ask("committed", work, subject);
  }

  onRollback(work: Work, subject = ""): void {
    this.#ask("rolled_back", work, subject);
  }

  noteWrite(): void {
    this.#hasTraces = true;
    if (this.#state === "released") this.#outer?.noteWrite();
  }

  /** What it did stays as long as that which it stands in. */
  release(): void {
    this.#state = "released";
    if (this.#hasTraces) this.#outer?.noteWrite();
  }

  /** It was rolled back. */
  drop(): void {
    this.#state = "undone";
  }

  /** Whether it is that part, or stands inside it. */
  isIn(other: Part): boolean {
    return this === other || (this.#outer?.isIn(other) ?? false);
  }

  #ask(when: "committed" | "rolled_back", work: Work, subject: string): void {
    if (this.#isUndone)
      throw new Error("this part of the transaction was rolled back: wait for what it does inside it");
    this.#effects().ask({ when, work, subject, part: this });
    this.noteWrite();
  }

  get #isUndone(): boolean {
    if (this.#state === "undone") return true;
    return this.#state === "released" && this.#outer !== null && this.#outer.#isUndone;
  }
}
