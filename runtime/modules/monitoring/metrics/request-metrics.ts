import { setImmediate as nextTurn } from "node:timers/promises";
import type { RequestObserver } from "../recording/finished-requests.ts";
import { latencyEdgesMs, type RequestRecord } from "../records/monitoring-records.ts";

type CountedRequest = Pick<RequestRecord, "method" | "route" | "status" | "durationMs">;

/** Counters of one method and route since the start of the process. */
interface RequestSeries {
  readonly method: string;
  readonly route: string;
  /** Count by status. */
  readonly statuses: Map<number, number>;
  /** Count by bucket; the last one is +Inf. */
  readonly buckets: number[];
  /** Sum in milliseconds. */
  durationMs: number;
}

/** Counts requests with minimal work per request; labels are rendered on scrape. */
export class RequestMetrics implements RequestObserver {
  /** Requests that have not finished. */
  inFlight = 0;
  readonly #routes = new Map<string, Map<string, RequestSeries>>();

  arrived(): void {
    this.inFlight++;
  }

  /** Few label values: records have known methods and route patterns, never raw paths. */
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

const total = "kirak_http_requests";
const duration = "kirak_http_request_duration_seconds";
const heads = {
  total: `# HELP ${total} Requests, by method, route pattern and status.\n# TYPE ${total} counter\n`,
  duration: `# HELP ${duration} How long requests took, by method and route pattern.\n# TYPE ${duration} histogram\n`,
};
const edges = [...latencyEdgesMs.map((edge) => floatText(edge / 1_000)), "+Inf"];
/** Longest time per event loop turn. */
const longestTurnMs = 2;

/** OpenMetrics lines of all requests, in several turns: prom-client would block the event loop. */
export async function requestsText(requests: RequestMetrics): Promise<string> {
  const series = [...requests.series()].map((one) => ({ one, labels: labelsOf(one) }));
  const totals = await renderInTurns(series, ({ one, labels }) => totalLines(one, labels));
  const durations = await renderInTurns(series, ({ one, labels }) => durationLines(one, labels));
  return heads.total + totals + heads.duration + durations;
}

async function renderInTurns<Item>(
  items: readonly Item[],
  linesOf: (item: Item) => string[],
): Promise<string> {
  const texts: string[] = [];
  let begun = performance.now();
  for (const item of items) {
    // Join now: string concatenation is lazy and would flatten all at once.
    texts.push(linesOf(item).join(""));
    if (performance.now() - begun < longestTurnMs) continue;
    await nextTurn();
    begun = performance.now();
  }
  return texts.join("");
}

function totalLines({ statuses }: RequestSeries, labels: string): string[] {
  return [...statuses].map(([status, count]) => `${total}_total{${labels},status="${status}"} ${count}\n`);
}

function durationLines({ buckets, durationMs }: RequestSeries, labels: string): string[] {
  let count = 0;
  const lines = edges.map((edge, index) => {
    count += buckets[index] ?? 0;
    return `${duration}_bucket{${labels},le="${edge}"} ${count}\n`;
  });
  return [
    ...lines,
    `${duration}_sum{${labels}} ${durationMs / 1_000}\n`,
    `${duration}_count{${labels}} ${count}\n`,
  ];
}

function labelsOf({ method, route }: RequestSeries): string {
  return `method="${escaped(method)}",route="${escaped(route)}"`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}

/** Strict parsers need float bucket edges. */
function floatText(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value);
}
