import { describe, expect, test } from "vitest";
import { monitoringRoutes } from "#runtime/modules/monitoring/http/monitoring-routes";
import { monitoredService } from "../../support/monitoring.ts";
import { expectEnvelope, outcome } from "../../support/scenarios.ts";

const service = await monitoredService();

/** The parameters of each route. */
const parameters: Readonly<Record<string, readonly string[]>> = {
  "/ping": [],
  "/health": [],
  "/metrics": [],
  "/summary": ["window_seconds"],
  "/trace/{request_id}": [],
  "/alerts/evaluate": [],
  "/requests": ["window_seconds"],
  "/requests/timeseries": ["window_seconds", "bucket_seconds"],
  "/requests/latency-histogram": ["window_seconds"],
  "/requests/recent": ["limit", "status=4xx"],
  "/ai/summary": ["window_seconds"],
  "/ai/cost-timeseries": ["window_seconds", "bucket_seconds"],
  "/ai/agents": ["window_seconds"],
  "/ai/models": ["window_seconds"],
  "/ai/tools": ["window_seconds"],
  "/ai/runs": ["window_seconds", "limit", "status=failed"],
  "/ai/runs/{run_id}": [],
  "/mcp/summary": ["window_seconds"],
  "/mcp/calls": ["window_seconds", "limit", "server", "status=asked"],
};
// biome-ignore format: many on a line
const all = [
  "window_seconds", "bucket_seconds", "limit", "server", "status=4xx", "status=failed", "status=asked",
];
const sentAs = (parameter: string) => (parameter.includes("=") ? parameter : `${parameter}=600`);
const nameOf = (parameter: string) => parameter.replace(/=.*/, "");

describe("each route takes its own parameters", () => {
  test.each(monitoringRoutes.map(({ method, path }) => [method, path] as const))(
    "%s %s",
    async (method, path) => {
      const known = parameters[path] ?? [];
      const at = `${method} ${path.replace(/\{.*\}/, "none")}`;
      const ask = (query: string) =>
        service.ask(`${at}?${query}`, { ...(method === "POST" && { body: {} }) });
      for (const parameter of all) {
        const reply = await ask(sentAs(parameter));
        if (known.includes(parameter)) expect([parameter, reply.status]).not.toEqual([parameter, 422]);
        else
          expect([parameter, outcome(reply)]).toEqual([
            parameter,
            `422 VALIDATION_ERROR ${nameOf(parameter)}`,
          ]);
      }
      for (const other of ["offset=0", "page=1", "window=60", "__proto__=1", "constructor=1", "Limit=1"])
        expect([other, outcome(await ask(other))]).toEqual([other, `422 VALIDATION_ERROR ${nameOf(other)}`]);
    },
  );
});

describe("values", () => {
  const refused = (field: string) => `422 VALIDATION_ERROR ${field}`;
  test.each<[string, string | null]>([
    ["/summary?window_seconds=1", null],
    ["/summary?window_seconds=2592000", null],
    ["/summary?window_seconds=0", refused("window_seconds")],
    ["/summary?window_seconds=2592001", refused("window_seconds")],
    ["/summary?window_seconds=-1", refused("window_seconds")],
    ["/summary?window_seconds=+5", refused("window_seconds")],
    ["/summary?window_seconds=60.0", refused("window_seconds")],
    ["/summary?window_seconds=1e3", refused("window_seconds")],
    ["/summary?window_seconds=0x10", refused("window_seconds")],
    ["/summary?window_seconds=99999999999999999999", refused("window_seconds")],
    ["/summary?window_seconds=%20600", refused("window_seconds")],
    ["/summary?window_seconds=%D9%A1", refused("window_seconds")],
    ["/summary?window_seconds=", refused("window_seconds")],
    ["/summary?window_seconds", refused("window_seconds")],
    ["/summary?window_seconds=60&window_seconds=60", refused("window_seconds")],
    ["/summary?window_seconds[]=60", refused("window_seconds[]")],
    ["/summary?", null],
    ["/requests/timeseries?window_seconds=86400&bucket_seconds=86400", null],
    ["/requests/timeseries?bucket_seconds=0", refused("bucket_seconds")],
    ["/requests/timeseries?bucket_seconds=86401", refused("bucket_seconds")],
    // 3,600 buckets by default windows, 1,500 and just over.
    ["/requests/timeseries?bucket_seconds=1", refused("bucket_seconds")],
    ["/requests/timeseries?window_seconds=1500&bucket_seconds=1", null],
    ["/requests/timeseries?window_seconds=1501&bucket_seconds=1", refused("bucket_seconds")],
    ["/requests/timeseries?window_seconds=90000", null],
    ["/requests/timeseries?window_seconds=90001", refused("bucket_seconds")],
    ["/ai/cost-timeseries?window_seconds=2592000&bucket_seconds=1728", null],
    ["/ai/cost-timeseries?window_seconds=2592000&bucket_seconds=1727", refused("bucket_seconds")],
    // A bucket may be longer than the window.
    ["/ai/cost-timeseries?window_seconds=60&bucket_seconds=3600", null],
    ["/requests/recent?limit=1", null],
    ["/requests/recent?limit=200", null],
    ["/requests/recent?limit=201", null],
    ["/requests/recent?limit=99999999999999999999999", null],
    ["/requests/recent?limit=0", refused("limit")],
    ["/requests/recent?limit=-1", refused("limit")],
    ["/requests/recent?limit=ten", refused("limit")],
    ["/requests/recent?status=2xx", null],
    ["/requests/recent?status=3xx", null],
    ["/requests/recent?status=5xx", null],
    ["/requests/recent?status=1xx", refused("status")],
    ["/requests/recent?status=200", refused("status")],
    ["/requests/recent?status=2XX", refused("status")],
    ["/requests/recent?status=completed", refused("status")],
    ["/ai/runs?status=completed", null],
    ["/ai/runs?status=failed", null],
    ["/ai/runs?status=pending_approval", null],
    ["/ai/runs?status=ok", refused("status")],
    ["/mcp/calls?status=ok", null],
    ["/mcp/calls?status=error", null],
    ["/mcp/calls?status=asked&server=%27%3B%20drop%20table%20mcp_calls", null],
    ["/mcp/calls?status=failed", refused("status")],
    ["/mcp/calls?server=", refused("server")],
    // As on every route: this is no text.
    ["/mcp/calls?server=%ff", "400 VALIDATION_ERROR"],
    ["/mcp/calls?server=%00", "400 VALIDATION_ERROR"],
    ["/trace/%ff", "400 VALIDATION_ERROR"],
    ["/ping?x=1", refused("x")],
  ])("%s", async (path, fails) => {
    const reply = await service.ask(`GET ${path}`);
    expectEnvelope(reply);
    if (fails === null) expect(reply.status, reply.text).not.toBe(422);
    else expect(outcome(reply)).toBe(fails);
  });

  test("one response has all errors", async () => {
    const { envelope } = await service.ask("GET /mcp/calls?limit=x&status=y&offset=1&server=a&server=b");
    expect(envelope).toMatchObject({ statusCode: 422, error: "VALIDATION_ERROR" });
    const { field, errors } = envelope.details ?? {};
    // biome-ignore format: one case a line
    expect([field, errors]).toEqual([
      "server",
      [{ field: "server", message: "is used more than once" }, { field: "offset", message: "is not a parameter of this route" },
        { field: "limit", message: "must be a whole number of at least 1" }, { field: "status", message: "must be one of ok, error, asked" }],
    ]);
  });
});
