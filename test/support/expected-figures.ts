import type { RequestRecord } from "#runtime/modules/monitoring/records/monitoring-records";
import type { AlertCheck } from "#runtime/modules/monitoring/records/reads";

/** What figures are made of. */
export type Counted = Pick<
  RequestRecord,
  "at" | "method" | "route" | "model" | "operation" | "status" | "durationMs"
>;

/** Numbers as far as sums of fractions can be told apart. */
export function rounded(value: unknown): unknown {
  if (typeof value === "number") return Number(value.toPrecision(11));
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, rounded(one)]));
}

export const within = <One extends Counted>(all: readonly One[], end: number, seconds: number) =>
  all.filter(({ at }) => at > end - seconds * 1000 && at <= end);
/** Of whole microseconds, whose sum is exact. */
const average = (all: readonly number[]) =>
  all.reduce((sum, one) => sum + Math.round(one * 1000), 0) / all.length / 1000;
export const inClass = (all: readonly Counted[], digit: number) =>
  all.filter(({ status }) => Math.floor(status / 100) === digit).length;
const durations = (all: readonly Counted[]) => all.map((one) => one.durationMs).sort((a, b) => a - b);
const nearestRank = (sorted: readonly number[], share: number) =>
  sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? null;

function figures(all: readonly Counted[], seconds: number) {
  const sorted = durations(all);
  const [fours, fives] = [inClass(all, 4), inClass(all, 5)];
  return {
    requests: all.length,
    request_rate: all.length / seconds,
    errors_4xx: fours,
    errors_5xx: fives,
    error_rate_4xx: all.length === 0 ? 0 : fours / all.length,
    error_rate_5xx: all.length === 0 ? 0 : fives / all.length,
    duration_ms: {
      avg: all.length === 0 ? null : average(sorted),
      p50: nearestRank(sorted, 0.5),
      p95: nearestRank(sorted, 0.95),
      p99: nearestRank(sorted, 0.99),
      max: sorted.at(-1) ?? null,
    },
  };
}

/** What `summary` answers. */
export function summaryOf(all: readonly Counted[], end: number, seconds: number) {
  const ours = figures(within(all, end, seconds), seconds);
  const previous = figures(within(all, end - seconds * 1000, seconds), seconds);
  const [p95, p95Before] = [ours.duration_ms.p95, previous.duration_ms.p95];
  return {
    window_seconds: seconds,
    ...ours,
    previous,
    delta: {
      requests: ours.requests - previous.requests,
      request_rate: ours.request_rate - previous.request_rate,
      error_rate_4xx: ours.error_rate_4xx - previous.error_rate_4xx,
      error_rate_5xx: ours.error_rate_5xx - previous.error_rate_5xx,
      p95: p95 === null || p95Before === null ? null : p95 - p95Before,
    },
  };
}

/** The rows of `requests`, most requested first. */
export function routesOf(all: readonly Counted[]) {
  const groups = new Map<string, Counted[]>();
  for (const one of all) {
    const name = `${one.route} ${one.method} ${one.operation}`;
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  return [...groups]
    .sort(([a, { length: one }], [b, { length: other }]) => other - one || (a < b ? -1 : 1))
    .map(([, ours]) => {
      const { method, route, model, operation } = ours[0] ?? {
        method: "",
        route: "",
        model: null,
        operation: null,
      };
      const sorted = durations(ours);
      return {
        ...{ method, route, model, operation },
        requests: ours.length,
        errors_4xx: inClass(ours, 4),
        errors_5xx: inClass(ours, 5),
        avg_ms: average(sorted),
        p50_ms: nearestRank(sorted, 0.5),
        p95_ms: nearestRank(sorted, 0.95),
        p99_ms: nearestRank(sorted, 0.99),
        max_ms: sorted.at(-1),
        last_at: new Date(Math.max(...ours.map(({ at }) => at))).toISOString(),
      };
    });
}

/** Where the buckets of a window begin, in milliseconds: at whole multiples of their length, the last one holds `now`. */
export function bucketBegins(now: number, windowSeconds: number, bucketSeconds: number): readonly number[] {
  const bucket = bucketSeconds * 1000;
  const begins: number[] = [];
  for (let begin = now - (now % bucket); begins.length * bucketSeconds < windowSeconds; begin -= bucket)
    begins.unshift(begin);
  return begins;
}

/** What `timeseries` answers. */
export function timeseriesOf(all: readonly Counted[], end: number, seconds: number, bucketSeconds: number) {
  const buckets = bucketBegins(end, seconds, bucketSeconds).map((from) => {
    const ours = all.filter(({ at }) => at >= from && at < from + bucketSeconds * 1000 && at <= end);
    return {
      at: new Date(from).toISOString(),
      requests: ours.length,
      errors_4xx: inClass(ours, 4),
      errors_5xx: inClass(ours, 5),
      avg_ms: ours.length === 0 ? null : average(durations(ours)),
      p95_ms: nearestRank(durations(ours), 0.95),
    };
  });
  return { bucket_seconds: bucketSeconds, buckets };
}

const edges = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000];

/** What `latency-histogram` answers. */
export function histogramOf(all: readonly Counted[]) {
  const below = edges.map((edge) => all.filter(({ durationMs }) => durationMs <= edge).length);
  const counts = below.map((count, index) => count - (below[index - 1] ?? 0));
  return { edges_ms: edges, counts: [...counts, all.length - (below.at(-1) ?? 0)], total: all.length };
}

/** The result of an alert check of requests. */
export function alertOf(all: readonly Counted[], end: number, check: AlertCheck) {
  if (check.metric === "health") throw new Error("not of requests");
  const { routes, windowSeconds } = check;
  const meant = within(all, end, windowSeconds).filter(
    ({ model, route }) => routes === null || routes.includes(model ?? "") || routes.includes(route),
  );
  const of = figures(meant, windowSeconds);
  const values: Record<string, number | null> = {
    "5xx_rate": of.error_rate_5xx,
    "4xx_rate": of.error_rate_4xx,
    "5xx_count": of.errors_5xx,
    request_rate: of.request_rate,
    p95_latency: of.duration_ms.p95,
    p99_latency: of.duration_ms.p99,
  };
  const value = values[check.metric] ?? null;
  const breaching = value !== null && (check.op === "gt" ? value > check.value : value < check.value);
  return { id: check.id, breaching, value, sample_count: meant.length };
}
