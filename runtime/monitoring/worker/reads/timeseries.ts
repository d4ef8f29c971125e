import type { Buckets, Timeseries } from "../../records/reads.ts";
import type { Database } from "../database/sqlite.ts";
import { RequestCount } from "../figures/request-count.ts";
import { bucketsOf } from "./buckets.ts";
import { visitNumbers } from "./requests-in.ts";
import { iso } from "./span.ts";

/** Requests of one bucket. */
class Bucket {
  #count: RequestCount | null = null;
  #figures: Omit<Timeseries["buckets"][number], "at"> = empty;

  add(statusClass: number, us: number): void {
    this.#count ??= new RequestCount();
    this.#count.add(statusClass, us);
  }

  /** Nothing more will be added: the durations are no more needed. */
  end(): void {
    const count = this.#count;
    if (count === null) return;
    this.#figures = {
      requests: count.requests,
      errors_4xx: count.errors4xx,
      errors_5xx: count.errors5xx,
      avg_ms: count.avgMs,
      p95_ms: count.percentileMs(0.95),
    };
    this.#count = null;
  }

  get figures() {
    return this.#figures;
  }
}

const empty = { requests: 0, errors_4xx: 0, errors_5xx: 0, avg_ms: null, p95_ms: null };

/** Requests bucket by bucket, the empty ones too. */
export function timeseries(database: Database, asked: Buckets): Timeseries {
  const buckets = bucketsOf(asked, () => new Bucket());
  const { span, all, indexOf } = buckets;
  let ended = 0;
  const endUntil = (to: number) => {
    for (const until = Math.min(all.length, indexOf(to)); ended < until; ended++) all[ended]?.bucket.end();
  };
  const columns = `((at - ${span.from}) * 8 + status / 100) || ',' || duration_us`;
  const add = (numbers: readonly number[]) => {
    for (let index = 0; index < numbers.length; index += 2) {
      const [packed = 0, us = 0] = [numbers[index], numbers[index + 1]];
      all[indexOf(span.from + Math.floor(packed / 8))]?.bucket.add(packed % 8, us);
    }
  };
  visitNumbers(database, { span, series: null }, columns, add, endUntil);
  for (const { bucket } of all) bucket.end();
  return {
    bucket_seconds: asked.bucketSeconds,
    buckets: all.map(({ at, bucket }) => ({ at: iso(at), ...bucket.figures })),
  };
}
