import { describe, expect, test } from "vitest";
import { account, accounts, apiKey } from "../../support/accounts.ts";
import { fill, limit, limitedServices } from "../../support/limited-service.ts";
import { expectEnvelope, outcome, type Scenario, scenarios } from "../../support/scenarios.ts";
import { tokenOf } from "../../support/service-token.ts";

const services = await limitedServices({ auth: { cookieName: "session" } });

const path = "/admin/rate-limits";
const key = "crud:things:fetch:ip:10.0.0.1";
const counter = {
  key,
  count: 3,
  max_requests: 5,
  window_seconds: 3600,
  reset_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
};
const boss = apiKey(1);
const clerk = apiKey(2);
const given = accounts([account(1, { role: "superadmin" }), account(2)], [boss.row, clerk.row]);
const everyRoute = [`GET ${path}`, `GET ${path}/${key}`, `DELETE ${path}/nothing`];

describe.each(services)("$counters", async (service) => {
  const { window } = service;
  await fill(window, [key], 3);
  await fill(window, ["auth:login:ip:10.0.0.1", "auth:login:ip:10.0.0.2", "auth:register:ip:10.0.0.1"]);
  const list = (query: string) => service.send({ method: "GET", path: `${path}${query}` }, "admin");
  const keysOf = async (query: string) => {
    const { counters } = (await list(query)).envelope.data as { counters: { key: string }[] };
    return counters.map((one) => one.key);
  };

  describe("what is answered", () => {
    scenarios(service, [
      { send: `GET ${path}?prefix=crud:things:`, as: "admin", data: { counters: [counter] } },
      { send: `GET ${path}?prefix=crud%3Athings&limit=1`, as: "admin", data: { counters: [counter] } },
      { send: `GET ${path}?prefix=nothing`, as: "admin", data: { counters: [] } },
      { send: `GET ${path}/${key}`, as: "admin", data: counter },
      { send: `GET ${path}/crud%3Athings%3Afetch%3Aip%3A10.0.0.1`, as: "admin", data: counter },
      { send: `GET ${path}/crud:things:fetch`, as: "admin", fails: "404 NOT_FOUND" },
      { send: `GET ${path}/${key}/`, as: "admin", fails: "404 NOT_FOUND" },
      { send: `GET ${path}/kirak:rl:${key}`, as: "admin", fails: "404 NOT_FOUND" },
      { send: `GET ${path}/${"x".repeat(2000)}`, as: "admin", fails: "404 NOT_FOUND" },
      { send: `DELETE ${path}/crud:things:fetch`, as: "admin", fails: "404 NOT_FOUND" },
    ]);

    test("counters are sorted by key, the first hundred unless more are requested", async () => {
      const logins = ["auth:login:ip:10.0.0.1", "auth:login:ip:10.0.0.2"];
      expect(await keysOf("?prefix=auth:")).toEqual([...logins, "auth:register:ip:10.0.0.1"]);
      expect(await keysOf("?prefix=auth:login:")).toEqual(logins);
      const many = Array.from({ length: 1200 }, (_, index) => `many:${index}`);
      await fill(window, many);
      expect(await keysOf("?prefix=many:")).toHaveLength(100);
      expect(await keysOf("?prefix=many:&limit=250")).toHaveLength(250);
      for (const limit of ["1000", "1001", "5000", "9".repeat(400)]) {
        const keys = await keysOf(`?prefix=many:&limit=${limit}`);
        expect(new Set(keys).size).toBe(1000);
        expect(keys).toEqual(keys.toSorted());
      }
      for (const key of many) await window.reset(key);
    });

    test("the prefix of Redis never shows", async () => {
      expect((await list("")).text).not.toContain("kirak");
      expect(await keysOf("?prefix=kirak:rl:")).toEqual([]);
    });

    test("HEAD has the head of GET and no body", async () => {
      for (const one of [path, `${path}/${key}`, `${path}/nothing`]) {
        const [head, full] = await Promise.all(
          ["HEAD", "GET"].map((method) => service.send({ method, path: one }, "admin")),
        );
        expect([head?.status, head?.text]).toEqual([full?.status, ""]);
        expect(head?.headers["content-length"]).toBe(full?.headers["content-length"]);
      }
    });

    test("no cache keeps it, not even a refusal", async () => {
      for (const as of ["admin", "user", null])
        for (const one of [path, `${path}/${key}`, `${path}/nothing`]) {
          const { headers } = await service.send({ method: "GET", path: one }, as);
          expect(headers["cache-control"]).toBe("no-store");
        }
    });
  });

  describe("parameters", () => {
    const refused = (query: string, field: string, send = `GET ${path}?${query}`): Scenario => ({
      name: `${send} ${field}`,
      send,
      as: "admin",
      fails: `400 VALIDATION_ERROR${field === "" ? "" : ` ${field}`}`,
    });
    scenarios(service, [
      ...["0", "-1", "1.5", "1e3", "abc", "10abc", "%201", "+1", "0x10", "null", "1,2", "%EF%BC%91"].map(
        (limit) => refused(`limit=${limit}`, "limit"),
      ),
      refused("limit=", "limit"),
      refused("limit", "limit"),
      refused("limit=1&limit=1", "limit"),
      refused("prefix=", "prefix"),
      refused("prefix=a&prefix=b", "prefix"),
      refused("prefix[]=a", "prefix[]"),
      refused("offset=1", "offset"),
      refused("__proto__=1", "__proto__"),
      refused("Limit=1", "Limit"),
      refused("prefix=%00", ""),
      refused("prefix=%ff", ""),
      // A query string is not part of a key: otherwise a request could reset another counter.
      refused("", "x", `GET ${path}/${key}?x=1`),
      refused("", "b@example.com", `DELETE ${path}/${key}?b@example.com`),
      { send: `GET ${path}?&&`, as: "admin", data: expect.anything() },
      { send: `GET ${path}/${key}?`, as: "admin", data: counter },
    ]);
  });

  describe("who may", () => {
    // biome-ignore format: one case a line
    scenarios(service, [
      ...everyRoute.flatMap((send): Scenario[] => {
        const passes = send.startsWith("DELETE") ? { fails: "404 NOT_FOUND" } : {};
        return [
          ...["admin", "system", "superadmin"].map((as) => ({ name: `${send} ${as}`, send, as, ...passes })),
          ...["user", "guest", "Admin", "administrator", "editor"].map((as) => ({ name: `${send} ${as}`,
            send,
            as,
            fails: "403 PERMISSION_DENIED",
          })),
          { name: `${send} without a credential`, send, fails: "401 MISSING_TOKEN" },
          { name: `${send} a broken token`,
            send,
            headers: { authorization: "Bearer x" },
            fails: "401 INVALID_TOKEN",
          },
          { name: `${send} a cookie`,
            send,
            headers: { cookie: `session=${tokenOf("system")}` },
            ...passes,
          },
          { name: `${send} an administrator's API key`,
            given,
            send,
            headers: { "x-api-key": boss.key },
            ...passes,
          },
          { name: `${send} a user's API key`,
            given,
            send,
            headers: { "x-api-key": clerk.key },
            fails: "403 PERMISSION_DENIED",
          },
        ];
      }),
      { name: "before the parameters", send: `GET ${path}?limit=0`, as: "user", fails: "403 PERMISSION_DENIED" },
      { name: "before the key", send: `GET ${path}/%zz`, fails: "401 MISSING_TOKEN" },
    ]);
  });

  describe("paths and methods", () => {
    // biome-ignore format: many a line
    scenarios(
      service,
      [
        "/", "", "/nothing", "/rate-limits/", "/rate-limit", "/rate-limitsx", "/Rate-Limits", "/things/fetch",
      ].map((rest): Scenario => ({ send: `GET /admin${rest}`, as: "admin", fails: "404 NOT_FOUND" })),
    );

    test.each([
      ["POST", path, "GET, HEAD"],
      ["DELETE", path, "GET, HEAD"],
      ["OPTIONS", path, "GET, HEAD"],
      ["PUT", `${path}/${key}`, "GET, HEAD, DELETE"],
      ["PATCH", `${path}/${key}`, "GET, HEAD, DELETE"],
      ["PURGE", `${path}/${key}`, "GET, HEAD, DELETE"],
    ])("%s %s is 405", async (method, one, allow) => {
      const reply = await service.send({ method, path: one });
      expectEnvelope(reply);
      expect([outcome(reply), reply.headers.allow]).toEqual(["405 HTTP_ERROR", allow]);
    });
  });

  describe("a limit that was reached", () => {
    const fetching = () => service.send({ method: "GET", path: "/things/fetch" }, "admin");
    const own = "crud:things:fetch:ip:127.0.0.1";

    test("shows, and a reset lets the next request pass at once", async () => {
      for (let count = 0; count < limit; count++) expect(outcome(await fetching())).toBe("200");
      const refused = await fetching();
      expect(outcome(refused)).toBe("429 RATE_LIMIT_EXCEEDED");
      const shown = await service.send({ method: "GET", path: `${path}/${own}` }, "admin");
      expect(shown.envelope.data).toMatchObject({
        key: own,
        count: limit,
        max_requests: limit,
        window_seconds: 60,
      });
      const { reset_at } = shown.envelope.data as { reset_at: string };
      expect(Math.ceil(Date.parse(reset_at) / 1000)).toBe(Number(refused.headers["x-ratelimit-reset"]));
      const reset = await service.send({ method: "DELETE", path: `${path}/${own}` }, "admin");
      expect(reset.envelope.data).toEqual({ key: own, reset: true });
      expect(outcome(await service.send({ method: "GET", path: `${path}/${own}` }, "admin"))).toBe(
        "404 NOT_FOUND",
      );
      expect((await fetching()).headers["x-ratelimit-remaining"]).toBe(String(limit - 1));
    });

    test("of several resets one finds the counter", async () => {
      await fill(window, ["once"]);
      const resets = await Promise.all(
        Array.from({ length: 5 }, () => service.send({ method: "DELETE", path: `${path}/once` }, "admin")),
      );
      expect(resets.map(outcome).sort()).toEqual(["200", ...Array(4).fill("404 NOT_FOUND")]);
    });

    test("does not apply to administrators who read it", async () => {
      for (let count = 0; count < 5; count++) {
        const reply = await list("?prefix=admin");
        expect(outcome(reply)).toBe("200");
        expect(reply.headers).not.toHaveProperty("x-ratelimit-limit");
        expect(reply.envelope.data).toEqual({ counters: [] });
      }
    });
  });
});

const unlimited = await limitedServices({ rateLimit: { enabled: false } });

describe.each(unlimited)("with limits switched off: $counters", (service) => {
  test("counters that were left are there to see and to reset", async () => {
    await fill(service.window, [key], 3);
    const send = (method: string) => service.send({ method, path: `${path}/${key}` }, "admin");
    expect((await send("GET")).envelope.data).toEqual(counter);
    expect((await send("DELETE")).envelope.data).toEqual({ key, reset: true });
    expect(outcome(await send("GET"))).toBe("404 NOT_FOUND");
  });
});
