import { createSecretKey } from "node:crypto";
import { expect, test } from "vitest";
import { testCollector } from "../../support/collector.ts";
import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/free-port.ts";
import { monitoredService } from "../../support/monitoring.ts";
import { readOpenMetrics, sampleValue } from "../../support/open-metrics.ts";
import { stage } from "../fixture/stage.ts";

const shipping = {
  level: "warn",
  batchSize: 100,
  secret: createSecretKey(Buffer.from("the-secret-of-the-collector")),
} as const;

test("what a hook logs reaches the collector with its request, masked", async () => {
  const collector = await testCollector();
  const service = await monitoredService({
    logs: { level: "info", queueSize: 100, shipping: { ...shipping, url: collector.url } },
  });
  stage.hooks = {
    before_fetch: (_, { log }) => {
      log.info("kept, and not sent");
      log.warn({ password: "hunter2", shelf: 3 }, "token=abc123 of ann@example.org");
    },
  };
  await service.send({ method: "GET", path: "/hooked/fetch", headers: { "x-request-id": "shipped-1" } });
  stage.hooks = {};
  await eventually(() => expect(collector.messages()).toHaveLength(1));
  // biome-ignore format: related values together
  expect(collector.batches[0]).toMatchObject({
    path: "/logs",
    headers: { authorization: "Bearer the-secret-of-the-collector", "content-type": "application/json" },
    logs: [{ at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/), level: "warn", message: "token=[masked] of [masked]",
      request_id: "shipped-1", fields: { shelf: 3, password: "[masked]" } }],
  });
  const keys = Object.keys(collector.batches[0]?.logs[0] ?? {});
  expect(keys.join()).toBe("at,level,message,request_id,fields");
});

test("a collector that is down changes no response, and the metrics count dropped lines", async () => {
  const url = `http://127.0.0.1:${await freePort()}/`;
  const service = await monitoredService({
    logs: { level: "warn", queueSize: 5, shipping: { ...shipping, url } },
  });
  stage.hooks = { before_fetch: (_, { log }) => void log.warn("late") };
  for (let index = 0; index < 12; index++)
    expect((await service.send({ method: "GET", path: "/hooked/fetch" })).status).toBe(200);
  stage.hooks = {};
  const queue = "shipping";
  await eventually(async () => {
    const families = readOpenMetrics((await service.ask("GET /metrics")).text);
    expect(sampleValue(families, "kirak_monitoring_queue_depth", { queue })).toBe(5);
    expect(sampleValue(families, "kirak_monitoring_dropped_total", { queue })).toBe(7);
  });
  await eventually(() => {
    const told = service.log.filter(({ msg }) => String(msg).startsWith("the log collector"));
    expect(told).toMatchObject([{ level: 40, reason: "ECONNREFUSED" }]);
  });
});
