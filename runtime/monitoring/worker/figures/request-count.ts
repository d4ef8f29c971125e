import { Durations } from "./durations.ts";

/** Requests that have something in common, counted one by one. */
export class RequestCount {
  requests = 0;
  errors4xx = 0;
  errors5xx = 0;
  maxUs = 0;
  readonly durations = new Durations();
  #sumUs = 0;

  add(statusClass: number, us: number): void {
    this.requests++;
    if (statusClass === 4) this.errors4xx++;
    if (statusClass >= 5) this.errors5xx++;
    this.#sumUs += us;
    if (us > this.maxUs) this.maxUs = us;
    this.durations.add(us);
  }

  /** In milliseconds; of nothing it is no number. */
  get avgMs(): number {
    return this.#sumUs / this.requests / 1000;
  }

  /** In milliseconds. What stands for many durations may be beyond the longest of them. */
  percentileMs(share: number): number {
    return Math.min(this.maxUs / 1000, this.durations.percentileMs(share));
  }
}
