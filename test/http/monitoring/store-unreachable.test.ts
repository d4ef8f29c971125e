import { describe, expect, test } from "vitest";
import { monitoringRoutes } from "#runtime/modules/monitoring/http/monitoring-routes";
import { monitoredService } from "../../support/monitoring.ts";
import { expectEnvelope, outcome } from "../../support/scenarios.ts";

// A device is not a folder, so no file in it can be opened.
const service = await monitoredService({ databasePath: "/dev/null/metrics.db" });
const apart = new Set(["/ping", "/health", "/metrics", "/alerts/evaluate"]);
const reads = monitoringRoutes.map(({ path }) => path).filter((path) => !apart.has(path));

describe("while the store cannot be reached", () => {
  test.each(reads)("%s is 503", async (path) => {
    const reply = await service.ask(`GET ${path.replace(/\{.*\}/, "some-id")}`);
    expectEnvelope(reply);
    expect(outcome(reply)).toBe("503 HTTP_ERROR");
    expect(reply.headers["retry-after"]).toBe("5");
  });

  test("an invalid request is reported first", async () => {
    expect((await service.ask("GET /summary?window_seconds=0")).status).toBe(422);
    expect((await service.send({ method: "GET", path: "/monitoring/summary" })).status).toBe(401);
  });

  test("health reports it, without a size", async () => {
    const { status, envelope } = await service.ask("GET /health");
    const queue = (max: number) => ({ depth: expect.any(Number), max, dropped: expect.any(Number) });
    expect(status).toBe(200);
    expect(envelope.data).toEqual({
      store: "unreachable",
      queues: { records: queue(10_000), logs: queue(5_000) },
      db_size_bytes: null,
      max_db_size_mb: 200,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      node_version: process.versions.node,
      started_at: expect.stringMatching(/^\d{4}-.*Z$/),
      uptime_seconds: expect.any(Number),
    });
  });

  test("metrics go on", async () => {
    const { status, headers, text } = await service.ask("GET /metrics");
    expect([status, headers["content-type"]]).toEqual([
      200,
      "application/openmetrics-text; version=1.0.0; charset=utf-8",
    ]);
    expect(text).toMatch(/# EOF\n$/);
  });

  test("of alerts health breaches, and nothing else", async () => {
    const check = { op: "lt", value: 1e9, window_seconds: 60 };
    const checks = [
      { ...check, id: 1, metric: "request_rate" },
      { id: 2, metric: "health" },
      { ...check, id: 3, metric: "p95_latency", routes: ["things"] },
      { ...check, id: 4, metric: "ai_cost_rate" },
    ];
    const { status, envelope } = await service.ask("POST /alerts/evaluate", { body: { checks } });
    const silent = { breaching: false, value: null, sample_count: 0 };
    expect(status).toBe(200);
    expect(envelope.data).toEqual({
      results: [
        { id: 1, ...silent },
        { id: 2, breaching: true, value: 0, sample_count: 0 },
        { id: 3, ...silent },
        { id: 4, ...silent },
      ],
    });
  });

  test("repeated requests log no more errors after the first line", async () => {
    for (let turn = 0; turn < 5; turn++) await service.ask("GET /summary");
    const lines = service.log.filter(({ path }) => path === "/monitoring/summary");
    expect(lines.filter(({ status }) => status === 503).length).toBeGreaterThanOrEqual(5);
    expect(lines.filter(({ level }) => level !== 30)).toEqual([]);
    const told = service.log.filter(({ msg }) => /monitoring store .* cannot be used/.test(String(msg)));
    expect(told).toHaveLength(1);
  });

  test("the service itself notices nothing", async () => {
    expect((await service.send({ method: "GET", path: "/tasks/fetch" }, "admin")).status).toBe(200);
    expect((await service.send({ method: "GET", path: "/monitoring/ping" })).status).toBe(200);
  });
});
