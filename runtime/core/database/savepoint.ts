import type { Logger } from "pino";
import type { Savepoint } from "./queryable.ts";

type Work = () => Promise<void> | void;

/** The result of a transaction. `unknown`: the connection was lost during COMMIT. */
export type TransactionOutcome = "committed" | "rolled_back" | "unknown";

interface Callback {
  /** The savepoint that registered it. */
  readonly savepoint: OpenSavepoint;
  readonly when: "committed" | "rolled_back";
  readonly work: Work;
  /** For example a file; empty if unnamed. Callbacks of one subject run in order. */
  readonly subject: string;
}

/**
 * Callbacks of a transaction. Callbacks of one subject run in order. Different subjects run in parallel. A
 * failure is logged and affects neither other callbacks nor the caller of the transaction.
 */
export class TransactionCallbacks {
  readonly #log: Logger;
  readonly #callbacks: Callback[] = [];

  constructor(log: Logger) {
    this.#log = log;
  }

  add(callback: Callback): void {
    this.#callbacks.push(callback);
  }

  /** Runs the callbacks of a finished transaction; none if the outcome is unknown. */
  async run(outcome: TransactionOutcome): Promise<void> {
    if (outcome === "rolled_back") await this.rollBack(() => true);
    if (outcome === "committed") await this.#runAll(this.#callbacks.filter(({ when }) => when === outcome));
  }

  /** Runs the rollback callbacks of some savepoints, the last one first, and drops their commit callbacks. */
  async rollBack(isRolledBack: (savepoint: OpenSavepoint) => boolean): Promise<void> {
    const all = this.#callbacks.splice(0);
    this.#callbacks.push(...all.filter(({ savepoint }) => !isRolledBack(savepoint)));
    const dropped = all.filter(({ savepoint }) => isRolledBack(savepoint)).reverse();
    await this.#runAll(dropped.filter(({ when }) => when === "rolled_back"));
  }

  async #runAll(callbacks: readonly Callback[]): Promise<void> {
    const queues = new Map<string, Callback[]>();
    for (const callback of callbacks) {
      const queue = queues.get(callback.subject) ?? [];
      queue.push(callback);
      queues.set(callback.subject, queue);
    }
    await Promise.all([...queues.values()].map((queue) => this.#runInOrder(queue)));
  }

  async #runInOrder(queue: readonly Callback[]): Promise<void> {
    for (const { work, subject } of queue)
      try {
        await work();
      } catch (error) {
        this.#log.error({ err: error, subject }, "a callback of a transaction failed");
      }
  }
}

/** A savepoint, or the whole transaction. */
export class OpenSavepoint implements Savepoint {
  readonly #outer: OpenSavepoint | null;
  /** Throws after the transaction has ended. */
  readonly #callbacks: () => TransactionCallbacks;
  #state: "open" | "released" | "rolled_back" = "open";
  #hasSideEffects = false;

  constructor(outer: OpenSavepoint | null, callbacks: () => TransactionCallbacks) {
    this.#outer = outer;
    this.#callbacks = callbacks;
  }

  get whole(): Savepoint {
    return this.#outer?.whole ?? this;
  }

  get hasSideEffects(): boolean {
    return this.#hasSideEffects;
  }

  afterCommit(work: Work, subject = ""): void {
    this.#add("committed", work, subject);
  }

  onRollback(work: Work, subject = ""): void {
    this.#add("rolled_back", work, subject);
  }

  noteSideEffect(): void {
    this.#hasSideEffects = true;
    if (this.#state === "released") this.#outer?.noteSideEffect();
  }

  /** Its side effects now belong to the outer savepoint. */
  release(): void {
    this.#state = "released";
    if (this.#hasSideEffects) this.#outer?.noteSideEffect();
  }

  markRolledBack(): void {
    this.#state = "rolled_back";
  }

  /** Whether this is `other`, or inside it. */
  isIn(other: OpenSavepoint): boolean {
    return this === other || (this.#outer?.isIn(other) ?? false);
  }

  #add(when: "committed" | "rolled_back", work: Work, subject: string): void {
    if (this.#isRolledBack)
      throw new Error("this savepoint was rolled back: await all work inside it before it ends");
    this.#callbacks().add({ when, work, subject, savepoint: this });
    this.noteSideEffect();
  }

  get #isRolledBack(): boolean {
    if (this.#state === "rolled_back") return true;
    return this.#state === "released" && this.#outer !== null && this.#outer.#isRolledBack;
  }
}
