/** What a process ends for: a signal, an error that nothing caught, or that its work is done or cannot be. */
export type Cause = "SIGINT" | "SIGTERM" | "crash" | "done";

type Step = (cause: Cause) => unknown;

/** Undoes what was started, the last first. */
export class Closers {
  readonly #steps: Step[] = [];
  #announcement: Step = () => {};
  #closing: Promise<void> | null = null;

  add(step: Step): void {
    this.#steps.push(step);
  }

  /** Has this run before all steps. */
  announce(announcement: Step): void {
    this.#announcement = announcement;
  }

  /** Runs every step once, however often it is called; the first cause counts. */
  run(cause: Cause = "done"): Promise<void> {
    this.#closing ??= this.#runAll(cause);
    return this.#closing;
  }

  async #runAll(cause: Cause): Promise<void> {
    await this.#announcement(cause);
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) await step(cause);
  }
}
