import { createSecretKey } from "node:crypto";
import { describe, expect, test } from "vitest";
import { monitoringRoutes } from "#runtime/modules/monitoring/http/monitoring-routes";
import { monitoringRoutes as listedRoutes } from "#vocabulary/built-in-routes";
import { ingestionKey, monitoredService } from "../../support/monitoring.ts";
import { expectEnvelope, outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { tokenOf } from "../../support/service-token.ts";
import { stage } from "../fixture/stage.ts";

const service = await monitoredService();
const keyless = await monitoredService({ ingestionKey: null });

const run = {
  agent: "agent",
  model: "model",
  provider: "provider",
  input_tokens: 1,
  output_tokens: 1,
  cost_usd: 0,
  duration_ms: 1,
  turns: 1,
};

const routes = monitoringRoutes.map(({ method, path, open = false }) => ({
  method,
  path: `/monitoring${path.replace(/\{.*\}$/, "some-id")}`,
  open,
}));

test("the routes are those that reports list, but for the page, which is served by itself", () => {
  const served = monitoringRoutes.map(({ method, path }) => ({ method, path }));
  expect([...served, { method: "GET", path: "/dashboard" }]).toEqual(listedRoutes);
});

describe("each route but ping needs the ingestion key", () => {
  const others = "another-key-of-the-same-length-0123456789";
  test.each<[string, Record<string, string>, string]>([
    ["nothing", {}, "401 MISSING_TOKEN"],
    ["another scheme", { authorization: `Basic ${ingestionKey}` }, "401 MISSING_TOKEN"],
    ["the key without a scheme", { authorization: ingestionKey }, "401 MISSING_TOKEN"],
    ["Bearer without a key", { authorization: "Bearer" }, "401 MISSING_TOKEN"],
    ["Bearer and two words", { authorization: `Bearer ${ingestionKey} x` }, "401 MISSING_TOKEN"],
    ["the key as an API key", { "x-api-key": ingestionKey }, "401 MISSING_TOKEN"],
    ["another key", { authorization: `Bearer ${others}` }, "401 INVALID_TOKEN"],
    ["a part of the key", { authorization: `Bearer ${ingestionKey.slice(0, -1)}` }, "401 INVALID_TOKEN"],
    ["more than the key", { authorization: `Bearer ${ingestionKey}0` }, "401 INVALID_TOKEN"],
    ["an administrator's token", { authorization: `Bearer ${tokenOf("admin")}` }, "401 INVALID_TOKEN"],
  ])("%s", async (_, headers, expected) => {
    for (const { method, path, open } of routes) {
      const reply = await service.send({ method, path, headers });
      expectEnvelope(reply);
      expect([path, outcome(reply)]).toEqual([path, open ? "200" : expected]);
    }
  });

  test("the scheme is written as one likes", async () => {
    const reply = await service.ask("GET /health", { headers: { authorization: `bearer  ${ingestionKey}` } });
    expect(reply.status).toBe(200);
  });

  test("a key of other letters than those of ASCII", async () => {
    const key = "schlüssel-der-tests-für-die-überwachung";
    const other = await monitoredService({ ingestionKey: createSecretKey(Buffer.from(key)) });
    // Headers are bytes, and node:http takes one character for each.
    const sent = Buffer.from(key).toString("latin1");
    const reply = await other.ask("GET /health", { headers: { authorization: `Bearer ${sent}` } });
    expect(reply.status).toBe(200);
  });

  test.each<[string, Record<string, string>, string]>([
    ["nothing", {}, "401 MISSING_TOKEN"],
    ["another scheme", { authorization: "Basic YTpi" }, "401 MISSING_TOKEN"],
    ["any key", { authorization: `Bearer ${ingestionKey}` }, "503 HTTP_ERROR"],
  ])("where none is configured, with %s", async (_, headers, expected) => {
    for (const { method, path, open } of routes) {
      const reply = await keyless.send({ method, path, headers });
      expect([path, outcome(reply)]).toEqual([path, open ? "200" : expected]);
    }
  });
});

describe("paths and methods", () => {
  // biome-ignore format: many on a line
  test.each([
    "", "/", "/nothing", "/summary/", "/SUMMARY", "//summary", "/trace", "/trace/", "/trace/a/b", "/ai", "/ai/runs/",
    "/ai/runs/a/b", "/alerts", "/%73ummary", "/trace/{request_id}/",
  ])("GET /monitoring%s is no route, with the key as without", async (path) => {
    expect((await service.ask(`GET ${path}`)).status).toBe(404);
    expect((await service.send({ method: "GET", path: `/monitoring${path}` })).status).toBe(404);
  });

  test("prefixes do not change their paths", async () => {
    const other = await monitoredService({}, { servicePrefix: "/api", authPrefix: "/accounts" });
    expect((await other.ask("GET /health")).status).toBe(200);
    expect((await other.send({ method: "GET", path: "/api/monitoring/ping" })).status).toBe(404);
    expect((await other.send({ method: "GET", path: "/Monitoring/ping" })).status).toBe(404);
  });

  test("none of them is there where the module is off", async () => {
    const off = await testService();
    for (const { method, path } of routes) expect((await off.send({ method, path })).status).toBe(404);
  });

  test("where the module is off, what hooks record goes nowhere", async () => {
    const off = await testService();
    const done: unknown[] = [];
    stage.hooks = {
      before_fetch: (_, { monitoring }) => {
        done.push(
          monitoring.aiRun({ ...run, status: "completed" }),
          monitoring.mcpCall({ server: "s", tool: "t", status: "ok", duration_ms: 1 }),
        );
      },
    };
    const reply = await off.send({ method: "GET", path: "/hooked/fetch" });
    stage.hooks = {};
    expect([reply.status, done]).toEqual([200, [undefined, undefined]]);
    expect(off.log.filter(({ level }) => Number(level) > 30)).toEqual([]);
  });

  test("each checks the method before the key", async () => {
    for (const { method, path } of routes) {
      const allowed = method === "GET" ? ["GET", "HEAD"] : [method];
      for (const other of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].filter(
        (one) => !allowed.includes(one),
      )) {
        const reply = await service.send({ method: other, path });
        expect([path, other, outcome(reply)]).toEqual([path, other, "405 HTTP_ERROR"]);
        expect(reply.headers.allow).toBe(allowed.join(", "));
      }
    }
  });

  test("HEAD answers as GET does, without the body", async () => {
    for (const path of ["/ping", "/health", "/metrics"]) {
      const [got, headed] = [await service.ask(`GET ${path}`), await service.ask(`HEAD ${path}`)];
      expect([headed.status, headed.text]).toEqual([got.status, ""]);
      expect(headed.headers["content-type"]).toBe(got.headers["content-type"]);
      expect(headed.headers["content-length"]).toMatch(/^\d+$/);
    }
    expect((await service.send({ method: "HEAD", path: "/monitoring/health" })).status).toBe(401);
  });

  test("caches must not store their responses", async () => {
    for (const path of ["/ping", "/health", "/metrics", "/summary?x=1", "/trace/none"])
      expect((await service.ask(`GET ${path}`)).headers["cache-control"]).toBe("no-store");
  });
});
