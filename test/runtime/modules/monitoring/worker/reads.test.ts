import { describe, expect, test } from "vitest";
import type { RequestRecord } from "#runtime/modules/monitoring/records/monitoring-records";
import type { AlertCheck } from "#runtime/modules/monitoring/records/reads";
import {
  alertOf,
  histogramOf,
  rounded,
  routesOf,
  summaryOf,
  timeseriesOf,
  within,
} from "../../../../support/expected-figures.ts";
import { openStore, requestRecord, storePath } from "../../../../support/monitoring-store.ts";
import { seeded } from "../../../../support/seeded.ts";

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

/** Random requests over some minutes: bursts, pauses, equal timestamps, the moment the window ends. */
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

/** Windows of all lengths, from one second to days, that end within and after the data. */
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

describe("figures equal those computed from the requests themselves", () => {
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
        expect(rounded(answer)).toEqual(rounded(timeseriesOf(all, end, seconds, bucketSeconds)));
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

const at = Date.UTC(2026, 10, 20, 12, 0);
const uuid = "0d9f1f3c-36a5-4c55-9b90-58a1ad7d1c11";
const open = () => openStore(storePath(), { retentionDays: 10_000 });

describe("recent requests", () => {
  test("newest first, at most so many, of one status class or of all", () => {
    const { file, read } = open();
    const statuses = [200, 404, 500, 301, 499, 599, 201];
    const records = statuses.map((status, index) =>
      requestRecord({ requestId: `r-${index}`, at: at + index, status }),
    );
    file.write({ records: records.slice(3), logs: [] });
    file.write({ records: records.slice(0, 3), logs: [] });
    const ids = (status: "2xx" | "3xx" | "4xx" | "5xx" | null, limit = 50) =>
      read("recent", { status, limit, now: at + 10 }).requests.map(({ request_id }) => request_id.slice(2));
    expect(ids(null)).toEqual(["6", "5", "4", "3", "2", "1", "0"]);
    expect(ids(null, 2)).toEqual(["6", "5"]);
    expect([ids("2xx"), ids("3xx"), ids("4xx"), ids("5xx")]).toEqual([
      ["6", "0"],
      ["3"],
      ["4", "1"],
      ["5", "2"],
    ]);
    expect(ids("5xx", 1)).toEqual(["5"]);
    file.close();
  });

  test("those that a clock has dated in the future wait until then, though their traces are there", () => {
    const { file, read } = open();
    const dated = (requestId: string, ms: number) => requestRecord({ requestId, at: at + ms });
    file.write({
      records: [dated("now", 0), dated("soon", 59_000), dated("tomorrow", 86_400_000)],
      logs: [],
    });
    const ids = (now: number) =>
      read("recent", { status: null, limit: 9, now }).requests.map(({ request_id }) => request_id);
    expect(ids(at)).toEqual(["soon", "now"]);
    expect(read("trace", { requestId: "tomorrow" })).not.toBeNull();
    expect(ids(at + 86_400_000)).toEqual(["tomorrow", "soon", "now"]);
    file.close();
  });

  test("ids that are UUIDs and ids that are not come back as they were", () => {
    const { file, read } = open();
    // biome-ignore format: one case a line
    const ids = [uuid, uuid.toUpperCase(), uuid.replaceAll("-", ""), `${uuid}0`, `${uuid.slice(0, -1)}g`, "-".repeat(36), "007", "a:b.c-d_e"];
    for (const id of ids) {
      file.write({ records: [requestRecord({ requestId: id, userId: id })], logs: [] });
      expect(read("trace", { requestId: id })?.request).toMatchObject({ request_id: id, user_id: id });
    }
    file.close();
  });
});

describe("the trace of a request", () => {
  test("of an id that was used again is the latest, whichever was written last", () => {
    const { file, read } = open();
    const log = { level: "warn", requestId: "again", fields: "{}" };
    const later = requestRecord({ requestId: "again", at: at + 10, bytes: 2 });
    const earlier = requestRecord({
      requestId: "again",
      at,
      bytes: 1,
      steps: { names: ["sql"], times: [1, 1] },
    });
    file.write({ records: [later], logs: [{ ...log, at: at + 11, message: "later" }] });
    file.write({ records: [earlier, earlier], logs: [{ ...log, at: at + 1, message: "earlier" }] });
    const trace = read("trace", { requestId: "again" });
    expect(trace?.request.bytes).toBe(2);
    expect(trace?.steps).toEqual([]);
    expect(trace?.logs.map(({ message }) => message)).toEqual(["later"]);
    file.close();
  });

  test("of a name that thousands of requests have is the latest, with a bounded number of lines", () => {
    const { file, read } = open();
    const log = { level: "warn", requestId: "same", fields: "{}", message: "m" };
    for (let batch = 0; batch < 5; batch++) {
      const records = Array.from({ length: 1_000 }, (_, index) =>
        requestRecord({ requestId: "same", at: at + batch * 1_000 + index, bytes: batch * 1_000 + index }),
      );
      file.write({ records, logs: records.map(() => ({ ...log, at: at + 10_000 })) });
    }
    const trace = read("trace", { requestId: "same" });
    expect(trace?.request.bytes).toBe(4_999);
    expect(trace?.logs).toHaveLength(1_000);
    file.close();
  });

  test("a token that a caller took for the id of a request is kept nowhere, and finds the request", () => {
    const { file, read } = open();
    const requestId = `kk_${"0af9".repeat(16)}`;
    const line = { at: at + 1, level: "warn", message: "slow", requestId: "[masked]", fields: "{}" };
    file.write({ records: [requestRecord({ requestId, at, userId: "ann@example.org" })], logs: [line] });
    const trace = read("trace", { requestId });
    expect(trace?.request).toMatchObject({ request_id: "[masked]", user_id: "[masked]" });
    expect(trace?.logs).toHaveLength(1);
    file.close();
  });

  test("a stack without an end is cut off, and a failure without a stack has none", () => {
    const { file, read } = open();
    const records = [
      requestRecord({ requestId: "long", failure: { message: "m".repeat(1e6), stack: "s".repeat(1e6) } }),
      requestRecord({ requestId: "none", failure: { message: "m", stack: null } }),
    ];
    file.write({ records, logs: [] });
    const [error] = read("trace", { requestId: "long" })?.errors ?? [];
    expect([error?.message.length, error?.stack?.length]).toEqual([4_000, 16_000]);
    expect(read("trace", { requestId: "none" })?.errors).toEqual([{ code: "INTERNAL_ERROR", message: "m" }]);
    file.close();
  });
});
