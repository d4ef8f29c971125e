import { latencyEdgesMs } from "../records/monitoring-records.ts";

/** Requests that have something in common, counted one by one. */
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

  /** In milliseconds. What stands for many durations may be beyond the longest of them. */
  percentileMs(share: number): number {
    return Math.min(this.maxUs / 1000, this.durations.percentileMs(share));
  }
}

/** Percentiles of up to so many are exact. */
export const maxExact = 100_000;

/** A set of durations in microseconds. Its size does not grow with their number. */
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
    if (this.#exact.length > maxExact) this.#sketch = this.#takeSketch();
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

/** Values in one bin differ from what it stands for by 1 % at most. */
const relativeError = 0.01;
const gamma = (1 + relativeError) / (1 - relativeError);
const binsPerLog = 1 / Math.log(gamma);
/** Beyond ten days. */
const lastBin = 1_400;

/** How many durations, in whole microseconds, there are of about each length (as DDSketch counts). */
export class Sketch {
  readonly #counts = new Float64Array(lastBin + 1);
  count = 0;

  add(us: number): void {
    this.#addTo(binOf(us), 1);
  }

  /** Nearest-rank, at most 1 % off; 0 of nothing. */
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

  /** Adds what `encode` gave. */
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

/** One count more than there are edges. */
export function zeroCounts(): number[] {
  return Array.from({ length: latencyEdgesMs.length + 1 }, () => 0);
}

/** Which of the counts a duration belongs to. */
export function bucketIndexOf(us: number): number {
  const index = latencyEdgesMs.findIndex((edge) => us <= edge * 1000);
  return index === -1 ? latencyEdgesMs.length : index;
}
