import { describe, expect, test } from "vitest";
import type { RequestRecord } from "#runtime/monitoring/records/monitoring-records";
import type { AlertCheck } from "#runtime/monitoring/records/reads";
import { bucketBegins } from "../../../support/bucket-begins.ts";
import { openStore } from "../../../support/monitoring-file.ts";
import { requestRecord, storePath } from "../../../support/monitoring-store.ts";
import { seeded } from "../../../support/seeded.ts";

const minute = 60_000;
const now = Date.UTC(2026, 10, 20, 12, 34, 56, 789);

const series = [
  { method: "GET", route: "/books/fetch", model: "books", operation: "fetch" },
  { method: "POST", route: "/books/create", model: "books", operation: "create" },
  { method: "GET", route: "/tags/fetch", model: "tags", operation: "fetch" },
  { method: "POST", route: "/graphql", model: null, operation: null },
  { method: "GET", route: "unmatched", model: null, operation: null },
];
const statuses = [200, 200, 200, 201, 304, 404, 422, 499, 500, 503];

/** Requests over some minutes, as somebody at random sends them: bursts, pauses, same moments, the moment the window ends. */
function someRequests(count: number, spanMs: number, random: () => number): RequestRecord[] {
  const pick = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)] as T;
  return Array.from({ length: count }, (_, index) =>
    requestRecord({
      ...pick(series),
      requestId: `r-${index}`,
      at: now - Math.floor(random() ** 2 * spanMs),
      status: pick(statuses),
      durationMs: Math.floor(Math.exp(random() * 16)) / 1000,
      bytes: index,
    }),
  );
}

/** Numbers as far as sums of fractions can be told apart. */
function rounded(value: unknown): unknown {
  if (typeof value === "number") return Number(value.toPrecision(11));
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, rounded(one)]));
}

const within = (all: readonly RequestRecord[], end: number, seconds: number) =>
  all.filter(({ at }) => at > end - seconds * 1000 && at <= end);
/** Of whole microseconds, whose sum is exact. */
const average = (all: readonly number[]) =>
  all.reduce((sum, one) => sum + Math.round(one * 1000), 0) / all.length / 1000;
const classOf = (all: readonly RequestRecord[], digit: number) =>
  all.filter(({ status }) => Math.floor(status / 100) === digit).length;
const durations = (all: readonly RequestRecord[]) => all.map((one) => one.durationMs).sort((a, b) => a - b);
const nearestRank = (sorted: readonly number[], share: number) =>
  sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? null;

function figures(all: readonly RequestRecord[], seconds: number) {
  const sorted = durations(all);
  const [fours, fives] = [classOf(all, 4), classOf(all, 5)];
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

function summaryOf(all: readonly RequestRecord[], end: number, seconds: number) {
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

function routesOf(all: readonly RequestRecord[]) {
  return series
    .map(({ method, route, model, operation }) => ({ method, route, model, operation }))
    .map((names) => ({
      names,
      ours: all.filter((one) => one.route === names.route && one.method === names.method),
    }))
    .filter(({ ours }) => ours.length > 0)
    .map(({ names, ours }) => ({
      ...names,
      requests: ours.length,
      errors_4xx: classOf(ours, 4),
      errors_5xx: classOf(ours, 5),
      avg_ms: average(durations(ours)),
      p50_ms: nearestRank(durations(ours), 0.5),
      p95_ms: nearestRank(durations(ours), 0.95),
      p99_ms: nearestRank(durations(ours), 0.99),
      max_ms: Math.max(...durations(ours)),
      last_at: new Date(Math.max(...ours.map(({ at }) => at))).toISOString(),
    }))
    .sort((a, b) => b.requests - a.requests || (a.route < b.route ? -1 : 1));
}

function seriesOverTime(all: readonly RequestRecord[], end: number, seconds: number, bucketSeconds: number) {
  return bucketBegins(end, seconds, bucketSeconds).map((from) => {
    const ours = all.filter(({ at }) => at >= from && at < from + bucketSeconds * 1000 && at <= end);
    return {
      at: new Date(from).toISOString(),
      requests: ours.length,
      errors_4xx: classOf(ours, 4),
      errors_5xx: classOf(ours, 5),
      avg_ms: ours.length === 0 ? null : average(durations(ours)),
      p95_ms: nearestRank(durations(ours), 0.95),
    };
  });
}

const edges = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000];

function histogramOf(all: readonly RequestRecord[]) {
  const below = edges.map((edge) => all.filter(({ durationMs }) => durationMs <= edge).length);
  const counts = below.map((count, index) => count - (below[index - 1] ?? 0));
  return { edges_ms: edges, counts: [...counts, all.length - (below.at(-1) ?? 0)], total: all.length };
}

/** Windows of all lengths, from one second to days, that end within and after what there is. */
function someWindows(random: () => number): { end: number; seconds: number }[] {
  const ends = [now, now + 5_000, now - 61_234, Math.floor(now / minute) * minute, now - 20 * minute];
  const lengths = [1, 7, 59, 60, 61, 119, 120, 121, 600, 3_600, 86_400, 2_592_000];
  const fixed = ends.flatMap((end) => lengths.map((seconds) => ({ end, seconds })));
  const any = Array.from({ length: 40 }, () => ({
    end: now - Math.floor(random() * 30 * minute),
    seconds: 1 + Math.floor(random() * 3_000),
  }));
  return [...fixed, ...any];
}

describe("figures equal what is computed from the requests themselves", () => {
  const random = seeded(19);
  const all = someRequests(3_000, 30 * minute, random);
  const { file, read } = openStore(storePath(), { retentionDays: 10_000 });
  for (let index = 0; index < all.length; index += 170) {
    file.write({ records: all.slice(index, index + 170), logs: [] });
  }
  const windows = someWindows(random);

  test("summary, with the window before", () => {
    for (const { end, seconds } of windows) {
      const answer = read("summary", { now: end, windowSeconds: seconds });
      expect(rounded(answer)).toEqual(rounded(summaryOf(all, end, seconds)));
    }
  });

  test("routes", () => {
    for (const { end, seconds } of windows) {
      const { routes } = read("routes", { now: end, windowSeconds: seconds });
      expect(rounded(routes)).toEqual(rounded(routesOf(within(all, end, seconds))));
    }
  });

  test("timeseries", () => {
    for (const { end, seconds } of windows) {
      for (const bucketSeconds of [1, 7, 60, 3_600, 86_400].filter((one) => seconds / one <= 1_500)) {
        const answer = read("timeseries", { now: end, windowSeconds: seconds, bucketSeconds });
        const buckets = seriesOverTime(all, end, seconds, bucketSeconds);
        expect(rounded(answer)).toEqual(rounded({ bucket_seconds: bucketSeconds, buckets }));
      }
    }
  });

  test("latency histogram", () => {
    for (const { end, seconds } of windows) {
      const answer = read("histogram", { now: end, windowSeconds: seconds });
      expect(answer).toEqual(histogramOf(within(all, end, seconds)));
    }
  });

  test("alerts", () => {
    // biome-ignore format: many on a line
    const metrics = [
      "5xx_rate", "4xx_rate", "5xx_count", "request_rate", "p95_latency", "p99_latency",
    ] as const;
    const routesAsked = [null, ["books"], ["/books/create", "tags"], ["/graphql"], ["unused"]];
    for (const { end, seconds } of windows.filter((_, index) => index % 4 === 0)) {
      const checks = metrics.flatMap((metric) =>
        routesAsked.flatMap((routes) =>
          (["gt", "lt"] as const).map((op): AlertCheck => {
            const value = metric.endsWith("latency") ? 30 : 0.2;
            return { id: `${metric} ${op}`, metric, op, value, windowSeconds: seconds, routes };
          }),
        ),
      );
      const { results } = read("alerts", { now: end, checks });
      expect(rounded(results)).toEqual(rounded(checks.map((check) => alertOf(all, end, check))));
    }
  });
});

function alertOf(all: readonly RequestRecord[], end: number, check: AlertCheck) {
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

test("of more than 100,000 requests percentiles are at most 2 % off, and all else is exact", () => {
  const all = someRequests(105_000, 40 * minute, seeded(7));
  const { file, read } = openStore(storePath(), { retentionDays: 10_000 });
  for (let index = 0; index < all.length; index += 5_000) {
    file.write({ records: all.slice(index, index + 5_000), logs: [] });
  }
  for (const seconds of [41 * 60, 2 * 3_600, 86_400]) {
    const answer = read("summary", { now, windowSeconds: seconds });
    const expected = summaryOf(all, now, seconds);
    expect(answer.requests).toBe(105_000);
    for (const name of ["p50", "p95", "p99"] as const) {
      const exact = expected.duration_ms[name] ?? 0;
      expect(Math.abs((answer.duration_ms[name] ?? 0) - exact)).toBeLessThanOrEqual(exact * 0.02);
    }
    const exactly = ({ duration_ms: { avg, max }, delta: _, ...rest }: typeof answer | typeof expected) =>
      rounded({ ...rest, avg, max });
    expect(exactly(answer)).toEqual(exactly(expected));
  }
  const counted = within(all, now - 10_000, 3_600);
  expect(read("histogram", { now: now - 10_000, windowSeconds: 3_600 })).toEqual(histogramOf(counted));
  file.close();
});
