import { beforeAll, describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { bucketBegins } from "../../support/bucket-begins.ts";
import { testClock } from "../../support/clock.ts";
import { monitoredService } from "../../support/monitoring.ts";
import { expectEnvelope } from "../../support/scenarios.ts";
import { seeded } from "../../support/seeded.ts";
import type { Caller } from "../../support/service-token.ts";

const clock = testClock();
const service = await monitoredService({}, { production: false }, { now: clock.now });

/** One of the requests of the mix, and what is recorded of it. */
interface Kind {
  readonly send: string;
  readonly as?: Caller;
  readonly body?: Json;
  readonly route: string;
  readonly model?: string;
  readonly operation?: string;
  readonly status: number;
  readonly error?: string;
  /** Nobody asked who sends it. */
  readonly unasked?: boolean;
}

const user = { role: "user", sub: "7" };
const tasks = { model: "tasks", route: "/tasks/fetch", operation: "fetch" };
// biome-ignore format: one case a line
const kinds: readonly Kind[] = [
  { ...tasks, send: "GET /tasks/fetch?limit=5", as: user, status: 200 },
  { ...tasks, send: "HEAD /tasks/fetch", as: "admin", status: 200 },
  { ...tasks, send: "GET /tasks/fetch?limit=x", as: user, status: 400, error: "VALIDATION_ERROR" },
  { ...tasks, send: "POST /tasks/fetch", as: user, status: 405, error: "HTTP_ERROR", unasked: true },
  { ...tasks, send: "GET /tasks/fetch", status: 403, error: "PERMISSION_DENIED" },
  { send: "GET /tasks/count", as: "admin", route: "/tasks/count", model: "tasks", operation: "count", status: 200 },
  { send: "GET /tasks/nothing", as: user, route: "unmatched", status: 404, error: "NOT_FOUND" },
  { send: "GET /somewhere/else", route: "unmatched", status: 404, error: "NOT_FOUND" },
  { send: "POST /graphql", as: user, body: { query: "{ tasks { id } }" }, route: "/graphql", status: 200 },
  { send: "GET /auth/me", as: "admin", route: "/auth/me", status: 404, error: "NOT_FOUND" },
  { send: "POST /auth/login", body: { email: "a@b.example", password: "x" }, route: "/auth/login", status: 401, error: "INVALID_CREDENTIALS" },
  { send: "GET /admin/rate-limits/login", as: "admin", route: "/admin/rate-limits/{key}", status: 404, error: "NOT_FOUND" },
];

/** A request of the mix with the id that it was sent with, when it was over, and what the store says of its duration. */
interface Done extends Kind {
  readonly id: string;
  readonly at: number;
  readonly ms: number;
}

const windowSeconds = 1_200;
const bucketSeconds = 90;
const random = seeded(6);
let done: readonly Done[] = [];

beforeAll(async () => {
  await service.store({ tasks: [{ id: 1, title: "a", user: 7, status: "open" }] });
  const sent: Omit<Done, "ms">[] = [];
  // The store has the moments of arrival, a little earlier: none of them may be in another bucket.
  clock.pass(1.5 - (clock.now() % 1000) / 1000);
  // Over two windows and a little more.
  for (let index = 0; index < 180; index++) {
    clock.pass(1 + Math.floor(random() * 29));
    const kind = kinds[Math.floor(random() ** 2 * kinds.length)] ?? tasks0;
    const id = index % 3 === 0 ? `${1000 + index}` : `mix:${index}`;
    const [method = "", path = ""] = kind.send.split(" ");
    const headers = { "x-request-id": id };
    const reply = await service.send(
      { method, path, headers, ...(kind.body !== undefined && { body: kind.body }) },
      kind.as,
    );
    expect([kind.send, reply.status]).toEqual([kind.send, kind.status]);
    sent.push({ ...kind, id, at: clock.now() });
    await service.written(index + 1);
  }
  // Requests are kept with the moment of their arrival: windows begin well before that of any of them, or just after its end.
  clock.pass(3.001);
  const { envelope } = await service.ask("GET /requests/recent?limit=200");
  const recorded = new Map(
    listIn(envelope.data, "requests").map((one) => [one["request_id"], one["duration_ms"]]),
  );
  done = sent.map((one) => ({ ...one, ms: Number(recorded.get(one.id)) }));
}, 60_000);

const [tasks0 = { ...tasks, send: "GET /tasks/fetch", status: 200 }] = kinds;

type Row = Readonly<Record<string, Json>>;

function isRow(value: Json | undefined): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listIn(data: Json, key: string): readonly Row[] {
  const list = isRow(data) ? data[key] : undefined;
  return Array.isArray(list) ? list.filter(isRow) : [];
}

const about = (value: number) => expect.closeTo(value, 3);

/** Nearest rank. */
function percentile(list: readonly Done[], share: number): number | null {
  const sorted = list.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? null;
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const average = (list: readonly Done[]) =>
  list.length === 0 ? null : sum(list.map(({ ms }) => ms)) / list.length;
const inClass = (list: readonly Done[], first: number) =>
  list.filter(({ status }) => Math.floor(status / 100) === first).length;
/** Those that were over in the last seconds before a moment. */
const within = (seconds: number, until = clock.now()) =>
  done.filter(({ at }) => at > until - seconds * 1000 && at <= until);
const nullOr = (value: number | null) => (value === null ? null : about(value));

function figures(list: readonly Done[], seconds: number) {
  const [errors4xx, errors5xx] = [inClass(list, 4), inClass(list, 5)];
  return {
    requests: list.length,
    request_rate: about(list.length / seconds),
    errors_4xx: errors4xx,
    errors_5xx: errors5xx,
    error_rate_4xx: about(list.length === 0 ? 0 : errors4xx / list.length),
    error_rate_5xx: about(list.length === 0 ? 0 : errors5xx / list.length),
    duration_ms: {
      avg: nullOr(average(list)),
      p50: nullOr(percentile(list, 0.5)),
      p95: nullOr(percentile(list, 0.95)),
      p99: nullOr(percentile(list, 0.99)),
      max: nullOr(percentile(list, 1)),
    },
  };
}

async function dataOf(path: string): Promise<Json> {
  const reply = await service.ask(`GET ${path}`);
  expectEnvelope(reply);
  expect(reply.status, reply.text).toBe(200);
  return reply.envelope.data;
}

test("the mix lasts longer than two windows", () => {
  expect(within(windowSeconds).length).toBeGreaterThan(50);
  expect(within(windowSeconds, clock.now() - windowSeconds * 1000).length).toBeGreaterThan(50);
  expect(done.map(({ ms }) => ms > 0).includes(false)).toBe(false);
});

describe("summary", () => {
  test.each([60, windowSeconds, 3_600, 2_592_000])("of %i s", async (seconds) => {
    const [now, before] = [within(seconds), within(seconds, clock.now() - seconds * 1000)];
    const change = (of: (list: readonly Done[]) => number | null) => {
      const [current, previous] = [of(now), of(before)];
      return current === null || previous === null ? null : about(current - previous);
    };
    const share = (first: number) => (list: readonly Done[]) =>
      list.length === 0 ? 0 : inClass(list, first) / list.length;
    expect(await dataOf(`/summary?window_seconds=${seconds}`)).toEqual({
      window_seconds: seconds,
      ...figures(now, seconds),
      previous: figures(before, seconds),
      delta: {
        requests: now.length - before.length,
        request_rate: change((list) => list.length / seconds),
        error_rate_4xx: change(share(4)),
        error_rate_5xx: change(share(5)),
        p95: change((list) => percentile(list, 0.95)),
      },
    });
  });
});

test("requests by route, most requested first", async () => {
  const groups = new Map<string, Done[]>();
  for (const one of within(windowSeconds)) {
    const key = `${one.send.split(" ")[0]} ${one.route}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const data = await dataOf(`/requests?window_seconds=${windowSeconds}`);
  const rows = listIn(data, "routes");
  expect(Object.keys(isRow(data) ? data : {})).toEqual(["routes"]);
  expect(new Set(rows)).toEqual(
    new Set(
      [...groups.values()].map((list) => {
        const [first = tasks0] = list;
        return {
          method: first.send.split(" ")[0],
          route: first.route,
          model: first.model ?? null,
          operation: first.operation ?? null,
          requests: list.length,
          errors_4xx: inClass(list, 4),
          errors_5xx: inClass(list, 5),
          avg_ms: nullOr(average(list)),
          p50_ms: nullOr(percentile(list, 0.5)),
          p95_ms: nullOr(percentile(list, 0.95)),
          p99_ms: nullOr(percentile(list, 0.99)),
          max_ms: nullOr(percentile(list, 1)),
          last_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
        };
      }),
    ),
  );
  const counts = rows.map(({ requests }) => Number(requests));
  expect(counts).toEqual([...counts].sort((a, b) => b - a));
});

test("the time series has each bucket of the window, at whole multiples of its length, the empty ones too", async () => {
  const data = await dataOf(
    `/requests/timeseries?window_seconds=${windowSeconds}&bucket_seconds=${bucketSeconds}`,
  );
  const begins = bucketBegins(clock.now(), windowSeconds, bucketSeconds);
  expect(data).toEqual({
    bucket_seconds: bucketSeconds,
    buckets: begins.map((begin) => {
      const list = done.filter(({ at }) => at >= begin && at < begin + bucketSeconds * 1000);
      return {
        at: new Date(begin).toISOString(),
        requests: list.length,
        errors_4xx: inClass(list, 4),
        errors_5xx: inClass(list, 5),
        avg_ms: nullOr(average(list)),
        p95_ms: nullOr(percentile(list, 0.95)),
      };
    }),
  });
});

test("the histogram counts each request once", async () => {
  const edges = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000];
  const list = within(windowSeconds);
  const counts = [...edges, Number.POSITIVE_INFINITY].map(
    (edge, index) => list.filter(({ ms }) => ms <= edge && ms > (edges[index - 1] ?? -1)).length,
  );
  expect(await dataOf(`/requests/latency-histogram?window_seconds=${windowSeconds}`)).toEqual({
    edges_ms: edges,
    counts,
    total: list.length,
  });
});

describe("recent requests, newest first", () => {
  const callerOf = ({ as = null, unasked = false, route }: Done) => {
    if (unasked || route === "unmatched") return { user_id: null, role: null };
    if (typeof as === "string") return { user_id: "1", role: as };
    // A login has no caller yet.
    if (as === null) return { user_id: null, role: route === "/auth/login" ? null : "guest" };
    return { user_id: "7", role: as.role };
  };
  const shown = (one: Done) => ({
    request_id: one.id,
    method: one.send.split(" ")[0],
    route: one.route,
    status: one.status,
    duration_ms: expect.any(Number),
    at: expect.stringMatching(/Z$/),
    ...callerOf(one),
    error: one.error ?? null,
  });
  test.each<[string, (one: Done) => boolean, number]>([
    ["", () => true, 50],
    ["?limit=200", () => true, 200],
    ["?limit=1000", () => true, 200],
    ["?limit=3", () => true, 3],
    ["?status=4xx&limit=7", ({ status }) => status >= 400, 7],
    ["?status=2xx", ({ status }) => status < 300, 50],
    ["?status=3xx", () => false, 50],
    ["?status=5xx", ({ status }) => status >= 500, 50],
  ])("recent%s", async (query, isAsked, limit) => {
    const expected = done.filter(isAsked).reverse().slice(0, limit);
    expect(await dataOf(`/requests/recent${query}`)).toEqual({ requests: expected.map(shown) });
  });

  test("each of them has its trace", async () => {
    for (const one of done.slice(-30)) {
      const data = await dataOf(`/trace/${encodeURIComponent(one.id)}`);
      const { model = null, operation = null } = one;
      expect(data).toMatchObject({
        request: { ...shown(one), model, operation, bytes: expect.any(Number) },
        errors: [],
        logs: [],
      });
    }
  });

  test("what was never there has none", async () => {
    for (const id of ["nobody", "1e3", "%00x".slice(3), "a".repeat(5000), "..%2F..", "1000.0"])
      expect((await service.ask(`GET /trace/${id}`)).status).toBe(404);
  });
});

describe("alerts are the same figures beside a threshold", () => {
  const routes = ["tasks", "/graphql", "/tasks/fetch"];
  const ofRoutes = (list: readonly Done[]) =>
    list.filter(({ model, route }) => model === "tasks" || route === "/graphql");
  const metrics: Readonly<Record<string, (list: readonly Done[], seconds: number) => number | null>> = {
    "5xx_rate": (list) => (list.length === 0 ? 0 : inClass(list, 5) / list.length),
    "4xx_rate": (list) => (list.length === 0 ? 0 : inClass(list, 4) / list.length),
    "5xx_count": (list) => inClass(list, 5),
    request_rate: (list, seconds) => list.length / seconds,
    p95_latency: (list) => percentile(list, 0.95),
    p99_latency: (list) => percentile(list, 0.99),
  };
  const cases = Object.entries(metrics).flatMap(([metric, of]) =>
    [60, windowSeconds].flatMap((seconds) => [
      { metric, of, seconds, named: null },
      { metric, of, seconds, named: routes },
      { metric, of, seconds, named: ["/auth/verify-email"] },
    ]),
  );

  test.each(cases)("$metric over $seconds s of $named", async ({ metric, of, seconds, named }) => {
    const all = within(seconds);
    const list = named === null ? all : named === routes ? ofRoutes(all) : [];
    const value = of(list, seconds);
    const thresholds = [(value ?? 0) - 0.0001, (value ?? 0) + 0.0001];
    const checks = ["gt", "lt"].flatMap((op) =>
      thresholds.map((threshold, index) => ({
        id: `${op}${index}`,
        metric,
        op,
        value: threshold,
        window_seconds: seconds,
        ...(named !== null && { routes: named }),
      })),
    );
    const { envelope } = await service.ask("POST /alerts/evaluate", { body: { checks } });
    const breaching = new Set(value === null ? [] : ["gt0", "lt1"]);
    expect(envelope.data).toEqual({
      results: checks.map(({ id }) => ({
        id,
        breaching: breaching.has(id),
        value: nullOr(value),
        sample_count: list.length,
      })),
    });
  });

  test("health, and a threshold that is met exactly does not breach", async () => {
    const check = { metric: "5xx_count", value: 0, window_seconds: windowSeconds };
    const checks = [
      { ...check, id: 1, op: "gt" },
      { ...check, id: 2, op: "lt" },
      { id: "h", metric: "health" },
    ];
    const { envelope } = await service.ask("POST /alerts/evaluate", { body: { checks } });
    const sample_count = within(windowSeconds).length;
    expect(envelope.data).toEqual({
      results: [
        { id: 1, breaching: false, value: 0, sample_count },
        { id: 2, breaching: false, value: 0, sample_count },
        { id: "h", breaching: false, value: 1, sample_count: 0 },
      ],
    });
  });
});

test("the same counts are scraped", async () => {
  const { text } = await service.ask("GET /metrics");
  const scraped = [
    ...text.matchAll(/^kirak_http_requests_total\{method="(.*?)",route="(.*?)",status="(\d+)"\} (\d+)$/gm),
  ];
  const counts = new Map<string, number>();
  for (const { send, route, status } of done) {
    const key = `${send.split(" ")[0]} ${route} ${status}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  expect(
    new Map(
      scraped.map(([, method, route, status, count]) => [`${method} ${route} ${status}`, Number(count)]),
    ),
  ).toEqual(counts);
});
