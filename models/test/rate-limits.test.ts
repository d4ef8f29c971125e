import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Json } from "#vocabulary/json";
import type { Caller } from "../../test/support/service-token.ts";
import { shopService } from "./shop-service.ts";

// Passwords are hashed as in production.
vi.setConfig({ testTimeout: 60_000 });

const { call, query } = await shopService();

const address = "127.0.0.1";
const email = "nobody@example.com";
const phone = "+12025550123";

/** What the counters of e-mails and phone numbers need; for the others any request will do. */
const bodies: Readonly<Record<string, Json>> = {
  "POST /auth/login": { email, password: "x" },
  "POST /auth/request-verification": { email },
  "POST /auth/request-reset-password": { email },
  "POST /auth/change-email": { new_email: email },
  "POST /auth/change-phone": { phone_number: phone },
  "POST /auth/change-phone/confirm": { code: "000000" },
  "POST /auth/request-otp": { phone_number: phone },
  "POST /auth/verify-otp": { phone_number: phone, otp: "000000" },
};

/** A counter as the table has it. */
interface Line {
  readonly route: string;
  /** Pattern of its key, with the limit. */
  readonly counter: string;
}

const table = readFileSync(new URL("../../generated/rate-limits.txt", import.meta.url), "utf8");

const lines: readonly Line[] = [...table.matchAll(/^(\w+) +(\/\S+) +(.+?) {2,}(.+?) {2,}/gm)].map(
  ([, method, path, key, limit]) => ({ route: `${method} ${path}`, counter: `${key} ${limit}` }),
);

/** Without GraphQL: it has the counters of the others. */
const routes = [...new Set(lines.map(({ route }) => route))].filter((route) => route !== "POST /graphql");

/** What is counted, in the words of the table. */
async function counted(): Promise<string[]> {
  const { envelope } = await call("GET /admin/rate-limits?limit=1000", "admin");
  const { counters } = envelope.data as {
    counters: { key: string; count: number; max_requests: number; window_seconds: number }[];
  };
  // What is sent to people has counters of its own: test/http/auth/message-limits.test.ts.
  const ofRoutes = counters.filter(({ key }) => !/^auth:(mail|sms):/.test(key));
  return ofRoutes.map(({ key, count, max_requests, window_seconds }) => {
    expect([key, count]).toEqual([key, 1]);
    return `${key} ${max_requests} in ${window_seconds} s`;
  });
}

/** The counters of a request, in the order of their keys. */
function expected(route: string, user: string): string[] {
  const whom = { "<ip>": address, "<user_id>": user, "<e-mail>": email, "<phone>": phone };
  return lines
    .filter((line) => line.route === route && line.counter !== "- unlimited")
    .map(({ counter }) =>
      Object.entries(whom).reduce((text, [name, value]) => text.replace(name, value), counter),
    )
    .sort();
}

describe("what generated/rate-limits.txt says of a route is what happens there", () => {
  beforeEach(async () => {
    await query("DELETE FROM kirak_rate_limits");
  });

  const callers: readonly (readonly [Caller, string])[] = [
    [{ role: "customer", sub: "7" }, "7"],
    [null, `anon:${address}`],
  ];
  const cases = routes.flatMap((route) =>
    // Some routes of accounts are for those who have signed in: without that they count nothing.
    callers.slice(0, route.includes("/auth/") ? 1 : 2).map(([as, user]) => ({ route, as, user })),
  );

  test.each(cases)("$route as user $user", async ({ route, as, user }) => {
    const { headers, text } = await call(route, as, bodies[route]);
    expect(text).not.toContain("There is no such route");
    const counters = expected(route, user);
    expect(await counted()).toEqual(counters);
    const [limit] = counters.map((counter) => / (\d+) in /.exec(counter)?.[1]);
    expect(headers["x-ratelimit-limit"]).toBe(route.includes("/auth/") ? undefined : limit);
  });

  test("each of its lines was read", () => {
    const written = table.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    expect(lines).toHaveLength(written.length);
  });
});
