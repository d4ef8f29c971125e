import type { Database, Statement } from "../database/sqlite.ts";
import { bucketIndexOf, Sketch, zeroCounts } from "../figures.ts";

export const minuteMs = 60_000;

/** The counted values of a request. */
export interface CountedRequest {
  readonly at: number;
  readonly status: number;
  readonly duration_us: number;
}

/** One row of `request_minutes`. */
interface MinuteRow {
  requests: number;
  errors_4xx: number;
  errors_5xx: number;
  duration_us: number;
  max_us: number;
  histogram: string;
  sketch: Uint8Array;
}

/** Figures of all requests of one minute. */
class MinuteStats {
  readonly #row: Omit<MinuteRow, "histogram" | "sketch">;
  readonly #histogram: number[];
  readonly #sketch = new Sketch();

  constructor(before: MinuteRow | undefined) {
    const { histogram, sketch, ...row } = before ?? emptyRow();
    this.#row = row;
    this.#histogram = JSON.parse(histogram);
    this.#sketch.addEncoded(sketch);
  }

  add({ status, duration_us }: CountedRequest): void {
    const row = this.#row;
    row.requests++;
    if (status >= 400 && status < 500) row.errors_4xx++;
    if (status >= 500) row.errors_5xx++;
    row.duration_us += duration_us;
    row.max_us = Math.max(row.max_us, duration_us);
    const edge = bucketIndexOf(duration_us);
    this.#histogram[edge] = (this.#histogram[edge] ?? 0) + 1;
    this.#sketch.add(duration_us);
  }

  get row(): MinuteRow {
    return { ...this.#row, histogram: JSON.stringify(this.#histogram), sketch: this.#sketch.encode() };
  }
}

function emptyRow(): MinuteRow {
  const histogram = JSON.stringify(zeroCounts());
  return {
    requests: 0,
    errors_4xx: 0,
    errors_5xx: 0,
    duration_us: 0,
    max_us: 0,
    histogram,
    sketch: Buffer.of(),
  };
}

const select =
  "select requests, errors_4xx, errors_5xx, duration_us, max_us, histogram, sketch from request_minutes where minute = ?";
const replace = `insert or replace into request_minutes
  (minute, requests, errors_4xx, errors_5xx, duration_us, max_us, histogram, sketch)
  values (@minute, @requests, @errors_4xx, @errors_5xx, @duration_us, @max_us, @histogram, @sketch)`;

/** Adds requests to the rows of their minutes. */
export class MinuteRows {
  readonly #select: Statement<[number], MinuteRow>;
  readonly #replace: Statement<[MinuteRow & { minute: number }]>;

  constructor(database: Database) {
    this.#select = database.prepare(select);
    this.#replace = database.prepare(replace);
  }

  /** Call it in the transaction that writes the requests. */
  count(requests: readonly CountedRequest[]): void {
    const counts = new Map<number, MinuteStats>();
    for (const request of requests) {
      const minute = Math.floor(request.at / minuteMs);
      let count = counts.get(minute);
      if (count === undefined) {
        count = new MinuteStats(this.#select.get(minute));
        counts.set(minute, count);
      }
      count.add(request);
    }
    for (const [minute, count] of counts) this.#replace.run({ minute, ...count.row });
  }
}

/** Removes all minutes before a moment, and recounts the rest of its minute. */
export function recountMinutes(database: Database, from: number): void {
  const minute = Math.floor(from / minuteMs);
  const whole = from === minute * minuteMs;
  database.prepare<[number]>("delete from request_minutes where minute < ?").run(whole ? minute : minute + 1);
  if (whole) return;
  const left = database.prepare<[number, number], CountedRequest>(
    "select at, status, duration_us from http_requests where at >= ? and at < ?",
  );
  new MinuteRows(database).count(left.all(from, (minute + 1) * minuteMs));
}
