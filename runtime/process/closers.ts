/** Why a process ends: a signal, an uncaught error, or its work is done or has failed. */
export type Cause = "SIGINT" | "SIGTERM" | "crash" | "done";

type Step = (cause: Cause) => unknown;

/** Runs the steps of a shutdown, the last registered step first. */
export class Closers {
  readonly #steps: Step[] = [];
  #announcement: Step = () => {};
  #closing: Promise<void> | null = null;

  add(step: Step): void {
    this.#steps.push(step);
  }

  /** Adds a step that runs before all others. */
  announce(announcement: Step): void {
    this.#announcement = announcement;
  }

  /** Runs each step once, even if called again; the first cause counts. */
  run(cause: Cause = "done"): Promise<void> {
    this.#closing ??= this.#runAll(cause);
    return this.#closing;
  }

  async #runAll(cause: Cause): Promise<void> {
    await this.#announcement(cause);
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) await step(cause);
  }
}
