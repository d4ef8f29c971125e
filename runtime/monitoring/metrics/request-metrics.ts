import type { RequestObserver } from "../recording/finished-requests.ts";
import { latencyEdgesMs } from "../records/latency-edges.ts";
import type { RequestRecord } from "../records/monitoring-records.ts";

type CountedRequest = Pick<RequestRecord, "method" | "route" | "status" | "durationMs">;

/** What was counted of one method and route, from the start of the process. */
export interface RequestSeries {
  readonly method: string;
  readonly route: string;
  /** How many, by status. */
  readonly statuses: Map<number, number>;
  /** How many, by the first edge that their duration does not exceed; the last has those beyond all edges. */
  readonly buckets: number[];
  /** Of all together, in milliseconds. */
  durationMs: number;
}

/**
 * Counts requests for the scrape. One that is over costs two look-ups and three additions: labels are put together, and
 * prom-client is met, where somebody scrapes.
 */
export class RequestMetrics implements RequestObserver {
  /** How many have arrived and are not over. */
  inFlight = 0;
  readonly #routes = new Map<string, Map<string, RequestSeries>>();

  arrived(): void {
    this.inFlight++;
  }

  /** Methods and routes are few: of a record the one is known and the other a pattern, whatever the caller sent. */
  done(record: CountedRequest | null): void {
    this.inFlight--;
    if (record === null) return;
    const { method, route, status, durationMs } = record;
    const series = this.#routes.get(route)?.get(method) ?? this.#begin(method, route);
    series.statuses.set(status, (series.statuses.get(status) ?? 0) + 1);
    series.durationMs += durationMs;
    let bucket = 0;
    for (const edge of latencyEdgesMs) {
      if (durationMs <= edge) break;
      bucket++;
    }
    series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1;
  }

  *series(): Iterable<RequestSeries> {
    for (const ofRoute of this.#routes.values()) yield* ofRoute.values();
  }

  #begin(method: string, route: string): RequestSeries {
    const ofRoute = this.#routes.get(route) ?? new Map<string, RequestSeries>();
    this.#routes.set(route, ofRoute);
    const buckets = Array.from({ length: latencyEdgesMs.length + 1 }, () => 0);
    const series = { method, route, statuses: new Map<number, number>(), buckets, durationMs: 0 };
    ofRoute.set(method, series);
    return series;
  }
}
