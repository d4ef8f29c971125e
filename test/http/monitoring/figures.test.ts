import { beforeAll, describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { testClock } from "../../support/clock.ts";
import {
  alertOf,
  type Counted,
  histogramOf,
  rounded,
  routesOf,
  summaryOf,
  timeseriesOf,
  within,
} from "../../support/expected-figures.ts";
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
  /** The request was refused before authentication. */
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
interface Done extends Counted, Pick<Kind, "as" | "unasked" | "error"> {
  readonly id: string;
}

const windowSeconds = 1_200;
const bucketSeconds = 90;
const random = seeded(6);
let done: readonly Done[] = [];

beforeAll(async () => {
  await service.store({ tasks: [{ id: 1, title: "a", user: 7, status: "open" }] });
  const sent: Omit<Done, "durationMs">[] = [];
  // The store has the moments of arrival, a little earlier: none of them may be in another bucket.
  clock.pass(1.5 - (clock.now() % 1000) / 1000);
  // Over two windows and a little more.
  for (let index = 0; index < 180; index++) {
    clock.pass(1 + Math.floor(random() * 29));
    const kind = kinds[Math.floor(random() ** 2 * kinds.length)];
    if (kind === undefined) throw new Error("there is a kind");
    const id = index % 3 === 0 ? `${1000 + index}` : `mix:${index}`;
    const [method = "", path = ""] = kind.send.split(" ");
    const headers = { "x-request-id": id };
    const reply = await service.send(
      { method, path, headers, ...(kind.body !== undefined && { body: kind.body }) },
      kind.as,
    );
    expect([kind.send, reply.status]).toEqual([kind.send, kind.status]);
    sent.push({ model: null, operation: null, ...kind, method, id, at: clock.now() });
    await service.written(index + 1);
  }
  // Requests are kept with the moment of their arrival: windows begin well before that of any of them, or just after its end.
  clock.pass(3.001);
  const { envelope } = await service.ask("GET /requests/recent?limit=200");
  const recorded = new Map(
    listIn(envelope.data, "requests").map((one) => [one["request_id"], one["duration_ms"]]),
  );
  done = sent.map((one) => ({ ...one, durationMs: Number(recorded.get(one.id)) }));
}, 60_000);

type Row = Readonly<Record<string, Json>>;

function isRow(value: Json | undefined): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listIn(data: Json, key: string): readonly Row[] {
  const list = isRow(data) ? data[key] : undefined;
  return Array.isArray(list) ? list.filter(isRow) : [];
}

async function dataOf(path: string): Promise<Json> {
  const reply = await service.ask(`GET ${path}`);
  expectEnvelope(reply);
  expect(reply.status, reply.text).toBe(200);
  return reply.envelope.data;
}

test("the mix lasts longer than two windows", () => {
  expect(within(done, clock.now(), windowSeconds).length).toBeGreaterThan(50);
  expect(within(done, clock.now() - windowSeconds * 1000, windowSeconds).length).toBeGreaterThan(50);
  expect(done.map(({ durationMs }) => durationMs > 0).includes(false)).toBe(false);
});

test.each([60, windowSeconds, 3_600, 2_592_000])("summary of %i s", async (seconds) => {
  const expected = summaryOf(done, clock.now(), seconds);
  expect(rounded(await dataOf(`/summary?window_seconds=${seconds}`))).toEqual(rounded(expected));
});

test("requests by route, most requested first", async () => {
  const data = await dataOf(`/requests?window_seconds=${windowSeconds}`);
  const last_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/);
  const expected = routesOf(within(done, clock.now(), windowSeconds)).map((row) => Object(rounded(row)));
  expect(rounded(data)).toEqual({ routes: expected.map((row) => ({ ...row, last_at })) });
});

test("the time series has each bucket of the window, at whole multiples of its length, the empty ones too", async () => {
  const query = `window_seconds=${windowSeconds}&bucket_seconds=${bucketSeconds}`;
  const expected = timeseriesOf(done, clock.now(), windowSeconds, bucketSeconds);
  expect(rounded(await dataOf(`/requests/timeseries?${query}`))).toEqual(rounded(expected));
});

test("the histogram counts each request once", async () => {
  const data = await dataOf(`/requests/latency-histogram?window_seconds=${windowSeconds}`);
  expect(data).toEqual(histogramOf(within(done, clock.now(), windowSeconds)));
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
    method: one.method,
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
      const { model, operation } = one;
      expect(data).toMatchObject({
        request: { ...shown(one), model, operation, bytes: expect.any(Number) },
        errors: [],
        logs: [],
      });
    }
  });

  test("what was never there has none", async () => {
    for (const id of ["unknown", "1e3", "%00x".slice(3), "a".repeat(5000), "..%2F..", "1000.0"])
      expect((await service.ask(`GET /trace/${id}`)).status).toBe(404);
  });
});

describe("alerts compare the same figures with a threshold", () => {
  // biome-ignore format: many a line
  const metrics = [
    "5xx_rate", "4xx_rate", "5xx_count", "request_rate", "p95_latency", "p99_latency",
  ] as const;
  const named = [null, ["tasks", "/graphql", "/tasks/fetch"], ["/auth/verify-email"]];

  test.each(metrics)("%s", async (metric) => {
    for (const windowSeconds of [60, 1_200])
      for (const routes of named) {
        const { value } = alertOf(done, clock.now(), {
          id: 0,
          metric,
          op: "gt",
          value: 0,
          windowSeconds,
          routes,
        });
        const checks = (["gt", "lt"] as const).flatMap((op) =>
          [-0.0001, 0.0001].map((more, id) => ({
            id: `${op}${id}`,
            metric,
            op,
            value: (value ?? 0) + more,
            windowSeconds,
            routes,
          })),
        );
        const sent = checks.map(({ windowSeconds: window_seconds, routes, ...check }) => ({
          ...check,
          window_seconds,
          ...(routes && { routes }),
        }));
        const { envelope } = await service.ask("POST /alerts/evaluate", { body: { checks: sent } });
        const results = checks.map((check) => alertOf(done, clock.now(), check));
        expect(rounded(envelope.data)).toEqual(rounded({ results }));
        expect(results.map(({ breaching }) => breaching)).toEqual(
          value === null ? [false, false, false, false] : [true, false, false, true],
        );
      }
  });

  test("health, and a threshold that is met exactly does not breach", async () => {
    const check = { metric: "5xx_count", value: 0, window_seconds: windowSeconds };
    const checks = [
      { ...check, id: 1, op: "gt" },
      { ...check, id: 2, op: "lt" },
      { id: "h", metric: "health" },
    ];
    const { envelope } = await service.ask("POST /alerts/evaluate", { body: { checks } });
    const sample_count = within(done, clock.now(), windowSeconds).length;
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
  for (const { method, route, status } of done) {
    const key = `${method} ${route} ${status}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  expect(
    new Map(
      scraped.map(([, method, route, status, count]) => [`${method} ${route} ${status}`, Number(count)]),
    ),
  ).toEqual(counts);
});
