import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { metricsText } from "#runtime/modules/monitoring/metrics/metrics-text";
import { RequestMetrics } from "#runtime/modules/monitoring/metrics/request-metrics";
import { readOpenMetrics, sampleValue } from "../../../../support/open-metrics.ts";

const edges = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const le = (edge: number) => (Number.isInteger(edge) ? `${edge}.0` : String(edge));

function measured() {
  const requests = new RequestMetrics();
  const state = {
    requests,
    queues: {
      records: { depth: 3, dropped: 1 },
      logs: { depth: 0, dropped: 0 },
      shipping: { depth: 7, dropped: 20 },
    },
    connections: () => ({ idle: 2, used: 1, waiting: 4 }),
    uncounted: () => 5,
    accountEvents: () => new Map([["session.ended", 6]]),
  };
  const text = metricsText(state);
  /** As a route does: the request that asks is under way itself. */
  const scrape = async () => {
    requests.arrived();
    const answer = await text();
    requests.done(null);
    return answer;
  };
  return { ...state, scrape };
}

function over(requests: RequestMetrics, method: string, route: string, status: number, durationMs: number) {
  requests.arrived();
  requests.done({ method, route, status, durationMs });
}

test("all names and labels are those that were decided, before the first request too", async () => {
  const { scrape, requests } = measured();
  const families = readOpenMetrics(await scrape());
  const own = families.filter(({ name }) => name.startsWith("kirak_"));
  // biome-ignore format: many a line
  expect(own.map(({ name, type }) => `${name} ${type}`)).toEqual([
    "kirak_http_requests counter", "kirak_http_request_duration_seconds histogram", "kirak_http_requests_in_flight gauge",
    "kirak_monitoring_queue_depth gauge", "kirak_database_connections gauge", "kirak_monitoring_dropped counter",
    "kirak_rate_limit_uncounted counter", "kirak_account_events counter",
  ]);
  for (const { help } of families) expect(help).toMatch(/\.$/);
  const value = (name: string, labels = {}) => sampleValue(families, name, labels);
  expect(value("kirak_http_requests_in_flight")).toBe(0);
  expect(value("kirak_monitoring_queue_depth", { queue: "records" })).toBe(3);
  expect(value("kirak_monitoring_queue_depth", { queue: "logs" })).toBe(0);
  expect(value("kirak_monitoring_queue_depth", { queue: "shipping" })).toBe(7);
  expect(value("kirak_monitoring_dropped_total", { queue: "records" })).toBe(1);
  expect(value("kirak_monitoring_dropped_total", { queue: "logs" })).toBe(0);
  expect(value("kirak_monitoring_dropped_total", { queue: "shipping" })).toBe(20);
  expect(value("kirak_database_connections", { state: "idle" })).toBe(2);
  expect(value("kirak_database_connections", { state: "used" })).toBe(1);
  expect(value("kirak_database_connections", { state: "waiting" })).toBe(4);
  expect(value("kirak_rate_limit_uncounted_total")).toBe(5);
  expect(value("kirak_account_events_total", { event: "session.ended" })).toBe(6);
  requests.arrived();
  expect(sampleValue(readOpenMetrics(await scrape()), "kirak_http_requests_in_flight")).toBe(1);
});

test("the process metrics of prom-client exist from the start of the process", async () => {
  const { scrape } = measured();
  const before = process.cpuUsage();
  const families = readOpenMetrics(await scrape());
  const cpu = sampleValue(families, "process_cpu_seconds_total") ?? 0;
  expect(cpu).toBeGreaterThanOrEqual((before.user + before.system) / 1e6 - 0.1);
  expect(cpu).toBeLessThan((before.user + before.system) / 1e6 + 60);
  expect(sampleValue(families, "process_resident_memory_bytes")).toBeGreaterThan(1e6);
  for (const name of ["nodejs_heap_size_used_bytes", "nodejs_eventloop_lag_p99_seconds"])
    expect(sampleValue(families, name)).toBeDefined();
  // Two services in one process, and one after the other.
  const [second, third] = [await measured().scrape(), await scrape()];
  const names = (text: string) => readOpenMetrics(text).map(({ name }) => name);
  expect(names(second)).toEqual(families.map(({ name }) => name));
  expect(names(third)).toEqual(names(second));
});

test("a scrape of many routes yields the event loop every two milliseconds", async () => {
  const { scrape, requests } = measured();
  for (let route = 0; route < 1_000; route++) over(requests, "GET", `/models/${route}`, 200, route);
  await scrape();
  let looks = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => looks++ / 10);
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const text = await scrape().finally(() => clock.mockRestore());
  isOver = true;
  expect(text.split("\n").length).toBeGreaterThan(17_000);
  // A line of each route is made twice, and each takes a tenth of a millisecond.
  expect(turns).toBeGreaterThan(90);
});

const request = fc.record({
  method: fc.constantFrom("GET", "POST", "OTHER"),
  route: fc.oneof(fc.constantFrom("/books/fetch", "unmatched"), fc.string({ unit: "binary" })),
  status: fc.integer({ min: 100, max: 599 }),
  durationMs: fc.oneof(
    fc.constantFrom(...edges.map((edge) => edge * 1_000)),
    fc.double({ min: 0, max: 1e6, noNaN: true }),
  ),
});

test("figures equal those of an independent count for all names", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 30 }), async (sent) => {
      const { scrape, requests } = measured();
      for (const { method, route, status, durationMs } of sent)
        over(requests, method, route, status, durationMs);
      const families = readOpenMetrics(await scrape());
      for (const { method, route, status } of sent) {
        const alike = sent.filter((other) => other.method === method && other.route === route);
        const labels = { method, route };
        const count = alike.filter((other) => other.status === status).length;
        const value = (name: string, more = {}) => sampleValue(families, name, { ...labels, ...more });
        expect(value("kirak_http_requests_total", { status: String(status) })).toBe(count);
        expect(value("kirak_http_request_duration_seconds_count")).toBe(alike.length);
        const seconds = alike.reduce((sum, { durationMs }) => sum + durationMs / 1_000, 0);
        expect(value("kirak_http_request_duration_seconds_sum")).toBeCloseTo(seconds);
        for (const edge of edges) {
          const within = alike.filter(({ durationMs }) => durationMs <= edge * 1_000).length;
          expect(value("kirak_http_request_duration_seconds_bucket", { le: le(edge) })).toBe(within);
        }
      }
    }),
    { numRuns: 50 },
  );
});

describe("the reader of these tests is strict", () => {
  const good = '# TYPE a counter\n# HELP a Some \\"thing\\".\na_total{b="c\\"\\\\\\n"} 1\n# EOF\n';

  test("what is well formed", () => {
    expect(readOpenMetrics(good)).toMatchObject([
      { name: "a", type: "counter", samples: [{ name: "a_total", labels: { b: 'c"\\\n' }, value: 1 }] },
    ]);
  });

  const histogram = (lines: string) => `# TYPE h histogram\n${lines}\n# EOF\n`;
  test.each([
    ["", "EOF"],
    ["# TYPE a gauge\na 1\n# EOF", "EOF"],
    [`${good}\n`, "EOF"],
    ["# TYPE a counter\na 1\n# EOF\n", "does not belong to its family"],
    ["# TYPE a gauge\na_total 1\n# EOF\n", "does not belong to its family"],
    ["# TYPE a gauge\n\na 1\n# EOF\n", "malformed"],
    ["# TYPE a gauge\na 1\n# HELP a late\n# EOF\n", "after samples"],
    ["# TYPE a gauge\na 1\n# TYPE b gauge\nb 1\n# TYPE a gauge\n# EOF\n", "twice"],
    ["# TYPE a gauge\na 1\na 1\n# EOF\n", "twice"],
    ["# TYPE a gauge\na one\n# EOF\n", "malformed"],
    ['# TYPE a gauge\na{b="1",} 1\n# EOF\n', "malformed labels"],
    ['# TYPE a gauge\na{b="1",b="2"} 1\n# EOF\n', "malformed labels"],
    ['# TYPE a gauge\na{b="\\x"} 1\n# EOF\n', "malformed labels"],
    ["# TYPE a counter\na_total -1\n# EOF\n", "negative"],
    ["# TYPE a untyped\na 1\n# EOF\n", "unknown type"],
    ["# TYPE a counter\n# TYPE a_total gauge\n# EOF\n", "clash"],
    [histogram('h_bucket{le="1"} 1\nh_bucket{le="+Inf"} 1\nh_count 1\nh_sum 1'), "canonical"],
    [histogram('h_bucket{le="1.0"} 2\nh_bucket{le="+Inf"} 1\nh_count 1\nh_sum 1'), "order"],
    [histogram('h_bucket{le="1.0"} 1\nh_count 1\nh_sum 1'), "bucket of all"],
    [histogram('h_bucket{le="+Inf"} 1\nh_count 1'), "no sum"],
  ])("%j is refused", (text, reason) => {
    expect(() => readOpenMetrics(text)).toThrow(reason);
  });
});
