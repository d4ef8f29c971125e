import { describe, expect, it, test } from "vitest";
import { limit, limited } from "../../support/limited-service.ts";
import { monitoredService } from "../../support/monitoring.ts";
import { recorded } from "../../support/recorded.ts";
import { requestOf } from "../../support/request.ts";
import type { Caller } from "../../support/service-token.ts";
import { service as fixture } from "../fixture/generated/index.ts";
import { routes } from "./routes.ts";

const prefixed = limited({ servicePrefix: "/api" });
const service = await monitoredService({}, prefixed, { served: { ...fixture, routes } });
let addresses = 0;
/** Each test comes from elsewhere. */
const from = () => ({ "x-forwarded-for": `192.0.2.${++addresses}` });

describe("monitoring", () => {
  it.each([
    ["GET /api/typed/1/2026-01-31", 200, null],
    ["POST /api/typed/1/2026-01-31", 405, "HTTP_ERROR"],
    ["GET /api/typed/0/2026-01-31", 400, "VALIDATION_ERROR"],
  ])("%s has the pattern of the route, and no model", async (line, status, error) => {
    const { trace } = await recorded(service, { ...requestOf(line), headers: from() });
    const [method] = line.split(" ");
    const route = "/api/typed/:id/:day";
    expect(trace.request).toMatchObject({ method, route, model: null, operation: null, status, error });
  });

  it("its steps are those of any route, and the handler's", async () => {
    const { trace } = await recorded(service, {
      ...requestOf("GET /api/typed/1/2026-01-31"),
      headers: from(),
    });
    const names = trace.steps.map(({ name }) => name);
    expect(names).toEqual(["auth", "limit", "validate", "handler", "serialize"]);
  });

  it("the bytes of a stream count", async () => {
    const { trace } = await recorded(service, { ...requestOf("GET /api/streamed"), headers: from() });
    expect(trace.request).toMatchObject({ route: "/api/streamed", status: 200, bytes: 7 });
  });

  it("an alert may name it", async () => {
    const check = { id: "a", metric: "5xx_rate", op: "gt", value: 0, window_seconds: 60 };
    const asked = async (route: string) => {
      const body = { checks: [{ ...check, routes: [route] }] };
      return (await service.ask("POST /alerts/evaluate", { body })).status;
    };
    expect(await asked("/api/things/:id/ring")).toBe(200);
    expect(await asked("/things/:id/ring")).toBe(422);
  });
});

describe("limits", () => {
  const counted = async (send: string, headers: object, as: Caller = null) => {
    const { status, headers: answered } = await service.send(
      { ...requestOf(send), headers: { ...headers } },
      as,
    );
    return [status, answered["x-ratelimit-limit"], answered["x-ratelimit-remaining"]];
  };
  const counters = async () => {
    const { envelope } = await service.send(requestOf("GET /admin/rate-limits"), "admin");
    const { counters } = Object(envelope.data);
    return new Map<string, number>(
      counters.map(({ key, count }: { key: string; count: number }) => [key, count]),
    );
  };

  it("a route without its own limit has the manifest's, by address, for all values of its path", async () => {
    const headers = from();
    expect(await counted("POST /api/things/1/ring", headers)).toEqual([200, "3", "2"]);
    expect(await counted("POST /api/things/2/ring", headers)).toEqual([200, "3", "1"]);
    // Another method of the path is another route.
    expect(await counted("GET /api/things/1/ring", headers)).toEqual([200, "3", "2"]);
    expect(await counted("POST /api/things/3/ring", headers)).toEqual([200, "3", "0"]);
    expect(await counted("POST /api/things/4/ring", headers)).toEqual([429, "3", "0"]);
    expect((await counters()).get(`route:POST:/things/:id/ring:ip:${headers["x-forwarded-for"]}`)).toBe(
      limit,
    );
  });

  it("a route's own limit can count by user, and counts guests by address", async () => {
    const [headers, one, other] = [from(), { role: "user", sub: "71" }, { role: "user", sub: "72" }];
    expect(await counted("GET /api/few", headers, one)).toEqual([200, "2", "1"]);
    expect(await counted("GET /api/few", from(), one)).toEqual([200, "2", "0"]);
    expect(await counted("GET /api/few", from(), one)).toEqual([429, "2", "0"]);
    expect(await counted("GET /api/few", headers, other)).toEqual([200, "2", "1"]);
    expect(await counted("GET /api/few", headers)).toEqual([200, "2", "1"]);
    const all = await counters();
    expect(all.get("route:GET:/few:user:71")).toBe(2);
    expect(all.get(`route:GET:/few:user:anon:${headers["x-forwarded-for"]}`)).toBe(1);
  });

  it("one that is off counts nothing", async () => {
    expect(await counted("GET /api/many", from())).toEqual([200, undefined, undefined]);
  });

  test.each([
    ["GET /api/inside", null, [401, undefined, undefined]],
    ["GET /api/staff", "user", [403, "3", "2"]],
    ["GET /api/typed/0/x", null, [400, "3", "2"]],
    ["PUT /api/open", null, [405, undefined, undefined]],
  ] as const)("%s as %s: %j", async (send, as, expected) => {
    expect(await counted(send, from(), as)).toEqual(expected);
  });
});
