import type { OutgoingHttpHeaders } from "node:http";
import { describe, expect, test } from "vitest";
import { bodyOf } from "../../support/graphql.ts";
import { countingInPostgres, type LimitedService } from "../../support/limited-service.ts";

const behind = (trustedProxyIps: readonly string[]) => countingInPostgres({ rateLimit: { trustedProxyIps } });

const untrusting = await behind([]);
const elsewhere = await behind(["10.0.0.1", "192.168.0.0/16", "::1"]);
const trusting = await behind(["127.0.0.1"]);
const ranges = await behind(["10.0.0.0/8", "127.0.0.0/30"]);

/** The address that a request is counted by. */
async function addressOf(
  { send, counted, forget }: LimitedService,
  headers: OutgoingHttpHeaders,
  from?: string,
): Promise<string | undefined> {
  await forget();
  const reply = await send({ method: "GET", path: "/things/fetch", headers, from });
  expect(reply.status).toBe(200);
  const keys = Object.keys(await counted());
  expect(keys).toHaveLength(1);
  return keys[0]?.replace("crud:things:fetch:ip:", "");
}

const spoofed: readonly OutgoingHttpHeaders[] = [
  { "x-forwarded-for": "203.0.113.7" },
  { "x-forwarded-for": "203.0.113.7, 10.0.0.1" },
  { "x-real-ip": "203.0.113.7" },
  { forwarded: "for=203.0.113.7" },
  { "true-client-ip": "203.0.113.7", "cf-connecting-ip": "203.0.113.7", "x-client-ip": "203.0.113.7" },
  { "x-forwarded-for": "127.0.0.1", "x-real-ip": "10.0.0.1" },
];

describe("a socket that is no trusted proxy", () => {
  test.each(spoofed)("%j is not believed", async (headers) => {
    for (const service of [untrusting, elsewhere])
      expect(await addressOf(service, headers)).toBe("127.0.0.1");
    expect(await addressOf(trusting, headers, "127.0.0.2")).toBe("127.0.0.2");
    expect(await addressOf(ranges, headers, "127.0.0.4")).toBe("127.0.0.4");
  });

  test("gets no further requests by it", async () => {
    await untrusting.forget();
    const statuses = [];
    for (let at = 0; at < 5; at++) {
      const headers = { "x-forwarded-for": `203.0.113.${at}`, "x-real-ip": `203.0.113.${at}` };
      statuses.push((await untrusting.send({ method: "GET", path: "/things/fetch", headers })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect(await untrusting.counted()).toEqual({ "crud:things:fetch:ip:127.0.0.1": 3 });
  });
});

describe("a trusted proxy", () => {
  test.each<[string | undefined, OutgoingHttpHeaders]>([
    ["127.0.0.1", {}],
    ["203.0.113.7", { "x-forwarded-for": "203.0.113.7" }],
    // Leftmost, whoever stands behind it.
    ["203.0.113.7", { "x-forwarded-for": "203.0.113.7, 198.51.100.1, 127.0.0.1" }],
    ["203.0.113.7", { "x-forwarded-for": "  203.0.113.7 ,198.51.100.1" }],
    ["203.0.113.7", { "x-forwarded-for": ["203.0.113.7", "198.51.100.1"] }],
    ["203.0.113.7", { "x-real-ip": "203.0.113.7" }],
    ["203.0.113.7", { "x-forwarded-for": "203.0.113.7", "x-real-ip": "198.51.100.1" }],
    ["203.0.113.7", { "x-forwarded-for": "203.0.113.7:4711" }],
    ["127.0.0.1", { forwarded: "for=203.0.113.7" }],
    // What is no address is not there.
    ["127.0.0.1", { "x-forwarded-for": "" }],
    ["127.0.0.1", { "x-forwarded-for": "unknown" }],
    ["198.51.100.1", { "x-forwarded-for": "unknown, 198.51.100.1" }],
    ["198.51.100.1", { "x-forwarded-for": "unknown", "x-real-ip": "198.51.100.1" }],
    ...[
      "1.2.3",
      "1.2.3.256",
      "01.2.3.4",
      "0x7f.1",
      "2130706433",
      "1.2.3.4/24",
      "*",
      "a:b",
      "user:1",
      "1.2.3.4:x",
      "::1%eth0",
      ":::1",
      "g::1",
      "localhost",
      "x".repeat(5000),
    ].map((text): [string, OutgoingHttpHeaders] => [
      "127.0.0.1",
      { "x-forwarded-for": text, "x-real-ip": text },
    ]),
    // One network for each client, in one spelling.
    ...[
      "2001:db8::1",
      "2001:DB8::1",
      "2001:0db8:0000:0000:0000:0000:0000:0001",
      "2001:db8:0:0::1",
      "[2001:db8::1]",
      "[2001:db8::1]:4711",
      "2001:db8::ffff:ffff:ffff:ffff",
    ].map((text): [string, OutgoingHttpHeaders] => ["2001:db8::/64", { "x-forwarded-for": text }]),
    ["2001:db8:1:2::/64", { "x-forwarded-for": "2001:db8:1:2:3:4:5:6" }],
    ["2001:db8:1:3::/64", { "x-forwarded-for": "2001:db8:1:3:3:4:5:6" }],
    ["::/64", { "x-forwarded-for": "::1" }],
    ["::/64", { "x-forwarded-for": "::203.0.113.7" }],
    ...[
      "203.0.113.7",
      "::ffff:203.0.113.7",
      "::FFFF:203.0.113.7",
      "::ffff:cb00:7107",
      "0:0:0:0:0:ffff:cb00:7107",
    ].map((text): [string, OutgoingHttpHeaders] => ["203.0.113.7", { "x-forwarded-for": text }]),
  ])("%s for %j", async (address, headers) => {
    expect(await addressOf(trusting, headers)).toBe(address);
    expect(await addressOf(ranges, headers, "127.0.0.1")).toBe(address);
  });

  test("may be the last one of its range", async () => {
    expect(await addressOf(ranges, { "x-forwarded-for": "203.0.113.7" }, "127.0.0.3")).toBe("203.0.113.7");
  });

  test("brings each client to a counter of its own", async () => {
    const { send, counted, forget } = trusting;
    await forget();
    const statuses = [];
    for (const client of [
      "203.0.113.7",
      "203.0.113.8",
      "203.0.113.7",
      "::ffff:203.0.113.7",
      "203.0.113.7:80",
    ]) {
      const headers = { "x-forwarded-for": client };
      statuses.push((await send({ method: "GET", path: "/things/fetch", headers })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
    expect(await counted()).toEqual({
      "crud:things:fetch:ip:203.0.113.7": 3,
      "crud:things:fetch:ip:203.0.113.8": 1,
    });
  });

  test("over GraphQL too", async () => {
    const { send, counted, forget } = trusting;
    await forget();
    const headers = { "x-forwarded-for": "2001:DB8::1" };
    await send({ method: "POST", path: "/graphql", headers, body: bodyOf("{ things { id } }") });
    expect(await counted()).toEqual({ "crud:things:fetch:ip:2001:db8::/64": 1 });
  });

  test.each([
    [32, "2001:db8::/32"],
    [48, "2001:db8:1::/48"],
    [56, "2001:db8:1:200::/56"],
    [127, "2001:db8:1:2ff::6/127"],
    [128, "2001:db8:1:2ff::7/128"],
  ])("with rate_limit.ipv6_prefix %i", async (ipv6Prefix, network) => {
    const service = await countingInPostgres({ rateLimit: { ipv6Prefix } });
    expect(await addressOf(service, { "x-forwarded-for": "2001:db8:1:2ff::7" })).toBe(network);
    expect(await addressOf(service, { "x-forwarded-for": "::ffff:203.0.113.7" })).toBe("203.0.113.7");
  });

  test("administrators see and reset the counter of a network", async () => {
    const { send, forget } = trusting;
    await forget();
    for (const host of ["1", "2", "3", "4"])
      await send({
        method: "GET",
        path: "/things/fetch",
        headers: { "x-forwarded-for": `2001:db8::${host}` },
      });
    const path = "/admin/rate-limits/crud:things:fetch:ip:2001:db8::%2F64";
    const counter = await send({ method: "GET", path }, "admin");
    expect(counter.envelope.data).toMatchObject({ key: "crud:things:fetch:ip:2001:db8::/64", count: 3 });
    expect((await send({ method: "DELETE", path }, "admin")).status).toBe(200);
  });
});
