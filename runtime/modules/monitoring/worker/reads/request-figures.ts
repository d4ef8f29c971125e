import { latencyEdgesMs } from "../../records/monitoring-records.ts";
import type { Buckets, Histogram, RouteFigures, Summary, Timeseries, Window } from "../../records/reads.ts";
import type { Database } from "../database/sqlite.ts";
import { bucketIndexOf, RequestStats, zeroCounts } from "../figures.ts";
import {
  figuresOf,
  iso,
  ms,
  previousSpan,
  type Span,
  spanOf,
  splitByMinutes,
  visitNumbers,
} from "./requests.ts";

/** Figures of a window, and their differences from the window before. */
export function summary(database: Database, asked: Window): Summary {
  const span = spanOf(asked);
  const now = figuresOf(database, { span, series: null });
  const previous = figuresOf(database, { span: previousSpan(span), series: null });
  const p95 = now.duration_ms.p95;
  const p95Before = previous.duration_ms.p95;
  return {
    window_seconds: asked.windowSeconds,
    ...now,
    previous,
    delta: {
      requests: now.requests - previous.requests,
      request_rate: now.request_rate - previous.request_rate,
      error_rate_4xx: now.error_rate_4xx - previous.error_rate_4xx,
      error_rate_5xx: now.error_rate_5xx - previous.error_rate_5xx,
      p95: p95 === null || p95Before === null ? null : p95 - p95Before,
    },
  };
}

/** A row of `request_series`: the names that its requests share. */
interface Series {
  readonly id: number;
  readonly method: string;
  readonly route: string;
  readonly model: string | null;
  readonly operation: string | null;
}

class SeriesStats extends RequestStats {
  lastAt = 0;
}

/** Figures of each route, most requested first. */
export function routes(database: Database, asked: Window): { routes: RouteFigures[] } {
  const counts = countsBySeries(database, spanOf(asked));
  const series = database
    .prepare<[], Series>("select id, method, route, model, operation from request_series")
    .all()
    .map(({ id, ...names }) => routeFigures(names, counts.get(id)))
    .filter((figures) => figures !== null);
  return { routes: series.sort((a, b) => b.requests - a.requests || (nameOf(a) < nameOf(b) ? -1 : 1)) };
}

function nameOf({ route, method, operation }: RouteFigures): string {
  return `${route} ${method} ${operation}`;
}

function routeFigures(names: Omit<Series, "id">, count: SeriesStats | undefined): RouteFigures | null {
  if (count === undefined) return null;
  return {
    ...names,
    requests: count.requests,
    errors_4xx: count.errors4xx,
    errors_5xx: count.errors5xx,
    avg_ms: count.avgMs,
    p50_ms: count.percentileMs(0.5),
    p95_ms: count.percentileMs(0.95),
    p99_ms: count.percentileMs(0.99),
    max_ms: ms(count.maxUs),
    last_at: iso(count.lastAt),
  };
}

/** Groups in one pass over the index: SQLite would sort all rows to group them. */
function countsBySeries(database: Database, span: Span): Map<number, SeriesStats> {
  const counts = new Map<number, SeriesStats>();
  const columns = `((at - ${span.from}) * 8 + status / 100) || ',' || series_id || ',' || duration_us`;
  visitNumbers(database, { span, series: null }, columns, (numbers) => {
    for (let index = 0; index < numbers.length; index += 3) {
      const [packed = 0, series = 0, us = 0] = [numbers[index], numbers[index + 1], numbers[index + 2]];
      let count = counts.get(series);
      if (count === undefined) {
        count = new SeriesStats();
        counts.set(series, count);
      }
      count.add(packed % 8, us);
      count.lastAt = Math.max(count.lastAt, span.from + Math.floor(packed / 8));
    }
  });
  return counts;
}

/** Requests of one bucket. */
class Bucket {
  #count: RequestStats | null = null;
  #figures: Omit<Timeseries["buckets"][number], "at"> = empty;

  add(statusClass: number, us: number): void {
    this.#count ??= new RequestStats();
    this.#count.add(statusClass, us);
  }

  /** Call this after the last value: it frees the durations. */
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

/** Requests by bucket, with empty buckets. */
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

/** Number of requests by duration. */
export function histogram(database: Database, asked: Window): Histogram {
  const counts = zeroCounts();
  const count = (edge: number, requests: number) => {
    counts[edge] = (counts[edge] ?? 0) + requests;
  };
  const { minutes, edges } = splitByMinutes(spanOf(asked));
  const ofMinutes = database
    .prepare<[Span], string>("select histogram from request_minutes where minute >= @from and minute < @to")
    .pluck();
  for (const text of ofMinutes.iterate(minutes)) {
    const numbers: number[] = JSON.parse(text);
    for (const [edge, requests] of numbers.entries()) count(edge, requests);
  }
  for (const span of edges) {
    visitNumbers(database, { span, series: null }, "duration_us", (numbers) => {
      for (const us of numbers) count(bucketIndexOf(us), 1);
    });
  }
  return { edges_ms: latencyEdgesMs, counts, total: counts.reduce((total, one) => total + one, 0) };
}

/** A window in buckets of equal length. The last bucket contains the window's end and is incomplete. */
interface BucketList<Bucket> {
  readonly span: Span;
  readonly all: readonly { readonly at: number; readonly bucket: Bucket }[];
  indexOf(at: number): number;
}

/**
 * The number of buckets is the window divided by their length, rounded up. Each begins at a multiple of its length
 * since 1970, so that a complete bucket is the same in each response (docs/monitoring.md#routes).
 */
export function bucketsOf<Bucket>(asked: Buckets, empty: () => Bucket): BucketList<Bucket> {
  const bucketMs = asked.bucketSeconds * 1000;
  const length = Math.ceil(asked.windowSeconds / asked.bucketSeconds);
  const from = (Math.floor(asked.now / bucketMs) - length + 1) * bucketMs;
  return {
    span: { from, to: Math.floor(asked.now) + 1 },
    all: Array.from({ length }, (_, index) => ({ at: from + index * bucketMs, bucket: empty() })),
    indexOf: (at) => Math.floor((at - from) / bucketMs),
  };
}
