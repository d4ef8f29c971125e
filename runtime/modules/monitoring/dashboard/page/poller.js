// @ts-check

/**
 * @typedef {object} PollerOptions
 * @property {(signal: AbortSignal) => Promise<void>} work reads and shows
 * @property {() => number} everyMs
 * @property {() => void} onDone
 * @property {(error: unknown, nextMs: number) => void} onFailed
 */

const longestPauseMs = 60_000;

/** Polls while the tab is visible, one read at a time, with growing pauses while reads fail. */
export class Poller {
  /** @type {PollerOptions} */
  #options;
  #failures = 0;
  #dueAt = 0;
  #timer = 0;
  #reading = new AbortController();
  #isPaused = false;
  #end = new AbortController();

  /** @param {PollerOptions} options */
  constructor(options) {
    this.#options = options;
    document.addEventListener("visibilitychange", () => this.#onVisibility(), { signal: this.#end.signal });
  }

  /** Reads now, and aborts the current read. */
  async refresh() {
    const { work, everyMs, onDone, onFailed } = this.#options;
    clearTimeout(this.#timer);
    this.#reading.abort();
    const reading = new AbortController();
    this.#reading = reading;
    try {
      await work(reading.signal);
      if (reading.signal.aborted) return;
      this.#failures = 0;
      onDone();
      this.#schedule(everyMs());
    } catch (error) {
      if (reading.signal.aborted) return;
      const nextMs = Math.min(longestPauseMs, everyMs() * 2 ** this.#failures++);
      onFailed(error, nextMs);
      this.#schedule(nextMs);
    } finally {
      // One failed request aborts the others of the same read.
      reading.abort();
    }
  }

  /** A pause lets the current reading end; the end of a pause reads at once. @param {boolean} isPaused */
  setPaused(isPaused) {
    this.#isPaused = isPaused;
    if (isPaused) clearTimeout(this.#timer);
    else void this.refresh();
  }

  stop() {
    this.#isPaused = true;
    clearTimeout(this.#timer);
    this.#reading.abort();
    this.#end.abort();
  }

  /** @param {number} delayMs */
  #schedule(delayMs) {
    this.#dueAt = Date.now() + delayMs;
    if (this.#isPaused || document.hidden) return;
    this.#timer = setTimeout(() => void this.refresh(), delayMs);
  }

  #onVisibility() {
    clearTimeout(this.#timer);
    if (!document.hidden) this.#schedule(Math.max(0, this.#dueAt - Date.now()));
  }
}
