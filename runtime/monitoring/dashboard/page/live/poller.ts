/** How the reading of figures goes. */
export type PollState =
  | { readonly kind: "reading" }
  | { readonly kind: "fresh"; readonly at: Date }
  | { readonly kind: "failed"; readonly error: unknown; readonly nextMs: number };

export interface PollerOptions {
  /** Reads and shows. Rejects where that failed. */
  readonly work: (signal: AbortSignal) => Promise<void>;
  readonly everyMs: () => number;
  readonly onState: (state: PollState) => void;
}

const longestPauseMs = 60_000;

/**
 * Reads again and again: one reading after the other, later and later while they fail, and only while somebody can see the tab.
 */
export class Poller {
  readonly #options: PollerOptions;
  #isPaused = false;
  #failures = 0;
  #dueAt = 0;
  #timer = 0;
  #reading = new AbortController();

  constructor(options: PollerOptions) {
    this.#options = options;
    document.addEventListener("visibilitychange", () => this.#seen());
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Reads now; what is under way is given up. */
  async refresh(): Promise<void> {
    const { work, onState } = this.#options;
    clearTimeout(this.#timer);
    this.#reading.abort();
    const reading = new AbortController();
    this.#reading = reading;
    onState({ kind: "reading" });
    try {
      await work(reading.signal);
      if (reading.signal.aborted) return;
      this.#failures = 0;
      onState({ kind: "fresh", at: new Date() });
      this.#schedule(this.#options.everyMs());
    } catch (error) {
      if (reading.signal.aborted) return;
      const nextMs = Math.min(longestPauseMs, this.#options.everyMs() * 2 ** this.#failures++);
      onState({ kind: "failed", error, nextMs });
      this.#schedule(nextMs);
    } finally {
      // The other readings of the same refresh, where one of them has failed.
      reading.abort();
    }
  }

  /** Reads no more by itself. What is under way comes to its end. */
  pause(): void {
    this.#isPaused = true;
    clearTimeout(this.#timer);
  }

  resume(): Promise<void> {
    this.#isPaused = false;
    return this.refresh();
  }

  /** Until it is resumed; gives up what is under way. */
  stop(): void {
    this.pause();
    this.#reading.abort();
  }

  #schedule(delayMs: number): void {
    this.#dueAt = Date.now() + delayMs;
    if (this.#isPaused || document.hidden) return;
    this.#timer = setTimeout(() => void this.refresh(), delayMs);
  }

  #seen(): void {
    clearTimeout(this.#timer);
    if (!document.hidden) this.#schedule(Math.max(0, this.#dueAt - Date.now()));
  }
}
