import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { monitoredService } from "../../support/monitoring.ts";
import { expectEnvelope, outcome } from "../../support/scenarios.ts";
import { socialSettings } from "../../support/social/sign-in.ts";

type Check = { readonly [key: string]: Json };

const service = await monitoredService();
const evaluate = (body: Json) => service.ask("POST /alerts/evaluate", { body });

const rate: Check = { id: "a", metric: "5xx_rate", op: "gt", value: 0.1, window_seconds: 300 };
const cost: Check = { ...rate, metric: "ai_cost_rate" };
const health: Check = { id: "h", metric: "health" };
const without = (key: string, check = rate): Check =>
  Object.fromEntries(Object.entries(check).filter(([name]) => name !== key));

describe("bodies that are read", () => {
  // biome-ignore format: one case a line
  test.each<[string, Check]>([
    ["each key", { ...rate, routes: ["books", "/books/fetch"] }],
    ["an id that is a number", { ...rate, id: 7 }],
    ["an id that is no whole number", { ...rate, id: -0.5 }],
    ["an empty id", { ...rate, id: "" }],
    ["lt", { ...rate, op: "lt" }],
    ["a value below zero", { ...rate, value: -1 }],
    ["the shortest window", { ...rate, window_seconds: 1 }],
    ["the longest window", { ...rate, window_seconds: 2_592_000 }],
    ["a whole number with decimals", { ...rate, window_seconds: 60 }],
    ...["4xx_rate", "5xx_count", "request_rate", "p95_latency", "p99_latency"].map(
      (metric): [string, Check] => [metric, { ...rate, metric, routes: ["things"] }],
    ),
    ...["ai_cost_rate", "ai_error_rate", "ai_token_rate"].map((metric): [string, Check] => [metric, { ...rate, metric }]),
    ["health", health],
    ["health with what it ignores", { ...health, op: "eq", value: "none", window_seconds: -1 }],
    ["a route that is named twice", { ...rate, routes: ["books", "books"] }],
  ])("%s", async (_, check) => {
    const reply = await evaluate({ checks: [check] });
    expectEnvelope(reply);
    expect(outcome(reply)).toBe("200");
    expect(reply.envelope.data).toMatchObject({ results: [{ id: check["id"] }] });
  });

  test("a hundred checks, which are answered in their order; ids may be the same", async () => {
    const checks = Array.from({ length: 100 }, (_, index) => ({ ...rate, id: index % 7 }));
    const { envelope } = await evaluate({ checks });
    expect(envelope.data).toMatchObject({ results: checks.map(({ id }) => ({ id })) });
  });
});

/** What is wrong with a batch of one good check and this one: places and fields. */
// biome-ignore format: one case a line
const refusedChecks: readonly [string, Json, ...string[]][] = [
  ["nothing", {}, "id", "metric"],
  ["no object", "5xx_rate", "checks"],
  ["a list", [rate], "checks"],
  ["null", null, "checks"],
  ["no id", without("id"), "id"],
  ["an id that is null", { ...rate, id: null }, "id"],
  ["an id that is an object", { ...rate, id: {} }, "id"],
  ["an id that is a truth", { ...rate, id: true }, "id"],
  ["no metric", without("metric"), "metric"],
  ["an unknown metric", { ...rate, metric: "2xx_rate" }, "metric"],
  ["a metric in capitals", { ...rate, metric: "HEALTH" }, "metric"],
  ["a metric of every object", { ...rate, metric: "constructor" }, "metric"],
  ["a metric that is a list", { ...rate, metric: ["5xx_rate"] }, "metric"],
  ["no op", without("op"), "op"],
  ["an unknown op", { ...rate, op: "gte" }, "op"],
  ["an op that is null", { ...rate, op: null }, "op"],
  ["no value", without("value"), "value"],
  ["a value that is a text", { ...rate, value: "0.1" }, "value"],
  ["a value that is null", { ...rate, value: null }, "value"],
  ["no window", without("window_seconds"), "window_seconds"],
  ["a window of nothing", { ...rate, window_seconds: 0 }, "window_seconds"],
  ["a window that is too long", { ...rate, window_seconds: 2_592_001 }, "window_seconds"],
  ["a window with decimals", { ...rate, window_seconds: 1.5 }, "window_seconds"],
  ["a window that is a text", { ...rate, window_seconds: "60" }, "window_seconds"],
  ["an unknown key", { ...rate, windows: 1 }, "windows"],
  ["an unknown key of health", { ...health, limit: 1 }, "limit"],
  ["no id of health", { metric: "health" }, "id"],
  ["routes of health", { ...health, routes: ["things"] }, "routes"],
  ["routes of an AI metric", { ...cost, routes: ["things"] }, "routes"],
  ["routes that are a text", { ...rate, routes: "things" }, "routes"],
  ["routes that are null", { ...rate, routes: null }, "routes"],
  ["no routes at all", { ...rate, routes: [] }, "routes"],
  ["a route that is no text", { ...rate, routes: ["things", 1] }, "routes"],
  ["an unknown model", { ...rate, routes: ["things", "thing"] }, "routes"],
  ["a model that no route leads to", { ...rate, routes: ["vaults"] }, "routes"],
  ["a name of every object", { ...rate, routes: ["__proto__"] }, "routes"],
  ["several at once", { ...rate, op: "x", value: null, more: 1, routes: ["x"] }, "more", "op", "value", "routes"],
];

describe("a check that is refused takes the whole batch with it", () => {
  test.each(refusedChecks)("%s", async (_, check, ...fields) => {
    const reply = await evaluate({ checks: [rate, check] });
    expectEnvelope(reply);
    expect(outcome(reply)).toBe(`422 VALIDATION_ERROR checks[1].${fields[0]}`);
    const { errors } = reply.envelope.details ?? {};
    expect(errors).toEqual(fields.map((field) => ({ index: 1, field, message: expect.stringMatching(/./) })));
  });

  test("all checks are told of at once, up to a hundred problems", async () => {
    const { envelope } = await evaluate({ checks: [without("op"), rate, without("value"), health] });
    expect(envelope.details?.["errors"]).toMatchObject([
      { index: 0, field: "op" },
      { index: 2, field: "value" },
    ]);
    const many = await evaluate({ checks: Array.from({ length: 100 }, () => ({})) });
    expect(many.envelope.details?.["errors"]).toHaveLength(100);
  });
});

describe("a body that is refused", () => {
  test.each<[string, Check | undefined, string]>([
    ["none", undefined, "checks"],
    ["an empty one", {}, "checks"],
    ["no list", { checks: rate }, "checks"],
    ["null", { checks: null }, "checks"],
    ["an empty list", { checks: [] }, "checks"],
    ["101 checks", { checks: Array.from({ length: 101 }, () => rate) }, "checks"],
    ["another key", { checks: [rate], window_seconds: 60 }, "window_seconds"],
  ])("%s", async (_, body, field) => {
    const reply = await service.ask("POST /alerts/evaluate", { ...(body !== undefined && { body }) });
    expectEnvelope(reply);
    expect(outcome(reply)).toBe(`422 VALIDATION_ERROR ${field}`);
    expect(reply.envelope.details?.["errors"]).toEqual([{ index: null, field, message: expect.any(String) }]);
  });

  const json = { "content-type": "application/json" };
  // biome-ignore format: one case a line
  test.each<[string, string, Record<string, string>, string]>([
    ["what is no JSON", "{", json, "400 VALIDATION_ERROR"],
    ["a list", "[]", json, "400 VALIDATION_ERROR"],
    ["a NUL character", '{"checks":[{"id":"\\u0000"}]}', json, "400 VALIDATION_ERROR"],
    ["another media type", "checks=1", { "content-type": "text/plain" }, "415 HTTP_ERROR"],
    ["too much of it", `{"checks":"${"x".repeat(200_000)}"}`, json, "413 HTTP_ERROR"],
    ["a number beyond all", `{"checks":[${JSON.stringify(rate).replace("0.1", "1e999")}]}`, json, "422 VALIDATION_ERROR checks[0].value"],
    ["an id that would be rounded", `{"checks":[${JSON.stringify(rate).replace('"a"', "12345678901234567890")}]}`, json,
      "422 VALIDATION_ERROR checks[0].id"],
    ["a prototype", '{"checks":[{"__proto__":{"metric":"health"},"id":1}]}', json, "422 VALIDATION_ERROR checks[0].__proto__"],
  ])("%s", async (_, body, headers, expected) => {
    const reply = await service.ask("POST /alerts/evaluate", { body, headers });
    expectEnvelope(reply);
    expect(outcome(reply)).toBe(expected);
  });

  test("parameters are none of this route", async () => {
    const reply = await service.ask("POST /alerts/evaluate?window_seconds=60", { body: { checks: [rate] } });
    expect(outcome(reply)).toBe("422 VALIDATION_ERROR window_seconds");
  });
});

describe("what routes may name", () => {
  const named = async (routes: readonly string[], other = service) => {
    const checks = routes.map((route) => ({ ...rate, id: route, routes: [route] }));
    const reply = await other.ask("POST /alerts/evaluate", { body: { checks } });
    const errors = reply.envelope.details?.["errors"];
    const refused = Array.isArray(errors) ? errors : [];
    return routes.filter((_, index) => !refused.some((error) => isAt(error, index)));
  };
  const isAt = (error: Json, index: number) =>
    typeof error === "object" && error !== null && "index" in error && error["index"] === index;

  // biome-ignore format: many on a line
  const everywhere = [
    "/auth/login", "/auth/providers", "/auth/sign-in", "/graphql", "/admin/rate-limits", "/admin/rate-limits/{key}", "unmatched",
  ];
  // biome-ignore format: many on a line
  const nowhere = [
    "/auth/google/login", "/auth/{provider}/login", "/auth/apple/callback", "/healthz", "/readyz", "/monitoring/health", "/", "",
    "login", "/nothing", "POST /graphql", "/things", "/things/", "/things/fetch/", "/storage/list",
  ];

  test("models by their keys, with all routes that lead to them, and what the service has of its own", async () => {
    const models = ["things", "LineItems", "line_items", "/things/fetch", "/things/create"];
    expect(await named([...models, ...everywhere])).toEqual([...models, ...everywhere]);
    expect(await named(nowhere)).toEqual([]);
  });

  test("routes of providers where they are declared", async () => {
    const web = ["/auth/{provider}/login", "/auth/{provider}/callback"];
    const github = await monitoredService({}, { social: socialSettings({ github: {} }) });
    expect(await named([...web, "/auth/apple/callback", "/auth/github/login"], github)).toEqual(web);
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const secret = privateKey.export({ type: "pkcs8", format: "pem" }).toString().replaceAll("\n", "\\n");
    const settings = { team_id: "TEAM", key_id: "KEY" };
    const social = socialSettings({ "apple-id": { settings, secrets: { SECRET: secret } } });
    const apple = await monitoredService({}, { social });
    expect(await named([...web, "/auth/apple/callback"], apple)).toEqual([...web, "/auth/apple/callback"]);
  });

  test("with the prefixes in force", async () => {
    const other = await monitoredService({}, { servicePrefix: "/api", authPrefix: "/accounts" });
    const known = ["things", "/api/things/fetch", "/api/graphql", "/accounts/login", "/admin/rate-limits"];
    expect(await named([...known, "/things/fetch", "/graphql", "/auth/login"], other)).toEqual(known);
  });
});
