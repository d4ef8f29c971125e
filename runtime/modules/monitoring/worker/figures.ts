import { latencyEdgesMs } from "../records/monitoring-records.ts";

/** Figures of a group of requests. */
export class RequestStats {
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

  /** In milliseconds; NaN without values. */
  get avgMs(): number {
    return this.#sumUs / this.requests / 1000;
  }

  /** In milliseconds, at most the longest duration: the value of a bin can be larger. */
  percentileMs(share: number): number {
    return Math.min(this.maxUs / 1000, this.durations.percentileMs(share));
  }
}

/** Percentiles of up to this many durations are exact. */
export const maxExact = 100_000;

/** Durations in microseconds, in bounded memory. */
export class Durations {
  #exact: number[] = [];
  #sorted: Float64Array | null = null;
  /** Replaces the exact durations if there are more than `maxExact`. */
  #sketch: Sketch | null = null;

  add(us: number): void {
    if (this.#sketch !== null) {
      this.#sketch.add(us);
      return;
    }
    this.#exact.push(us);
    this.#sorted = null;
    if (this.#exact.length > maxExact) this.#sketch = this.#takeSketch();
  }

  /** Nearest-rank, in milliseconds; 0 without durations. Above `maxExact` durations, at most 1 % off. */
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

/** Largest difference between a duration and the value of its bin. */
const relativeError = 0.01;
const gamma = (1 + relativeError) / (1 - relativeError);
const binsPerLog = 1 / Math.log(gamma);
/** For all durations of more than two weeks. */
const lastBin = 1_400;

/** A DDSketch of durations in whole microseconds: counts by bins whose width grows with the duration. */
export class Sketch {
  readonly #counts = new Float64Array(lastBin + 1);
  count = 0;

  add(us: number): void {
    this.#addTo(binOf(us), 1);
  }

  /** Nearest-rank, at most 1 % off; 0 without durations. */
  percentile(share: number): number {
    const rank = Math.max(1, Math.ceil(share * this.count));
    let seen = 0;
    for (const [bin, count] of this.#counts.entries()) {
      seen += count;
      if (seen >= rank) return middleOf(bin);
    }
    return 0;
  }

  /** Pairs of skipped bins and count of the next bin, as varints. */
  encode(): Buffer {
    const bytes: number[] = [];
    let last = -1;
    for (let bin = 0; bin <= lastBin; bin++) {
      const count = this.#counts[bin] ?? 0;
      if (count === 0) continue;
      pushNumber(bytes, bin - last - 1);
      pushNumber(bytes, count);
      last = bin;
    }
    return Buffer.from(bytes);
  }

  /** Adds an encoded sketch. */
  addEncoded(bytes: Uint8Array): void {
    let bin = -1;
    let position = 0;
    const next = () => {
      let value = 0;
      for (let factor = 1; position < bytes.length; factor *= 128) {
        const byte = bytes[position++] ?? 0;
        value += (byte & 127) * factor;
        if (byte < 128) break;
      }
      return value;
    };
    while (position < bytes.length) {
      bin += next() + 1;
      const count = next();
      if (bin > lastBin) return;
      this.#addTo(bin, count);
    }
  }

  #addTo(bin: number, count: number): void {
    this.#counts[bin] = (this.#counts[bin] ?? 0) + count;
    this.count += count;
  }
}

function binOf(us: number): number {
  return us < 1 ? 0 : Math.min(lastBin, 1 + Math.ceil(Math.log(us) * binsPerLog));
}

function middleOf(bin: number): number {
  return bin === 0 ? 0 : (2 * gamma ** (bin - 1)) / (gamma + 1);
}

function pushNumber(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  bytes.push(rest);
}

/** A zero for each bucket; the last bucket is for durations above all edges. */
export function zeroCounts(): number[] {
  return Array.from({ length: latencyEdgesMs.length + 1 }, () => 0);
}

/** Index of a duration's bucket. */
export function bucketIndexOf(us: number): number {
  const index = latencyEdgesMs.findIndex((edge) => us <= edge * 1000);
  return index === -1 ? latencyEdgesMs.length : index;
}
