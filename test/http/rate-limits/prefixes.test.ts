import { describe, expect, test } from "vitest";
import { limitedServices } from "../../support/limited-service.ts";
import { outcome } from "../../support/scenarios.ts";

const services = await limitedServices({ servicePrefix: "/api", authPrefix: "/account" });

describe.each(services)("with prefixes of other names: $counters", (service) => {
  const { counted, forget } = service;
  const send = (line: string) => {
    const [method = "", path = ""] = line.split(" ");
    return service.send({ method, path }, "admin");
  };

  test.each([
    ["GET /api/things/fetch", "crud:things:fetch:ip:127.0.0.1"],
    ["POST /account/login", "auth:login:ip:127.0.0.1"],
    ["POST /account/setup-mfa", "auth:setup-mfa:ip:127.0.0.1"],
  ])("%s is counted as ever", async (line, key) => {
    await forget();
    await send(line);
    expect(await counted()).toEqual({ [key]: 1 });
  });

  test("counters are administered where they were", async () => {
    expect(outcome(await send("GET /admin/rate-limits"))).toBe("200");
    for (const prefix of ["/api", "/account"])
      expect(outcome(await send(`GET ${prefix}/admin/rate-limits`))).toBe("404 NOT_FOUND");
  });
});
