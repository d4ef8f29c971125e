import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalAddress, clientAddressReader } from "#runtime/core/http/client-address";
import { isAddressOrRange } from "#vocabulary/addresses";

/** The address of a client whose request came over a connection from `socket`. */
function addressOf(
  trusted: readonly string[],
  socket: string | undefined,
  headers: IncomingHttpHeaders = {},
): string {
  const request = { headers, socket: { remoteAddress: socket } };
  return clientAddressReader(trusted)(request as Pick<IncomingMessage, "headers" | "socket">);
}

const forwarded = (text: string, more: IncomingHttpHeaders = {}) =>
  addressOf(["10.0.0.1"], "10.0.0.1", { "x-forwarded-for": text, ...more });

describe("the address of the socket", () => {
  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:db8::1", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
    ["::1", "::1"],
    [undefined, "unknown"],
  ])("%s is %s", (socket, address) => {
    for (const trusted of [[], ["10.0.0.1"], ["10.0.0.0/8", "fd00::/8"]])
      expect(
        addressOf(trusted, socket, { "x-forwarded-for": "203.0.113.7", "x-real-ip": "203.0.113.8" }),
      ).toBe(address);
  });
});

describe("headers of a trusted proxy", () => {
  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["203.0.113.7, 198.51.100.1, 10.0.0.2", "203.0.113.7"],
    ["  203.0.113.7\t,198.51.100.1", "203.0.113.7"],
    [", ,203.0.113.7", "203.0.113.7"],
    ["unknown, 203.0.113.7", "203.0.113.7"],
    ["_hidden, 203.0.113.7", "203.0.113.7"],
    ["203.0.113.7:4711", "203.0.113.7"],
    ["[203.0.113.7]", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::FFFF:203.0.113.7", "203.0.113.7"],
    ["::ffff:cb00:7107", "203.0.113.7"],
    ["0:0:0:0:0:ffff:203.0.113.7", "203.0.113.7"],
    ["[::ffff:203.0.113.7]:443", "203.0.113.7"],
    ["2001:db8::1", "2001:db8::1"],
    ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["2001:0db8:0000:0000:0000:0000:0000:0001", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["[2001:db8::1]:65535", "2001:db8::1"],
    // Not mapped: another address.
    ["::203.0.113.7", "::203.0.113.7"],
    ["64:ff9b::203.0.113.7", "64:ff9b::cb00:7107"],
  ])("%j is %s", (text, address) => {
    expect(forwarded(text)).toBe(address);
    expect(forwarded("", { "x-real-ip": text })).toBe(address);
  });

  // biome-ignore format: many a line
  test.each([
    "", ",", "unknown", "localhost", "203.0.113", "203.0.113.256", "203.0.113.07", "0x7f.0.0.1", "3405803783", "203.0.113.7:", "203.0.113.7:123456",
    "203.0.113.7/32", "203.0.113.7 ;x", "[203.0.113.7", "2001:db8::1]:80", "[2001:db8::1]80", "[[2001:db8::1]]", "2001:db8:::1", "2001:db8::g",
    "fe80::1%eth0", "[fe80::1%25eth0]:80", "for=203.0.113.7", "203.0.113.7\0", "٢٠٣.0.113.7", "::ffff:203.0.113.256", "203.0.113.7:crud:things:fetch",
    "*",
  ])("%j says nothing", (text) => {
    expect(forwarded(text)).toBe("10.0.0.1");
    expect(forwarded(text, { "x-real-ip": "203.0.113.9" })).toBe("203.0.113.9");
    expect(canonicalAddress(text)).toBeNull();
  });

  test("X-Forwarded-For is taken before X-Real-IP, and no other header at all", () => {
    const others = {
      forwarded: "for=203.0.113.1",
      "cf-connecting-ip": "203.0.113.2",
      "true-client-ip": "203.0.113.3",
    };
    expect(forwarded("203.0.113.7", { "x-real-ip": "203.0.113.9", ...others })).toBe("203.0.113.7");
    expect(addressOf(["10.0.0.1"], "10.0.0.1", others)).toBe("10.0.0.1");
  });

  test("a proxy that is asked by a client that claims to be one changes nothing", () => {
    expect(forwarded("10.0.0.1, 203.0.113.7")).toBe("10.0.0.1");
  });
});

describe("trusted proxies", () => {
  const isTrusted = (range: string, socket: string) =>
    addressOf([range], socket, { "x-forwarded-for": "203.0.113.7" }) === "203.0.113.7";

  test.each<[string, readonly string[], readonly string[]]>([
    ["10.0.0.1", ["10.0.0.1", "::ffff:10.0.0.1"], ["10.0.0.2", "::10.0.0.1", "2001:db8::1"]],
    ["10.0.0.1/32", ["10.0.0.1", "::ffff:10.0.0.1"], ["10.0.0.0", "10.0.0.2"]],
    ["10.0.0.0/31", ["10.0.0.0", "10.0.0.1"], ["10.0.0.2", "9.255.255.255"]],
    ["10.0.0.0/8", ["10.0.0.0", "10.255.255.255", "::ffff:10.9.9.9"], ["9.255.255.255", "11.0.0.0", "::1"]],
    // The bits behind the prefix say nothing.
    ["10.1.2.3/8", ["10.200.0.1"], ["11.1.2.3"]],
    ["128.0.0.0/1", ["128.0.0.0", "255.255.255.255"], ["127.255.255.255"]],
    ["0.0.0.0/0", ["0.0.0.0", "255.255.255.255", "::ffff:8.8.8.8"], ["::1", "2001:db8::1"]],
    ["::1", ["::1"], ["::2", "127.0.0.1"]],
    ["fd00::/8", ["fd00::", "fdff:ffff::1", "fd12::1%eth0"], ["fc00::1", "fe00::1", "10.0.0.1"]],
    ["2001:DB8::1/128", ["2001:db8::1"], ["2001:db8::", "2001:db8::2"]],
    ["2001:db8::/33", ["2001:db8:7fff::1"], ["2001:db8:8000::1"]],
    // No IPv4 address, though each has a mapped one in there.
    ["::/0", ["::", "ffff::", "2001:db8::1"], ["10.0.0.1", "::ffff:10.0.0.1"]],
    ["::1/64", ["::", "::1"], ["10.0.0.1", "::ffff:10.0.0.1", "0:0:0:1::"]],
    ["::ffff:10.0.0.0/90", ["::ffd0:1:2"], ["10.0.0.1"]],
    ["::ffff:10.0.0.1", ["10.0.0.1", "::ffff:10.0.0.1"], ["10.0.0.2"]],
    ["::ffff:10.0.0.0/104", ["10.0.0.1", "10.255.0.1", "::ffff:10.0.0.9"], ["11.0.0.1", "2001:db8::1"]],
    ["::ffff:0:0/96", ["1.2.3.4", "::ffff:1.2.3.4"], ["2001:db8::1"]],
  ])("%s", (range, inside, outside) => {
    expect(isAddressOrRange(range)).toBe(true);
    for (const socket of inside) expect([socket, isTrusted(range, socket)]).toEqual([socket, true]);
    for (const socket of outside) expect([socket, isTrusted(range, socket)]).toEqual([socket, false]);
  });

  // biome-ignore format: many a line
  test.each([
    "", " ", "10.0.0", "10.0.0.1 ", " 10.0.0.1", "10.0.0.1/", "10.0.0.1/33", "10.0.0.1/-1", "10.0.0.1/08", "10.0.0.1/8/8", "10.0.0.1/8.0",
    "10.0.0.1/255.0.0.0", "10.0.0.1/ 8", "10.0.0.*", "10.0.0.1-10.0.0.9", "10.0.0.1:80", "[::1]", "::1/129", "::1/1e1", "fe80::1%eth0",
    "fe80::%eth0/64", "localhost", "loopback", "*", "true",
  ])("%j is neither an address nor a range", (text) => {
    expect(isAddressOrRange(text)).toBe(false);
  });

  test("an accepted range can be used as one", () => {
    const texts = fc.oneof(
      fc.tuple(fc.ipV4(), fc.integer({ min: -1, max: 40 })).map(([ip, bits]) => `${ip}/${bits}`),
      fc.tuple(fc.ipV6(), fc.integer({ min: -1, max: 140 })).map(([ip, bits]) => `${ip}/${bits}`),
      fc.ipV4Extended(),
      fc.string(),
    );
    fc.assert(
      fc.property(texts, fc.oneof(fc.ipV4(), fc.ipV6()), (range, socket) => {
        fc.pre(isAddressOrRange(range));
        expect(isIP(addressOf([range, range], socket))).not.toBe(0);
        const [self = ""] = range.split("/");
        expect(isTrusted(range, canonicalAddress(self) ?? "")).toBe(true);
      }),
      { seed: 6 },
    );
  });
});

describe("any value of a header", () => {
  const part = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.ipV4(),
    fc.ipV4Extended(),
    fc.ipV6(),
    fc.tuple(fc.ipV6(), fc.nat({ max: 99_999 })).map(([ip, port]) => `[${ip}]:${port}`),
    fc.tuple(fc.ipV4(), fc.nat({ max: 99_999 })).map(([ip, port]) => `${ip}:${port}`),
    fc.string({ unit: fc.constantFrom(..."0123456789abcdef:.[]%/, ") }),
  );
  const text = fc.array(part).map((parts) => parts.join(","));

  test("the client's address is canonical, and is the proxy's own if the header has none", () => {
    fc.assert(
      fc.property(text, text, (forwardedFor, realIp) => {
        const address = forwarded(forwardedFor, { "x-real-ip": realIp });
        expect(isIP(address)).not.toBe(0);
        expect(canonicalAddress(address)).toBe(address);
        expect(address).not.toMatch(/%|^::ffff:\d+\./);
      }),
      { seed: 6, numRuns: 1000 },
    );
  });

  test("the header of an untrusted client is ignored", () => {
    fc.assert(
      fc.property(text, text, (forwardedFor, realIp) => {
        const headers = { "x-forwarded-for": forwardedFor, "x-real-ip": realIp };
        expect(addressOf(["10.0.0.1", "fd00::/8"], "192.0.2.1", headers)).toBe("192.0.2.1");
      }),
      { seed: 6 },
    );
  });

  test("all spellings of an address are one", () => {
    const spelled = (address: string) => [address, address.toUpperCase(), `[${address}]`, `[${address}]:80`];
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 0xffff }), { minLength: 8, maxLength: 8 }), (numbers) => {
        const long = numbers.map((number) => number.toString(16).padStart(4, "0")).join(":");
        const short = numbers.map((number) => number.toString(16)).join(":");
        const all = [...spelled(long), ...spelled(short)].map(canonicalAddress);
        expect(new Set(all).size).toBe(1);
      }),
      { seed: 6 },
    );
  });

  test.each([
    ["commas", ",".repeat(200_000)],
    ["digits", "1".repeat(200_000)],
    ["dots", "1.".repeat(100_000)],
    ["colons", ":".repeat(200_000)],
    ["brackets", "[".repeat(200_000)],
    ["hexadecimal digits in a bracket", `[${"a".repeat(200_000)}`],
    ["blanks", " ".repeat(200_000)],
    ["names", "unknown,".repeat(25_000)],
  ])("200,000 %s cost no more than their length", (_, huge) => {
    expect(forwarded(huge)).toBe("10.0.0.1");
    expect(forwarded(`203.0.113.7,${huge}`)).toBe("203.0.113.7");
  });
});
