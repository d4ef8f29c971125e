import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { service } from "../../../http/fixture/generated/index.ts";
import { serviceDatabase } from "../../../support/database.ts";
import { eventually } from "../../../support/eventually.ts";
import { hasRedis, testRedis } from "../../../support/redis.ts";
import { type Reply, type Sent, sendRequest } from "../../../support/request.ts";
import { startServiceProcess } from "../../../support/service-process.ts";
import { jwtSecret } from "../../../support/service-token.ts";

// The test starts processes.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const limit = 40;
const root = mkdtempSync(join(tmpdir(), "kirak-limits-"));
mkdirSync(join(root, "models"));
writeFileSync(
  join(root, "models/manifest.json"),
  JSON.stringify({
    rate_limit: { default_max_requests: limit, default_window_seconds: 600 },
    server: { log_level: "warn" },
  }),
);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const redisUrl = hasRedis ? (await testRedis()).url : "";
const stores: readonly [string, Record<string, string>][] = [
  ["PostgreSQL", {}],
  ...(hasRedis ? [["Redis", { SERVICE_REDIS_URL: redisUrl }] satisfies [string, object]] : []),
];

describe.each(stores)("three processes with counters in %s", async (_, environment) => {
  const { url } = await serviceDatabase(service);
  const processes = Array.from({ length: 3 }, () =>
    startServiceProcess(new URL("fixture-in-process.ts", import.meta.url), root, {
      SERVICE_DATABASE_URL: url,
      SERVICE_AUTH_JWT_SECRET_KEY: jwtSecret,
      ...environment,
    }),
  );
  const origins = await Promise.all(processes.map((process) => process.listening()));

  /** Sends them all at once, each to all processes by turns. */
  const flood = (count: number, ...sent: readonly Sent[]) =>
    Promise.all(
      sent.flatMap((one) =>
        Array.from({ length: count }, (_, index) => sendRequest(origins[index % 3] ?? "", one)),
      ),
    );
  const numbers = (replies: readonly Reply[], header: string) =>
    replies.map(({ headers }) => Number(headers[header])).sort((a, b) => a - b);

  // What comes before a connection is there may pass uncounted.
  beforeAll(async () => {
    for (const origin of origins)
      await eventually(async () => {
        const { headers } = await sendRequest(origin, { method: "GET", path: "/docs/count" });
        expect(headers).toHaveProperty("x-ratelimit-limit");
      });
  });

  test("let exactly as many requests through as the limit allows", async () => {
    const replies = await flood(5 * limit, { method: "GET", path: "/things/count" });
    const passed = replies.filter(({ status }) => status === 200);
    const refused = replies.filter(({ status }) => status === 429);
    expect([passed.length, refused.length]).toEqual([limit, 4 * limit]);
    // Each of those that passed took another place.
    expect(numbers(passed, "x-ratelimit-remaining")).toEqual(Array.from({ length: limit }, (_, n) => n));
    expect(new Set(numbers(refused, "x-ratelimit-remaining"))).toEqual(new Set([0]));
    for (const seconds of numbers(refused, "retry-after")) {
      expect(seconds).toBeGreaterThan(540);
      expect(seconds).toBeLessThanOrEqual(600);
    }
  });

  test("also where one half of them comes by GraphQL", async () => {
    const graphql = { method: "POST", path: "/graphql", body: { query: "{ things { id } }" } };
    const replies = await flood((5 * limit) / 2, graphql, { method: "GET", path: "/things/fetch" });
    const passed = replies.filter(({ status }) => status === 200);
    const refused = replies.filter(({ status }) => status === 429);
    expect([passed.length, refused.length]).toEqual([limit, 4 * limit]);
    expect(Math.min(...numbers(refused, "retry-after"))).toBeGreaterThan(540);
  });
});
