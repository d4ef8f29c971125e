import { beforeAll, describe, expect, test } from "vitest";
import { openApiDocument } from "#generator/emit/openapi/document";
import { monitoringRoutes } from "#vocabulary/built-in-routes";
import { service as definition } from "../generator/support/definitions.ts";
import { eventually } from "../support/eventually.ts";
import { monitoredService } from "../support/monitoring.ts";
import { describedBy } from "../support/openapi.ts";
import { stage } from "./fixture/stage.ts";

const document = openApiDocument({ ...definition(), monitoring: true });
const expectDescribed = describedBy(document);
const service = await monitoredService();
const keyless = await monitoredService({ ingestionKey: null });
const off = await monitoredService({ databasePath: "/dev/null/none.db" });

const run = {
  agent: "clerk",
  model: "small",
  provider: "house",
  input_tokens: 3,
  output_tokens: 4,
  cost_usd: 0.25,
  duration_ms: 12.5,
  turns: 1,
} as const;

beforeAll(async () => {
  stage.hooks = {
    before_fetch: (_, { monitoring }) => {
      const failed = { tool: "mail", duration_ms: 2, status: "failed", error_message: "no answer" } as const;
      const done = { tool: "find", duration_ms: 1, status: "completed" } as const;
      monitoring.aiRun({ ...run, run_id: "run-1", status: "completed", tool_calls: [done, failed] });
      monitoring.aiRun({ ...run, status: "failed", error_code: "X", conversation_id: "c", user_id: "7" });
      monitoring.mcpCall({ server: "shop", tool: "find", status: "ok", duration_ms: 1.5 });
      monitoring.mcpCall({
        ...{ server: "shop", tool: "find", status: "error", duration_ms: 1, caller: "7" },
        ...{ error_code: "X", operation_ref: "o", confirmation: "c" },
      });
      throw new Error("a bug");
    },
  };
  const headers = { "x-request-id": "request-1" };
  await service.send({ method: "GET", path: "/hooked/fetch", headers }, "user");
  stage.hooks = {};
  await service.send({ method: "GET", path: "/nothing" });
  await service.written(2);
  await eventually(async () => {
    const { envelope } = await service.ask("GET /mcp/calls");
    expect(envelope.data).toMatchObject({ calls: [{}, {}] });
  });
});

const templates = monitoringRoutes.map(({ path }) => path).filter((path) => path.endsWith("}"));

async function expectAnswer(
  what: string,
  status: number,
  sent: Parameters<typeof service.ask>[1] = {},
  from = service,
) {
  const [method = "", url = ""] = what.split(" ");
  const reply = await from.ask(what, sent);
  expect(reply.status, `${what}: ${reply.text}`).toBe(status);
  const path = url.split("?")[0] ?? "";
  const template = templates.find((each) => path.startsWith(each.slice(0, each.indexOf("{"))));
  expectDescribed(method, `/monitoring${template ?? path}`, reply);
}

const withoutKey = { headers: { authorization: "Basic YTpi" } };
const routes = monitoringRoutes
  .filter(({ path }) => path !== "/dashboard")
  .map(({ method, path }) => {
    const id = path === "/trace/{request_id}" ? "request-1" : "run-1";
    return { method, path, send: `${method} ${path.replace(/\{.*\}/, id)}` };
  });
const checks = [
  { id: "errors", metric: "5xx_rate", op: "gt", value: 0.01, window_seconds: 300, routes: ["/hooked/fetch"] },
  { id: 1.5, metric: "p95_latency", op: "lt", value: -1, window_seconds: 2_592_000 },
  { id: "cost", metric: "ai_cost_rate", op: "gt", value: 1, window_seconds: 1 },
  { id: 7, metric: "health" },
];

describe("answers of monitoring are as described", () => {
  test.each(routes)("$send", async ({ method, path, send }) => {
    await expectAnswer(send, 200, method === "POST" ? { body: { checks } } : {});
    await expectAnswer(`${send}?nothing=1`, 422);
    await expectAnswer(`${send}?x=%ff`, 400);
    if (path === "/ping") return;
    await expectAnswer(send, 401, withoutKey);
    await expectAnswer(send, 401, { headers: { authorization: "Bearer x" } });
    await expectAnswer(send, 503, {}, keyless);
  });

  test.each(routes)("$send without the store", async ({ method, path, send }) => {
    const isAnswered = ["/ping", "/health", "/metrics", "/alerts/evaluate"].includes(path);
    await expectAnswer(send, isAnswered ? 200 : 503, method === "POST" ? { body: { checks } } : {}, off);
  });

  test.each<[string, number]>([
    ["GET /summary?window_seconds=1", 200],
    ["GET /summary?window_seconds=0", 422],
    ["GET /requests/timeseries?window_seconds=60&bucket_seconds=7", 200],
    ["GET /requests/timeseries?window_seconds=2592000&bucket_seconds=1", 422],
    ["GET /requests/recent?limit=5000&status=5xx", 200],
    ["GET /requests/recent?status=6xx", 422],
    ["GET /ai/runs?window_seconds=60&limit=1&status=failed", 200],
    ["GET /mcp/calls?window_seconds=60&limit=1&server=shop&status=error", 200],
    ["GET /trace/none", 404],
    ["GET /ai/runs/none", 404],
    ["GET /trace/%ff", 400],
  ])("%s is %i", async (what, status) => {
    await expectAnswer(what, status);
  });

  test.each<[string, number, Parameters<typeof service.ask>[1]]>([
    ["no check", 422, { body: { checks: [] } }],
    ["no body", 422, {}],
    ["an unknown route", 422, { body: { checks: [{ ...checks[0], routes: ["x"] }] } }],
    ["no JSON", 400, { body: "{", headers: { "content-type": "application/json" } }],
    ["a text", 415, { body: "{}", headers: { "content-type": "text/plain" } }],
    ["a large body", 413, { body: { checks: "x".repeat(100_000) } }],
  ])("checks: %s is %i", async (_, status, sent) => {
    await expectAnswer("POST /alerts/evaluate", status, sent);
  });
});

describe("the document of monitoring", () => {
  const operations = Object.entries(document.paths).filter(([path]) => path.startsWith("/monitoring"));

  test("has each route but the dashboard", () => {
    const described = operations.flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described).toEqual(routes.map(({ method, path }) => `${method} /monitoring${path}`));
  });

  test("lists all query parameters of each route", async () => {
    for (const { path, send } of routes) {
      const parameters = document.paths[`/monitoring${path}`]?.get?.parameters ?? [];
      const inQuery = parameters.filter((parameter) => parameter["in"] === "query");
      const named = inQuery.map(({ name }) => name);
      const all = ["window_seconds", "bucket_seconds", "limit", "server", "status"];
      for (const name of all) {
        const { envelope, status } = await service.ask(`${send}?${name}=1000000000`);
        const unknown = /is not a parameter of this route/.test(envelope.message);
        expect([send, name, status === 422 && unknown]).toEqual([send, name, !named.includes(name)]);
      }
    }
  });

  test("is empty without the module", () => {
    expect(Object.keys(openApiDocument(definition()).paths).join()).not.toContain("monitoring");
  });
});
