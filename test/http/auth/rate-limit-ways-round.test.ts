import { beforeEach, describe, expect, test } from "vitest";
import { account, accounts, countRows, password } from "../../support/accounts.ts";
import { limit, limited, limitedServices } from "../../support/limited-service.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";

const services = await limitedServices();

const email = "user1@example.com";
const body = { email, password };
const given = accounts([account(1)]);
const key = "auth:login:ip:127.0.0.1";

describe.each(services)("counters in $counters", (service) => {
  beforeEach(async () => {
    await service.forget();
    await service.store(given);
  });

  const login = (path: string, method = "POST", headers = {}) =>
    service.send({ method, path, headers, body });

  /** Ways to write the path of the route, and what they lead to once its limit is used up. */
  test.each<[string, number]>([
    ["/auth/login", 429],
    ["/auth/login?", 429],
    ["/auth/login?x=1", 429],
    ["/auth/login?x=%6F", 429],
    ["http://shop.example/auth/login", 429],
    ["HTTP://other.example:80/auth/login?x=1", 429],
    ["/auth/login/", 404],
    ["/auth//login", 404],
    ["//auth/login", 404],
    ["/auth/./login", 404],
    ["/auth/x/../login", 404],
    ["/auth/l%6Fgin", 404],
    ["/auth%2Flogin", 404],
    ["/auth/login%00", 400],
    ["/auth/login%20", 404],
    ["/auth/login;x=1", 404],
    ["/auth/login#x", 404],
    ["/auth\\login", 404],
    ["/AUTH/login", 404],
    ["/auth/LOGIN", 404],
  ])("%s", async (path, status) => {
    for (let count = 0; count < limit; count++) expect((await login("/auth/login")).status).toBe(200);
    expect((await login(path)).status).toBe(status);
    expect(await service.counted()).toEqual({ [key]: limit, [`auth:login:email:${email}`]: limit });
  });

  test.each(["http://shop.example/auth/login", "/auth/login?x=1"])("%s counts as the route", async (path) => {
    for (let count = 0; count < limit; count++) expect((await login(path)).status).toBe(200);
    expect((await login("/auth/login")).status).toBe(429);
  });

  test.each(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])(
    "%s is no way in, and counts nowhere",
    async (method) => {
      const headers = { "x-http-method-override": "POST", "x-http-method": "POST" };
      for (let count = 0; count < limit + 1; count++)
        expect((await login("/auth/login", method, headers)).status).toBe(405);
      expect(await service.counted()).toEqual({});
    },
  );

  test.each(["anybody", "signed in"])("a credential makes no difference: %s", async (who) => {
    const as = who === "anybody" ? null : { role: "admin", sub: "1" };
    for (let count = 0; count < limit; count++) await login("/auth/login");
    expect(outcome(await service.send({ method: "POST", path: "/auth/login", body }, as))).toBe(
      "429 RATE_LIMIT_EXCEEDED",
    );
  });

  test("from a trusted proxy, the leftmost address counts, in its one form", async () => {
    for (const from of ["2001:DB8:0::7, 198.51.100.1", "2001:db8::7", "[2001:db8:0:0:0:0:0:7]:4711"])
      expect((await login("/auth/login", "POST", { "x-forwarded-for": from })).status).toBe(200);
    expect(await service.counted()).toMatchObject({ "auth:login:ip:2001:db8::/64": limit });
  });
});

test("from anywhere else, what a header says of the address counts for nothing", async () => {
  const service = await testService(limited({ rateLimit: { trustedProxyIps: ["192.0.2.1"] } }));
  await service.store(given);
  for (let count = 0; count < limit + 1; count++) {
    const address = `203.0.113.${count}`;
    const headers = { "x-forwarded-for": address, "x-real-ip": address, forwarded: `for=${address}` };
    const register = { email: `new${count}@example.com`, password };
    const reply = await service.send({ method: "POST", path: "/auth/register", headers, body: register });
    expect(reply.status).toBe(count < limit ? 200 : 429);
  }
  expect(await service.query("SELECT key, max_requests, window_seconds FROM kirak_rate_limits")).toEqual([
    { key: "auth:register:ip:127.0.0.1", max_requests: limit, window_seconds: 60 },
  ]);
});

test("with another auth_prefix the keys are the same", async () => {
  const service = await testService(limited({ authPrefix: "/account" }));
  await service.store(given);
  expect(outcome(await service.send({ method: "POST", path: "/account/login", body }))).toBe("200");
  expect(
    await countRows(service, "kirak_rate_limits", `key IN ('${key}', 'auth:login:email:${email}')`),
  ).toBe(2);
});

test("with limits off nothing is counted, and nothing refused", async () => {
  const service = await testService(limited({ rateLimit: { enabled: false } }));
  await service.store(given);
  for (let count = 0; count < limit + 2; count++)
    expect(outcome(await service.send({ method: "POST", path: "/auth/login", body }))).toBe("200");
  expect(await countRows(service, "kirak_rate_limits")).toBe(0);
});
