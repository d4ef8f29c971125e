import { Sketch } from "./sketch.ts";

/** Percentiles of up to so many are exact (decisions, part 11). */
export const mostExact = 100_000;

/** A set of durations in microseconds, which takes no more room however many there are. */
export class Durations {
  #exact: number[] = [];
  #sorted: Float64Array | null = null;
  /** Of sets that are too large. */
  #sketch: Sketch | null = null;

  add(us: number): void {
    if (this.#sketch !== null) {
      this.#sketch.add(us);
      return;
    }
    this.#exact.push(us);
    this.#sorted = null;
    if (this.#exact.length > mostExact) this.#sketch = this.#takeSketch();
  }

  /** Nearest-rank, in milliseconds: exact or, of more than 100,000, at most 1 % off. 0 of nothing. */
  percentileMs(share: number): number {
    if (this.#sketch !== null) return this.#sketch.percentile(share) / 1000;
    this.#sorted ??= Float64Array.from(this.#exact).sort();
    return nearestRank(this.#sorted, share) / 1000;
  }

  #takeSketch(): Sketch {
    const sketch = new Sketch();
    for (const us of this.#exact) sketch.add(us);
    this.#exact = [];
    return sketch;
  }
}

function nearestRank(sorted: Float64Array, share: number): number {
  return sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? 0;
}
