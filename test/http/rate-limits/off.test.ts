import { describe, expect, test, vi } from "vitest";
import { defineLimits, PostgresWindow, RedisWindow } from "#runtime/rate-limit/index";
import { sendGraphql } from "../../support/graphql.ts";
import { limitedServices } from "../../support/limited-service.ts";

const services = await limitedServices(
  { rateLimit: { enabled: false } },
  { things: defineLimits({ fetch: { maxRequests: 1, windowSeconds: 60, per: "ip" } }) },
);

describe.each(services)("limits that are off for the whole service, with $counters", (service) => {
  const { counted } = service;
  test("hold nobody up, whatever models say, and ask no store", async () => {
    const count = [vi.spyOn(PostgresWindow.prototype, "count"), vi.spyOn(RedisWindow.prototype, "count")];
    for (let times = 0; times < 5; times++) {
      for (const path of ["/things/fetch", "/folders/fetch"]) {
        const { status, headers } = await service.send({ method: "GET", path });
        expect(status).toBe(200);
        expect(Object.keys(headers).filter((name) => name.startsWith("x-ratelimit"))).toEqual([]);
      }
      expect((await sendGraphql(service, "{ things { id } folders { id } }")).status).toBe(200);
    }
    for (const spy of count) expect(spy).not.toHaveBeenCalled();
    vi.restoreAllMocks();
    expect(await counted()).toEqual({});
  });
});
